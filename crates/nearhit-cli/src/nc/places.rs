//! Coordinates as they are typed.

use anyhow::{Result, anyhow, bail};
use nearhit_nc::{AfterChange, RapidPath};

/// `X,Y,Z`.
pub(super) fn place(text: &str, flag: &str) -> Result<[f64; 3]> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    let legal = |numbers: &Vec<f64>| numbers.iter().all(|value| value.abs() <= 1e7);
    let numbers = numbers.filter(legal).and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
    let space = if flag.ends_with('=') { "" } else { " " };
    numbers.ok_or_else(|| anyhow!("{flag}{space}{text}: three numbers up to 1e7 are needed, as 0,0,50"))
}

pub(super) fn after_change(text: &str) -> Result<AfterChange> {
    Ok(match text {
        "unknown" => AfterChange::Unknown,
        "same" => AfterChange::Same,
        _ => AfterChange::At(place(text, "--tool-change").map_err(|error| anyhow!("{error}; or unknown, or same"))?),
    })
}

pub(super) fn rapid(text: &str) -> Result<RapidPath> {
    Ok(match text {
        "anywhere" => RapidPath::Anywhere,
        "straight" => RapidPath::Straight,
        _ => {
            let known = "anywhere, straight, or the speeds of x, y and z, as 10,10,5, are known";
            let speeds = place(text, "--rapid").map_err(|_| anyhow!("--rapid {text}: {known}"))?;
            if speeds.iter().any(|&speed| speed <= 0.0) {
                bail!("--rapid {text}: speeds must be above 0");
            }
            RapidPath::DogLeg { speeds }
        }
    })
}

/// `G55=X,Y,Z`.
pub(super) fn offsets(given: &[String]) -> Result<[Option<[f64; 3]>; 9]> {
    const NAMES: [&str; 9] = ["G54", "G55", "G56", "G57", "G58", "G59", "G59.1", "G59.2", "G59.3"];
    let mut offsets = [None; 9];
    for text in given {
        let (name, values) = text.split_once('=').unwrap_or((text, ""));
        let system = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name.trim()));
        let system = system.ok_or_else(|| anyhow!("--offset {text}: write it as G55=100,0,0, with G54 to G59.3"))?;
        if offsets[system].is_some() {
            bail!("--offset {text}: the offset of {} is given twice", NAMES[system]);
        }
        offsets[system] = Some(place(values, &format!("--offset {}=", name.trim()))?);
    }
    Ok(offsets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_three_numbers() {
        assert_eq!(place("1, -2,3.5", "--start").expect("legal"), [1.0, -2.0, 3.5]);
        for text in ["", "1,2", "1,2,x", "1,2,nan", "1,2,1e9", "1,2,3,4"] {
            assert!(place(text, "--start").expect_err("illegal").to_string().starts_with("--start"), "{text}");
        }
        assert_eq!(rapid("10,10,5").expect("legal"), RapidPath::DogLeg { speeds: [10.0, 10.0, 5.0] });
        assert!(rapid("10,10,0").is_err() && rapid("fast").is_err() && after_change("here").is_err());
        let known = offsets(&["g59.1=1,2,3".into()]).expect("legal");
        assert_eq!((known[6], known[0]), (Some([1.0, 2.0, 3.0]), None));
        assert!(offsets(&["G60=1,2,3".into()]).is_err() && offsets(&["G55".into()]).is_err());
        let twice = offsets(&["G54=0,0,0".into(), "g54=0,0,600".into()]).expect_err("which one?");
        assert_eq!(twice.to_string(), "--offset g54=0,0,600: the offset of G54 is given twice");
    }
}
