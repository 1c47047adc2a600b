//! A batch answers as its queries do one by one, whatever the number of threads.

use nearhit::batch::{self, BatchError, BatchOptions, Seeding};
use nearhit::{Mesh, Model, Pair, Pose, QueryError, Scratch, Settings, Stats, Tolerance, TrianglePair, Verdict};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

fn models() -> [Model; 2] {
    let mesh = |soup: nearhit_testkit::soup::Soup| Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh");
    [Model::new(mesh(shapes::wrinkled_torus(40, 20, 1))), Model::new(mesh(shapes::wrinkled_torus(30, 12, 2)))]
}

/// Near misses, contacts, and some far apart, along a path.
fn poses(count: usize) -> Vec<Pose> {
    let mut rng = Rng::new(5);
    let rotation = rng.rotation();
    let along = |i: usize| [6.0 * (i as f64 / count as f64) - 3.0, 0.3, 1.4];
    (0..count).map(|i| Pose::from_rows(rotation, along(i)).expect("a rotation")).collect()
}

type Answer = (Verdict, u64, TrianglePair, Stats);

fn ask(pair: &Pair<'_>, settings: &Settings<'_>, scratch: &mut Scratch) -> (Answer, Option<nearhit::Seed>) {
    let collision = pair.collide(settings, scratch);
    let distance = pair.distance(Tolerance::EXACT, settings, scratch);
    ((collision.verdict, distance.upper.to_bits(), distance.witness, distance.stats), Some(distance.seed()))
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(work)
}

#[test]
fn answers_are_those_of_single_queries() {
    let [a, b] = models();
    let poses = poses(203);
    let pair = |i: usize| Pair::new(&a, &Pose::IDENTITY, &b, &poses[i]);
    let mut scratch = Scratch::new();
    let single: Vec<Answer> =
        (0..poses.len()).map(|i| ask(&pair(i).expect("in range"), &Settings::default(), &mut scratch).0).collect();
    let touching = single.iter().filter(|answer| answer.0 == Verdict::Yes).count();
    assert!((20..180).contains(&touching), "{touching} of {} touch", single.len());
    for threads in [1, 2, 3] {
        let options = BatchOptions::default();
        assert_eq!(in_pool(threads, || batch::each(poses.len(), pair, &options, ask)), Ok(single.clone()));
    }
    assert_eq!(batch::each(0, pair, &BatchOptions::default(), ask), Ok(vec![]));
}

/// Seeds change the work and perhaps the witness, never the value; and not with the number of
/// threads.
#[test]
fn warm_answers_do_not_depend_on_the_number_of_threads() {
    let [a, b] = models();
    let poses = poses(203);
    let pair = |i: usize| Pair::new(&a, &Pose::IDENTITY, &b, &poses[i]);
    let run = |threads, options: BatchOptions<'static>| {
        in_pool(threads, || batch::each(poses.len(), pair, &options, ask)).expect("answers")
    };
    let warm = BatchOptions::new().seeding(Seeding::Warm);
    let (first, cold) = (run(1, warm), run(1, BatchOptions::default()));
    assert!([2, 3].map(|threads| run(threads, warm)).iter().all(|answers| *answers == first));
    let values = |answers: &[Answer]| answers.iter().map(|answer| (answer.0, answer.1)).collect::<Vec<_>>();
    assert_eq!(values(&first), values(&cold));
    let work = |answers: &[Answer]| answers.iter().map(|answer| answer.3.triangle_tests).sum::<u64>();
    assert!(work(&first) < work(&cold), "{} {}", work(&first), work(&cold));
}

#[test]
fn each_query_keeps_its_own_limit() {
    let [a, b] = models();
    let poses = poses(64);
    let pair = |i: usize| Pair::new(&a, &Pose::IDENTITY, &b, &poses[i]);
    let limited = BatchOptions::new().limit(nearhit::Limit::Work(300));
    let answers = batch::each(poses.len(), pair, &limited, |pair, settings, scratch| {
        let distance = pair.distance(Tolerance::EXACT, settings, scratch);
        ((distance.lower, distance.upper, distance.stats.volume_tests), None)
    })
    .expect("answers");
    assert!(answers.iter().all(|&(lower, upper, work)| lower <= upper && work < 1000));
    assert!(answers.iter().filter(|(lower, upper, _)| lower < upper).count() > 10);
}

#[test]
fn the_first_refusal_counts() {
    let [a, b] = models();
    let pair = |i: usize| {
        let far = if i == 40 || i == 41 { 1e301 } else { 0.0 };
        Pair::new(&a, &Pose::IDENTITY, &b, &Pose::from_translation([0.0, 0.0, far]).expect("finite"))
    };
    for threads in [1, 3] {
        let refused = in_pool(threads, || batch::each(100, pair, &BatchOptions::default(), ask));
        let error = QueryError::TooFarApart { value: 1e301 };
        assert_eq!(refused, Err(BatchError::Refused { index: 40, error }));
    }
}

#[test]
fn a_batch_tells_its_progress_and_can_be_cancelled() {
    let [a, b] = models();
    let poses = poses(203);
    let pair = |i: usize| Pair::new(&a, &Pose::IDENTITY, &b, &poses[i]);
    let told = Mutex::new(Vec::new());
    let tell = |done| told.lock().expect("not poisoned").push(done);
    let options = BatchOptions::new().progress(&tell);
    batch::each(poses.len(), pair, &options, ask).expect("answers");
    assert_eq!(told.lock().expect("not poisoned").iter().max(), Some(&poses.len()));

    let cancel = AtomicBool::new(false);
    let stop_soon = |done: usize| cancel.store(done >= 50, Ordering::Relaxed);
    let options = BatchOptions::new().progress(&stop_soon).cancel(&cancel);
    let cancelled = in_pool(2, || batch::each(poses.len(), pair, &options, ask));
    assert!(matches!(cancelled, Err(BatchError::Cancelled { done: 48..203, count: 203 })), "{cancelled:?}");
}
