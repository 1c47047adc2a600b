//! Which parts are near each other at all? Boxes swept along an axis.

use glam::DVec3;

/// The smallest and the largest corner.
pub(super) type Box3 = [DVec3; 2];

/// Pairs of boxes that are no farther apart than `reach` along any axis, smaller index first, sorted.
///
/// Along the axis in which the boxes are spread widest, beginnings are sorted; each box meets those that begin before it ends.
pub(super) fn near_pairs(boxes: &[Box3], reach: f64) -> Vec<(usize, usize)> {
    let whole =
        boxes.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], [l, h]| [low.min(*l), high.max(*h)]);
    let spread = whole[1] - whole[0];
    let axis = (1..3).fold(0, |widest, axis| if spread[axis] > spread[widest] { axis } else { widest });
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|&i, &j| boxes[i][0][axis].total_cmp(&boxes[j][0][axis]).then(i.cmp(&j)));
    let mut pairs = Vec::new();
    for (position, &i) in order.iter().enumerate() {
        let end = boxes[i][1][axis] + reach;
        for &j in order[position + 1..].iter().take_while(|&&j| boxes[j][0][axis] <= end) {
            let apart = (boxes[i][0] - boxes[j][1]).max(boxes[j][0] - boxes[i][1]).max_element();
            if apart <= reach {
                pairs.push((i.min(j), i.max(j)));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_comparing_all_finds() {
        // A fixed mixture of sizes; the low digits of multiples of an irrational number are spread evenly.
        let part = |i: usize, k: f64| (i as f64 * k).fract();
        let boxes: Vec<Box3> = (0..300)
            .map(|i| {
                let low = DVec3::new(part(i, 0.618_034), part(i, 0.754_878), 0.5 * part(i, 0.569_840));
                [low, low + DVec3::new(part(i, 0.7), part(i, 0.3), part(i, 0.9)) * 0.3]
            })
            .collect();
        for reach in [0.0, 0.05] {
            let near = |[al, ah]: Box3, [bl, bh]: Box3| (al - reach).cmple(bh).all() && (bl - reach).cmple(ah).all();
            let all: Vec<(usize, usize)> = (0..boxes.len())
                .flat_map(|i| (i + 1..boxes.len()).map(move |j| (i, j)))
                .filter(|&(i, j)| near(boxes[i], boxes[j]))
                .collect();
            let found = near_pairs(&boxes, reach);
            // The two conditions round differently: none of these boxes is that near.
            assert_eq!(found, all);
            assert!(all.len() > 50 && all.len() < 20_000);
        }
        assert!(near_pairs(&[], 1.0).is_empty());
        let touching = [[DVec3::ZERO, DVec3::ONE], [DVec3::X, DVec3::ONE * 2.0]];
        assert_eq!(near_pairs(&touching, 0.0), [(0, 1)]);
    }
}
