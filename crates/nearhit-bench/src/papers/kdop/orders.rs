//! §4.4, an open question: in which order should the k/2 intervals be compared?

use super::counted;
use super::flights::Flight;
use super::pairs::meet;
use crate::report::{Cell, Report, Table, Verdict};
use nearhit::volume::kdop::KDop;

const POSES: usize = 30;

pub(super) fn run(flights: &[Flight]) -> Report {
    let mut report = Report::new("§4.4: the order of the interval tests");
    report.text(
        "Intervals compared until one separates, mean over all pairs of volumes that Algorithm 1 meets. The count is exact; pairs that overlap always take k/2. \"Greedy\" knows the \
         flight: each next slab is the one that separates most of what is left.",
    );
    let (mut best_fixed, mut listed_total) = (f64::INFINITY, 0.0);
    for (table, listed, best) in [study::<9>(flights), study::<13>(flights)] {
        report.table(table);
        listed_total += listed;
        best_fixed = best_fixed.min(best / listed);
    }
    report.claim(counted(
        "§4.4",
        "testing widely different directions one after the other finds a separating one sooner",
        Verdict::of(listed_total > 0.0 && best_fixed > 0.9),
        format!("the order of the list (axes, corners, edges) is that order; the best fixed other one takes {:.0} % of its tests", 100.0 * best_fixed),
    ));
    report
}

/// The table, the mean of the list's order, and that of the best other fixed order that does not know the flight.
fn study<const N: usize>(flights: &[Flight]) -> (Table, f64, f64) {
    let met: Vec<Vec<Separating<N>>> = flights
        .iter()
        .map(|flight| meet::<N>(flight, POSES).volumes.iter().map(|(b, a)| separating(b, a)).collect())
        .collect();
    let listed: Vec<usize> = (0..N).collect();
    let fixed = [
        ("as listed in §3.3.3", listed.clone()),
        ("the list backwards", listed.iter().rev().copied().collect()),
        ("farthest from those before", farthest_next::<N>()),
        ("nearest to the one before", nearest_next::<N>()),
    ];
    let caption = format!("intervals compared per pair, k = {}", 2 * N);
    let mut table = Table::new(caption, &super::flight_columns(&["order"], flights));
    let mut totals = Vec::new();
    for (name, order) in &fixed {
        let means: Vec<f64> = met.iter().map(|pairs| mean(pairs, |pair| first(pair, order))).collect();
        totals.push(means.iter().sum::<f64>());
        table.row(std::iter::once((*name).into()).chain(means.iter().map(|&x| Cell::Number(x, 2))));
    }
    let greedy = met.iter().map(|pairs| mean(pairs, |pair| first(pair, &greedy::<N>(pairs))));
    table.row(std::iter::once("greedy".into()).chain(greedy.map(|x| Cell::Number(x, 2)).collect::<Vec<_>>()));
    let last = met.iter().map(|pairs| last_first(pairs, &listed));
    table.row(
        std::iter::once("the last that separated first".into())
            .chain(last.map(|x| Cell::Number(x, 2)).collect::<Vec<_>>()),
    );
    (table, totals[0], totals[1..].iter().copied().fold(f64::INFINITY, f64::min))
}

/// Which slabs separate a pair.
type Separating<const N: usize> = [bool; N];

fn separating<const N: usize>(b: &KDop<N>, a: &KDop<N>) -> Separating<N> {
    std::array::from_fn(|slab| b.high()[slab] < a.low()[slab] || a.high()[slab] < b.low()[slab])
}

/// How many slabs are looked at.
fn first<const N: usize>(pair: &Separating<N>, order: &[usize]) -> usize {
    order.iter().position(|&slab| pair[slab]).map_or(N, |place| place + 1)
}

fn mean<T>(pairs: &[T], of: impl Fn(&T) -> usize) -> f64 {
    pairs.iter().map(of).sum::<usize>() as f64 / pairs.len().max(1) as f64
}

/// The slab that separated the last pair goes first.
fn last_first<const N: usize>(pairs: &[Separating<N>], listed: &[usize]) -> f64 {
    let mut last = 0;
    let mut tests = 0;
    for pair in pairs {
        let order: Vec<usize> =
            std::iter::once(last).chain(listed.iter().copied().filter(|&slab| slab != last)).collect();
        let count = first(pair, &order);
        tests += count;
        if pair[order[count - 1]] {
            last = order[count - 1];
        }
    }
    tests as f64 / pairs.len().max(1) as f64
}

fn likeness<const N: usize>(i: usize, j: usize) -> f64 {
    let (u, v) = (KDop::<N>::DIRECTIONS[i], KDop::<N>::DIRECTIONS[j]);
    (u.dot(v) / (u.length() * v.length())).abs()
}

fn farthest_next<const N: usize>() -> Vec<usize> {
    let worst =
        |slab: usize, order: &[usize]| order.iter().map(|&other| likeness::<N>(slab, other)).fold(0.0, f64::max);
    let mut order = vec![0];
    while order.len() < N {
        let left = (0..N).filter(|slab| !order.contains(slab));
        let next = left.min_by(|&i, &j| worst(i, &order).total_cmp(&worst(j, &order)));
        order.extend(next);
    }
    order
}

fn nearest_next<const N: usize>() -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < N {
        let last = order[order.len() - 1];
        let left = (0..N).filter(|slab| !order.contains(slab));
        let next = left.max_by(|&i, &j| likeness::<N>(last, i).total_cmp(&likeness::<N>(last, j)));
        order.extend(next);
    }
    order
}

fn greedy<const N: usize>(pairs: &[Separating<N>]) -> Vec<usize> {
    let mut left: Vec<&Separating<N>> = pairs.iter().collect();
    let mut order = Vec::new();
    while order.len() < N {
        let catches = |slab: usize| left.iter().filter(|pair| pair[slab]).count();
        let next = (0..N).filter(|slab| !order.contains(slab)).max_by_key(|&slab| (catches(slab), N - slab));
        order.extend(next);
        left.retain(|pair| !next.is_some_and(|slab| pair[slab]));
    }
    order
}
