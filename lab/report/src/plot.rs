//! Plots as SVG.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;

/// Curves over a common axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// What it shows; begins with the paper's own name for it where there is one.
    pub caption: String,
    /// Across.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
}

/// An axis of a plot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Quantity and unit.
    pub label: String,
    /// By factors of ten?
    pub logarithmic: bool,
}

/// A curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// For the legend.
    pub name: String,
    /// In the order in which they are joined.
    pub points: Vec<(f64, f64)>,
}

impl Axis {
    /// Equal steps.
    #[must_use]
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), logarithmic: false }
    }

    /// Equal factors.
    #[must_use]
    pub fn logarithmic(label: impl Into<String>) -> Self {
        Self { label: label.into(), logarithmic: true }
    }

    /// Can the value be shown on it?
    fn holds(&self, value: f64) -> bool {
        value.is_finite() && (!self.logarithmic || value > 0.0)
    }

    /// A logarithmic axis is a linear one of exponents.
    fn place(&self, value: f64) -> f64 {
        if self.logarithmic { value.log10() } else { value }
    }

    fn tick(&self, place: f64) -> String {
        let value = if self.logarithmic { 10f64.powf(place) } else { place };
        match value.abs() {
            0.0 => "0".to_owned(),
            1e5.. => format!("{value:.0e}"),
            10.0.. => format!("{value:.0}"),
            0.01.. => format!("{}", (value * 1000.0).round() / 1000.0),
            _ => format!("{value:.0e}"),
        }
    }
}

impl Plot {
    /// The plot as an SVG element.
    ///
    /// # Panics
    /// Never on data: drawing into a string does not fail.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, (820, 420)).into_drawing_area();
        self.draw(&area).expect("drawing into a string does not fail");
        area.present().expect("drawing into a string does not fail");
        drop(area);
        // The element alone goes into pages.
        svg[svg.find("<svg").unwrap_or(0)..].to_owned()
    }

    fn draw(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), Box<dyn std::error::Error>> {
        area.fill(&WHITE)?;
        let curves: Vec<(&str, Vec<(f64, f64)>)> = self
            .series
            .iter()
            .map(|series| {
                let shown = series.points.iter().filter(|point| self.x.holds(point.0) && self.y.holds(point.1));
                (series.name.as_str(), shown.map(|point| (self.x.place(point.0), self.y.place(point.1))).collect())
            })
            .collect();
        let points = || curves.iter().flat_map(|curve| &curve.1);
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(64)
            .build_cartesian_2d(range(points().map(|point| point.0)), range(points().map(|point| point.1)))?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .x_label_formatter(&|place| self.x.tick(*place))
            .y_label_formatter(&|place| self.y.tick(*place))
            .draw()?;
        for (number, (name, points)) in curves.iter().enumerate() {
            let colour = Palette99::pick(number).stroke_width(2);
            chart
                .draw_series(LineSeries::new(points.iter().copied(), colour))?
                .label(*name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour));
        }
        if curves.len() > 1 {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperRight)
                .background_style(WHITE.mix(0.8))
                .border_style(BLACK.mix(0.2))
                .draw()?;
        }
        Ok(())
    }
}

/// From the least to the most, a little wider, and never empty.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
    if least > most {
        return 0.0..1.0;
    }
    let room = if most > least { 0.03 * (most - least) } else { 0.5 };
    least - room..most + room
}
