//! Which part of a node is a cell in? (§3.4.3: uneven distributions)

use super::clip::SIDE;

/// How the cells of a node are grouped. In more than one group, only the groups that reach into the
/// other node count: better where triangles crowd on one side, at the price of looking at points of
/// every group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Partition {
    /// All together.
    #[default]
    Whole,
    /// A grid of 2³.
    Octants,
    /// Six pyramids from the middle to the sides.
    Sectors,
}

/// The most groups there are.
pub(super) const MOST_GROUPS: usize = 8;

impl Partition {
    /// How many groups.
    #[must_use]
    pub fn groups(self) -> usize {
        match self {
            Self::Whole => 1,
            Self::Octants => 8,
            Self::Sectors => 6,
        }
    }

    /// The group of a cell (x + 8 y + 64 z). A cell between two pyramids is in the first axis' one.
    #[must_use]
    pub fn group(self, cell: usize) -> usize {
        // Twice the distance of the cell's middle from the node's, in cells: odd.
        let from_middle = place(cell).map(|index| 2 * index as i32 + 1 - SIDE as i32);
        match self {
            Self::Whole => 0,
            Self::Octants => (0..3).map(|axis| usize::from(from_middle[axis] > 0) << axis).sum(),
            Self::Sectors => {
                let farthest = from_middle.map(i32::abs).into_iter().max().unwrap_or(0);
                let axis = from_middle.iter().position(|along| along.abs() == farthest).unwrap_or(0);
                2 * axis + usize::from(from_middle[axis] > 0)
            }
        }
    }
}

/// The three indices of a cell.
#[inline]
pub(super) fn place(cell: usize) -> [usize; 3] {
    [cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_share_all_cells_fairly() {
        for partition in [Partition::Whole, Partition::Octants, Partition::Sectors] {
            let mut sizes = vec![0; partition.groups()];
            (0..SIDE.pow(3)).for_each(|cell| sizes[partition.group(cell)] += 1);
            let fair = 512 / partition.groups();
            assert!(
                sizes.iter().all(|&size| (fair * 2 / 3..=fair * 3 / 2).contains(&size)),
                "{partition:?}: {sizes:?}"
            );
        }
        assert_eq!(Partition::Octants.group(7 + 64 * 7), 0b101);
        assert_eq!(Partition::Sectors.group(3 + 8 * 7 + 64 * 4), 3, "the upper y side");
    }
}
