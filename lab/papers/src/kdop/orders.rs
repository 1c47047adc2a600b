//! §4.4, an open question: in which order should the k/2 intervals be compared?

use super::counted;
use super::flights::Flight;
use super::pairs::meet;
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::stopwatch::interleaved;
use lab_report::{Cell, Report, Table, Verdict};
use nearhit::research::volume::BoundingVolume;
use nearhit::research::volume::kdop::KDop;
use std::hint::black_box;

const POSES: usize = 30;

pub(super) fn run(flights: &[Flight], scale: Scale) -> Report {
    let mut report = Report::new("§4.4: the order of the interval tests");
    progress::begins(&report.title);
    report.text(
        "Intervals compared until one separates, mean over all pairs of volumes that Algorithm 1 meets, and the time that takes, all flights together, interval by interval in the same loop. \
         The order changes neither N_v nor N_p nor N_u. Pairs that overlap always take k/2. \"Greedy\" knows the flight: each next slab is the one that separates most of what is left. The \
         library's own test takes the list's order, several intervals at a time.",
    );
    let rounds = scale.pick(2, 5);
    let studies = [study::<9>(flights, rounds), study::<13>(flights, rounds)];
    let ratio = |others: &[usize]| {
        let of =
            |study: &Study| others.iter().map(|&i| study.totals[i] / study.totals[0]).fold(f64::INFINITY, f64::min);
        studies.iter().map(of).fold(f64::INFINITY, f64::min)
    };
    let (best, different, alike) = (ratio(&[1, 2, 3]), ratio(&[2]), ratio(&[3]));
    report.claim(counted(
        "§4.4",
        "testing widely different directions one after the other finds a separating one sooner",
        Verdict::of(different < alike),
        format!(
            "tests as a share of the listed order's (axes, corners, edges), the better of k = 18 and 26: {:.0} % for the direction farthest from those before, {:.0} % for the one nearest to the \
             one before",
            100.0 * different,
            100.0 * alike
        ),
    ));
    report.claim(counted(
        "§4.4",
        "the order as listed is kept: no other fixed one saves a tenth of the tests",
        Verdict::of(best > 0.9),
        format!("the best other fixed order takes {:.0} % of its tests", 100.0 * best),
    ));
    for Study { table, .. } in studies {
        report.table(table);
    }
    report
}

struct Study {
    table: Table,
    /// Sums over the flights of the mean numbers of tests: the list's order and three others that
    /// do not know the flight.
    totals: Vec<f64>,
}

fn study<const N: usize>(flights: &[Flight], rounds: usize) -> Study {
    let listed: Vec<usize> = (0..N).collect();
    let fixed: [(&str, Vec<usize>); 4] = [
        ("as listed in §3.3.3", listed.clone()),
        ("the list backwards", listed.iter().rev().copied().collect()),
        ("farthest from those before", farthest_next::<N>()),
        ("nearest to the one before", nearest_next::<N>()),
    ];
    let names = fixed.iter().map(|of| of.0).chain(["greedy", "the last that separated first", "library's own"]);
    let mut rows: Vec<(&str, Vec<f64>, f64)> = names.map(|name| (name, Vec::new(), 0.0)).collect();
    let mut met = 0;
    for flight in flights {
        progress::begins(&format!("  {}, k = {}", flight.name, 2 * N));
        let pairs = meet::<N>(flight, POSES).volumes;
        met += pairs.len();
        let separating: Vec<Separating<N>> = pairs.iter().map(|(b, a)| separating(b, a)).collect();
        let orders: Vec<Vec<usize>> = fixed.iter().map(|of| of.1.clone()).chain([greedy::<N>(&separating)]).collect();
        let mut means: Vec<f64> = orders.iter().map(|order| mean(&separating, |pair| first(pair, order))).collect();
        means.extend([last_first(&separating, &listed), means[0]]);
        let mut contenders: Vec<Box<dyn FnMut() + '_>> = Vec::new();
        for order in &orders {
            let pairs = &pairs;
            contenders.push(Box::new(move || all(pairs, |b, a| compare(b, a, order))));
        }
        contenders.push(Box::new(|| compare_last_first(&pairs, &listed)));
        contenders.push(Box::new(|| all(&pairs, KDop::disjoint)));
        let mut contenders: Vec<&mut dyn FnMut()> = contenders.iter_mut().map(|of| &mut **of as _).collect();
        for ((row, mean), time) in rows.iter_mut().zip(means).zip(interleaved(rounds, &mut contenders)) {
            row.1.push(mean);
            row.2 += time.as_secs_f64() * 1e9;
        }
    }
    let mut columns = super::flight_columns(&["order"], flights);
    columns.push("ns a pair");
    let mut table = Table::new(format!("intervals compared per pair, k = {}", 2 * N), &columns);
    for (name, means, time) in &rows {
        let figures = means.iter().map(|&mean| Cell::Number(mean, 2));
        table.row(std::iter::once((*name).into()).chain(figures).chain([Cell::Number(time / met.max(1) as f64, 1)]));
    }
    Study { table, totals: rows[..fixed.len()].iter().map(|row| row.1.iter().sum()).collect() }
}

fn all<const N: usize>(pairs: &[(KDop<N>, KDop<N>)], apart: impl Fn(&KDop<N>, &KDop<N>) -> bool) {
    for (b, a) in pairs {
        black_box(apart(b, a));
    }
}

fn compare<const N: usize>(b: &KDop<N>, a: &KDop<N>, order: &[usize]) -> bool {
    order.iter().any(|&slab| separates(b, a, slab))
}

fn separates<const N: usize>(b: &KDop<N>, a: &KDop<N>, slab: usize) -> bool {
    b.high()[slab] < a.low()[slab] || a.high()[slab] < b.low()[slab]
}

fn compare_last_first<const N: usize>(pairs: &[(KDop<N>, KDop<N>)], listed: &[usize]) {
    let mut last = 0;
    for (b, a) in pairs {
        if !separates(b, a, last) {
            last = listed.iter().copied().find(|&slab| separates(b, a, slab)).unwrap_or(last);
        }
        black_box(last);
    }
}

/// Which slabs separate a pair.
type Separating<const N: usize> = [bool; N];

fn separating<const N: usize>(b: &KDop<N>, a: &KDop<N>) -> Separating<N> {
    std::array::from_fn(|slab| separates(b, a, slab))
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
