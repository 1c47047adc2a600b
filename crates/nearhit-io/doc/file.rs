// Included, unseen, by the examples of the documentation.

/// A file for this example.
fn file(name: &str, text: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("nearhit-io-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(name), text).expect("a file");
    folder.join(name)
}
