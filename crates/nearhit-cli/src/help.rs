//! Help texts that fit the terminal.
//!
//! The texts are wrapped in the source. Here paragraphs are joined again, for clap to wrap at the
//! terminal's width, and entries of lists and examples are wrapped under their second column.

use clap::Command;

/// No line is longer, however wide the terminal is.
pub(crate) const WIDEST: usize = 100;
/// A second column that starts farther right is no place for a paragraph.
const MIDDLE: usize = 30;

/// The command and its subcommands with texts for lines of so many characters.
pub(crate) fn fitted(command: Command, width: usize) -> Command {
    let fit = |text: &clap::builder::StyledStr| fitted_text(&text.to_string(), width);
    let long_about = command.get_long_about().map(fit);
    let [after, after_long] = [command.get_after_help(), command.get_after_long_help()].map(|text| text.map(fit));
    let mut command = command;
    if let Some(text) = long_about {
        command = command.long_about(text);
    }
    if let Some(text) = after {
        command = command.after_help(text);
    }
    if let Some(text) = after_long {
        command = command.after_long_help(text);
    }
    command.mut_subcommands(|subcommand| fitted(subcommand, width))
}

/// The width of the terminal, at most [`WIDEST`].
pub(crate) fn width() -> usize {
    let columns = terminal_size::terminal_size().map_or(WIDEST, |(width, _)| usize::from(width.0));
    columns.clamp(40, WIDEST)
}

fn fitted_text(text: &str, width: usize) -> String {
    let mut joined: Vec<String> = Vec::new();
    for line in text.lines() {
        match joined.last_mut() {
            Some(last) if continues(last, line) => {
                last.push(' ');
                last.push_str(line.trim_start());
            }
            _ => joined.push(line.to_owned()),
        }
    }
    let lines = joined.iter().map(|line| if line.starts_with(' ') { wrapped(line, width) } else { line.clone() });
    lines.collect::<Vec<_>>().join("\n")
}

/// Does a line go on with what the one before says? In a paragraph, if that one is full; in a list,
/// if it stands under its second column.
fn continues(before: &str, line: &str) -> bool {
    let indent = indent_of(line);
    if line.is_empty() || before.is_empty() {
        return false;
    }
    match indent {
        0 => indent_of(before) == 0 && before.chars().count() > 75,
        _ => second_column(before) == Some(indent),
    }
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Where the second column of an entry starts, after at least two spaces.
fn second_column(line: &str) -> Option<usize> {
    let indent = indent_of(line);
    let gap = indent + line[indent..].find("  ")?;
    let column = gap + indent_of(&line[gap..]);
    (indent > 0 && column <= MIDDLE).then_some(column)
}

/// A command goes on after a backslash, so that it can be pasted.
pub(crate) fn wrapped(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let column = second_column(line);
    let indent = column.unwrap_or(indent_of(line) + 4);
    let is_command = column.is_none() && line.trim_start().starts_with("nearhit ") && !line.trim_start().contains("  ");
    let (start, words) = line.split_at(column.unwrap_or(indent_of(line)));
    let (mut lines, mut current) = (Vec::new(), start.to_owned());
    let mut is_empty = true;
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        let room = width.saturating_sub(if is_command { 2 } else { 0 });
        if !is_empty && current.chars().count() + 1 + word.chars().count() > room {
            lines.push(if is_command { current + " \\" } else { current });
            (current, is_empty) = (" ".repeat(indent), true);
        }
        if !is_empty {
            current.push(' ');
        }
        current.push_str(word);
        is_empty = false;
    }
    lines.push(current);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_joined_and_lists_keep_their_columns() {
        let text = "A paragraph that was wrapped in the source, where lines are as long as this one is,\n\
            and goes on.\n\nClasses:\n  hard       one is in the other, by more than the tolerance, and how much,\n             \
            with a depth\n  close      near\n\n  nearhit clash machine.glb --group a=b --allow '@a:c'";
        let fitted = fitted_text(text, 50);
        let lines: Vec<&str> = fitted.lines().collect();
        assert!(lines[0].ends_with("as this one is, and goes on."), "{fitted}");
        assert_eq!(
            lines[2..],
            [
                "Classes:",
                "  hard       one is in the other, by more than the",
                "             tolerance, and how much, with a depth",
                "  close      near",
                "",
                "  nearhit clash machine.glb --group a=b --allow \\",
                "      '@a:c'",
            ]
        );
    }
}
