//! Intervals: certified bounds, as data. An upper end that is infinite, which means that nothing is
//! known, is null.

#[cfg(feature = "serde")]
use crate::query::Interval;
#[cfg(feature = "serde")]
use serde::ser::{Serialize, SerializeStruct, Serializer};

#[cfg(feature = "serde")]
impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Interval", 2)?;
        fields.serialize_field("lower", &self.lower)?;
        fields.serialize_field("upper", &Some(self.upper).filter(|upper| upper.is_finite()))?;
        fields.end()
    }
}

/// Do two surfaces touch, as far as an interval of their distance tells?
pub(super) fn touching(lower: f64, upper: f64) -> Option<bool> {
    if upper <= 0.0 { Some(true) } else { (lower > 0.0).then_some(false) }
}
