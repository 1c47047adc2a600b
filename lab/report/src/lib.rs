//! What an experiment says: text, tables, plots and verdicts, in order; rendered by [`text`],
//! [`markdown`] or [`html`].
//!
//! Also what experiments are run with: their [`scale`], a [`stopwatch`] for noisy machines,
//! [`progress`] on stderr.

pub mod files;
pub mod html;
pub mod markdown;
mod plot;
pub mod progress;
pub mod scale;
pub mod stopwatch;
pub mod text;

pub use plot::{Axis, Plot, Series};

/// The findings of one experiment or of a whole paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What it is about.
    pub title: String,
    /// In reading order.
    pub blocks: Vec<Block>,
}

/// A part of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A table.
    Table(Table),
    /// A plot.
    Plot(Plot),
    /// What became of a claim.
    Claim(Claim),
}

/// A table: the first column names the row, the others hold figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What it shows; begins with the paper's own name for it where there is one.
    pub caption: String,
    /// Column headings.
    pub columns: Vec<String>,
    /// As many cells as columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A number with so many digits after the point.
    Number(f64, usize),
    /// Nothing to say.
    Empty,
}

/// Something a paper says, and what is seen here.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Where the paper says it, such as "§7.4 (2)".
    pub place: String,
    /// What it says, in our words.
    pub claim: String,
    /// Whether it is so here.
    pub verdict: Verdict,
    /// The figures that decide.
    pub evidence: String,
    /// Does it rest on work counters alone? Then it repeats exactly and may be asserted.
    pub counts_work: bool,
}

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is so here too.
    Holds,
    /// Partly, or otherwise than in the paper.
    Differs,
    /// It is not so here.
    Fails,
}

impl Verdict {
    /// `Holds` if it holds, else `Fails`.
    #[must_use]
    pub fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }

    /// In a word or three.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "reproduced",
            Self::Differs => "different",
            Self::Fails => "not reproduced",
        }
    }
}

impl Report {
    /// An empty report.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), blocks: Vec::new() }
    }

    /// Adds a heading.
    pub fn heading(&mut self, heading: impl Into<String>) {
        self.blocks.push(Block::Heading(heading.into()));
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    /// Adds a plot.
    pub fn plot(&mut self, plot: Plot) {
        self.blocks.push(Block::Plot(plot));
    }

    /// Adds a verdict.
    pub fn claim(&mut self, claim: Claim) {
        self.blocks.push(Block::Claim(claim));
    }

    /// Adds everything of another report under its title as a heading.
    pub fn append(&mut self, other: Report) {
        self.heading(other.title);
        self.blocks.extend(other.blocks);
    }

    /// Every verdict.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Claim(claim) => Some(claim),
            _ => None,
        })
    }
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&name| name.to_owned()).collect();
        Self { caption: caption.into(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has another number of cells than there are columns.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "a row of {:?}", self.caption);
        self.rows.push(cells);
    }
}

impl Cell {
    /// As shown.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => grouped(*count),
            Self::Number(number, digits) => format!("{number:.digits$}"),
            Self::Empty => "–".to_owned(),
        }
    }

    /// Are figures in it, to be set flush right?
    fn is_figure(&self) -> bool {
        matches!(self, Self::Count(_) | Self::Number(..) | Self::Empty)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

/// 1234567 as 1,234,567.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn sample() -> Report {
        let mut report = Report::new("Sample");
        report.text("Words with <angles> & a | bar.");
        let mut table = Table::new("Table 1", &["volume", "N_v", "µs"]);
        table.row(["obb".into(), Cell::Count(1_234_567), Cell::Number(1.25, 1)]);
        table.row(["a|b".into(), Cell::Empty, Cell::Number(10.0, 1)]);
        report.table(table);
        report.plot(Plot {
            caption: "Figure 1".into(),
            x: Axis::linear("step"),
            y: Axis::logarithmic("µs"),
            series: vec![Series { name: "obb".into(), points: vec![(0.0, 1.0), (1.0, 10.0), (2.0, 100.0)] }],
        });
        report.claim(Claim {
            place: "§1".into(),
            claim: "Boxes are boxes".into(),
            verdict: Verdict::Holds,
            evidence: "12 < 13".into(),
            counts_work: true,
        });
        report
    }

    #[test]
    fn counts_are_grouped_by_thousands() {
        assert_eq!(["0", "999", "1,000", "1,234,567"], [0, 999, 1000, 1_234_567].map(grouped).each_ref().map(|s| &**s));
    }

    #[test]
    #[should_panic(expected = "a row of")]
    fn a_row_must_fill_the_columns() {
        Table::new("T", &["one", "two"]).row([Cell::Empty]);
    }

    #[test]
    fn text_shows_everything() {
        let text = text::render(&sample());
        for part in ["Sample", "1,234,567", "Table 1", "Figure 1", "reproduced: §1", "12 < 13"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn markdown_escapes_bars_and_aligns_figures() {
        let markdown = markdown::render(&sample(), |_| "figure-1.svg".to_owned());
        assert!(markdown.contains("a\\|b") && markdown.contains("| --- | ---: | ---: |"), "{markdown}");
        assert!(markdown.contains("![Figure 1](figure-1.svg)"), "{markdown}");
    }

    #[test]
    fn a_page_is_self_contained_and_escaped() {
        let page = html::render(&sample());
        assert!(page.contains("<svg") && page.contains("&lt;angles&gt; &amp;"), "{page}");
        for outside in ["http://cdn", "https://", "src=", "href="] {
            assert!(!page.contains(outside), "{outside} in\n{page}");
        }
    }

    #[test]
    fn a_plot_without_points_still_renders() {
        let empty = Plot { series: Vec::new(), ..sample_plot() };
        assert!(empty.svg().contains("<svg"));
        let flat = Plot { series: vec![Series { name: "flat".into(), points: vec![(1.0, 0.0)] }], ..sample_plot() };
        assert!(flat.svg().contains("<svg"), "a zero on a logarithmic axis is left out");
    }

    fn sample_plot() -> Plot {
        match &sample().blocks[2] {
            Block::Plot(plot) => plot.clone(),
            other => panic!("{other:?}"),
        }
    }
}
