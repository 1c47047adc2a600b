//! Subprograms, branches and loops: the same moves as the program written out, and ends for those
//! that have none.

use nearhit_nc::{NcError, Program, RapidPath, ReadOptions};

fn read(text: &str) -> Result<Program, NcError> {
    let options = ReadOptions { start: Some([0.0; 3]), rapid: RapidPath::Straight, ..ReadOptions::default() };
    Program::parse(text, "test.nc", &options)
}

/// Line and end of every move.
fn moves(text: &str) -> Vec<(usize, [f64; 3])> {
    let program = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    program.moves.iter().map(|one| (one.line, one.path.tip(1.0).to_array())).collect()
}

fn x(text: &str) -> Vec<f64> {
    moves(text).iter().map(|(_, end)| end[0]).collect()
}

/// Line, and what is wrong.
#[track_caller]
fn refused(text: &str) -> (usize, String) {
    match read(text) {
        Err(NcError::Program { line, problem, .. }) => (line, problem.to_string()),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn subprograms_are_called_and_return() {
    let text =
        "%\nO0001 (MAIN)\nG91 G1 X1 F100\nM98 P1000 L3\nX5\nM30\nO1000 (ROW)\nY1\nM98 P2000\nM99\nO2000\nZ-1\nM99\n%";
    let row = [(8, [1.0, 1.0, 0.0]), (12, [1.0, 1.0, -1.0]), (8, [1.0, 2.0, -1.0]), (12, [1.0, 2.0, -2.0])];
    let found = moves(text);
    assert_eq!(found.len(), 8);
    assert_eq!((found[0], &found[1..5]), ((3, [1.0, 0.0, 0.0]), &row[..]));
    assert_eq!(found[7], (5, [6.0, 3.0, -3.0]));
    assert_eq!(x("G91 G1 X1\nM98 P21000\nM2\nO1000\nX10\nM99"), [1.0, 11.0, 21.0], "two runs of O1000");
    // Without an end, the main program ends where the next begins.
    assert_eq!(x("O1\nG1 X1\nM98 P7\nO7\nX2\nM99"), [1.0, 2.0]);
    let again = read("G1 X1\nX2\nM99\n").expect("legal");
    assert_eq!((again.moves.len(), again.unchecked[0].line), (2, 3));
}

#[test]
fn subroutines_have_parameters_of_their_own() {
    let text = "#1=7 #<deep>=2 #<_all>=3 #31=4\n\
        o<Row> sub\nG1 X#1 Y#2 Z#3\nX[#<_all>+#31]\n#1=99 #<deep>=9\no<row> endsub [#1+1]\n\
        o<row> call [5] [#<deep>]\nG1 X#1 Y#<deep> Z#<_value>";
    let ends: Vec<[f64; 3]> = moves(text).into_iter().map(|(_, end)| end).collect();
    assert_eq!(ends, [[5.0, 2.0, 0.0], [7.0, 2.0, 0.0], [7.0, 2.0, 100.0]]);
    let early =
        "o1 sub\no2 if [#1 lt 3]\no1 return [5]\no2 endif\nG1 X#1\no1 endsub\no1 call [2]\nG1 X#<_value>\no1 call [4]";
    assert_eq!(x(early), [5.0, 4.0]);
    let name = "o1 sub\nG1 X#<deep>\no1 endsub\n#<deep>=1\no1 call";
    assert_eq!(refused(name).0, 2, "a name of the caller has no value in a subroutine");
}

#[test]
fn branches_and_loops_run() {
    let branch = |value: f64| {
        x(&format!("#1={value}\no1 if [#1 EQ 1]\nG1 X1\no1 elseif [#1 eq 2]\nG1 X2\no1 else\nG1 X3\no1 endif\nG1 X9"))
    };
    assert_eq!((branch(1.0), branch(2.0), branch(5.0)), (vec![1.0, 9.0], vec![2.0, 9.0], vec![3.0, 9.0]));
    assert_eq!(x("G91\no1 repeat [3]\nG1 X1\no1 endrepeat\nX5"), [1.0, 2.0, 3.0, 8.0]);
    assert_eq!(x("o1 repeat [0]\nG1 X1\no1 endrepeat\nG1 X5"), [5.0]);
    assert_eq!(x("#1=0\no1 while [#1 lt 3]\n#1=[#1+1]\nG1 X#1\no1 endwhile"), [1.0, 2.0, 3.0]);
    assert_eq!(x("#1=0\no1 do\n#1=[#1+1]\nG1 X#1\no1 while [#1 lt 2]\nG1 X9"), [1.0, 2.0, 9.0]);
    let leave = "#1=0\no1 while [1]\n#1=[#1+1]\no2 if [#1 eq 2]\no1 continue\no2 endif\no3 if [#1 gt 4]\no1 break\no3 endif\nG1 X#1\no1 endwhile\nG1 X9";
    assert_eq!(x(leave), [1.0, 3.0, 4.0, 9.0]);
    // Loops inside of loops, left early, begin anew.
    let nested = "G91\no1 repeat [2]\no2 repeat [3]\nG1 X1\no2 break\no2 endrepeat\no3 repeat [2]\nG1 Y1\no3 endrepeat\no1 endrepeat";
    assert_eq!(moves(nested).last().expect("moves").1, [2.0, 4.0, 0.0]);
    // A loop that a subroutine is left from is not the caller's.
    let returned =
        "G91\no9 sub\no2 repeat [5]\nG1 X1\no9 return\no2 endrepeat\no9 endsub\no1 repeat [3]\no9 call\no1 endrepeat";
    assert_eq!(x(returned), [1.0, 2.0, 3.0]);
}

/// The spiral of a loop is the spiral written out, to the last bit.
#[test]
fn a_loop_is_the_program_written_out() {
    let looped = "#1=0\no1 while [#1 le 360]\nG1 X[[10+#1/36]*cos[#1]] Y[[10+#1/36]*sin[#1]]\n#1=[#1+15]\no1 endwhile";
    let mut written = String::new();
    for step in 0..=24 {
        let angle = f64::from(step) * 15.0;
        written += &format!("G1 X[[10+{angle}/36]*cos[{angle}]] Y[[10+{angle}/36]*sin[{angle}]]\n");
    }
    let ends = |text: &str| moves(text).into_iter().map(|(_, end)| end).collect::<Vec<_>>();
    assert_eq!(ends(looped), ends(&written));
}

#[test]
fn what_does_not_end_is_refused_with_its_line() {
    for (text, line, words) in [
        ("M98 P1\nO1\nG91 G1 X1\nM98 P1\nM99", 4, "64 deep"),
        ("o1 sub\no2 call\no1 endsub\no2 sub\no1 call\no2 endsub\no1 call", 5, "64 deep"),
        ("o1 while [1]\no1 endwhile", 1, "does one not end"),
        ("G91\no1 repeat [1e9]\nG1 X0\no1 endrepeat", 2, "]"),
        ("M98 P7", 1, "no subprogram O7"),
        ("o7 call", 1, "no subprogram O7"),
        ("M98", 1, "P"),
        ("G1 X1\nM98 P1 X5\nO1\nM99", 2, "axis words"),
        ("M98 P1\nM30\nO1\nG1 X1", 3, "M99"),
        ("M98 P1\nM30\nO1\nG1 X1\nO2\nM99", 5, "M99"),
        ("G1 X1\nM97 P5", 2, "by N"),
        ("M98 P1\nM30\nO1\nM99 P100", 4, "another line"),
        ("G1 X1\no5 return", 2, "call"),
        ("o1 if [1]\nG1 X1", 1, "ends it"),
        ("o1 if 1\no1 endif", 1, "brackets"),
        ("o1 if [1] 2\no1 endif", 1, ""),
        ("G1 X1 O5", 1, "begins its line"),
    ] {
        let found = refused(text);
        assert!(found.0 == line && found.1.contains(words), "{text:?}: {found:?}");
    }
    // Calls that double thirty times over are a billion lines, though no deeper than thirty.
    let mut text = String::new();
    for level in 1..=30 {
        text += &format!("o{level} sub\no{next} call\no{next} call\no{level} endsub\n", next = level + 1);
    }
    text += "o31 sub\no31 endsub\no1 call\n";
    assert!(refused(&text).1.contains("does one not end"));
}
