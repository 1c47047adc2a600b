//! The sides of triangles, by the corner that they start from.

use crate::parallel::*;

/// Which corners each corner has a side to, and of which triangle.
#[derive(Debug)]
pub(super) struct Sides {
    /// Those from corner `i`: `ends[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    /// End and face; of one corner sorted.
    ends: Vec<(u32, u32)>,
}

impl Sides {
    /// All faces have corners below `corners`.
    pub(super) fn new(corners: usize, faces: &[[u32; 3]]) -> Self {
        let mut first = vec![0_u32; corners + 1];
        faces.iter().flatten().for_each(|&corner| first[corner as usize + 1] += 1);
        (0..corners).for_each(|corner| first[corner + 1] += first[corner]);
        let mut next = first.clone();
        let mut ends = vec![(0, 0); 3 * faces.len()];
        for (id, face) in faces.iter().enumerate() {
            for side in 0..3 {
                let place = &mut next[face[side] as usize];
                ends[*place as usize] = (face[(side + 1) % 3], id as u32);
                *place += 1;
            }
        }
        first.windows(2).for_each(|run| ends[run[0] as usize..run[1] as usize].sort_unstable());
        Self { first, ends }
    }

    pub(super) fn of(&self, corner: u32) -> &[(u32, u32)] {
        &self.ends[self.first[corner as usize] as usize..self.first[corner as usize + 1] as usize]
    }

    /// The face beyond each side of each face; side `i` goes from corner `i` to the next. `None` if
    /// the sides do not match in pairs.
    pub(super) fn across(&self, faces: &[[u32; 3]]) -> Option<Vec<[u32; 3]>> {
        let beyond = |from: u32, to: u32| {
            let back = self.of(to);
            let found = back.partition_point(|&(end, _)| end < from);
            let is_there = |place: usize| back.get(place).is_some_and(|&(end, _)| end == from);
            (from != to && is_there(found) && !is_there(found + 1)).then(|| back[found].1)
        };
        let of_face = |&[a, b, c]: &[u32; 3]| Some([beyond(a, b)?, beyond(b, c)?, beyond(c, a)?]);
        faces.par_iter().with_min_len(1024).map(of_face).collect()
    }
}
