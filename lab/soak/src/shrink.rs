//! The smallest setup that still fails: triangles are left out as long as the check fails.

use crate::setup::Setup;
use crate::{Check, asked};

/// Fewer triangles of both soups, then no rotation and no translation, if the failure stays.
pub(crate) fn shrink(check: &Check, setup: &Setup) -> Setup {
    let mut small = setup.clone();
    let fails = |setup: &Setup| asked(check, setup).is_err();
    loop {
        let mut is_smaller = false;
        for of_b in [false, true] {
            let mut index = 0;
            while index < small.soup(of_b).len() && small.soup(of_b).len() > 1 {
                let mut fewer = small.clone();
                fewer.soup_mut(of_b).triangles.remove(index);
                if fails(&fewer) {
                    small = fewer;
                    is_smaller = true;
                } else {
                    index += 1;
                }
            }
        }
        for simpler in small.simpler() {
            if fails(&simpler) {
                small = simpler;
                is_smaller = true;
                break;
            }
        }
        if !is_smaller {
            return small.without_unused_vertices();
        }
    }
}
