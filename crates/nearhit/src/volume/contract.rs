pub(crate) fn holds_for<V: super::Support>() {}
