"""Poses as users have them, as arrays that the native module reads where they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def matrices(pose: Any, poses: Any, body: str) -> NDArray[np.float64]:
    """One matrix, or many if ``poses`` are given. Arrays of doubles are not copied, whatever their memory order."""
    if poses is None:
        return _matrices(pose, body, batch=False)
    if pose is not None:
        raise TypeError(f"give pose_{body} or poses_{body}, not both")
    return _matrices(poses, body, batch=True)


def _matrices(given: Any, body: str, *, batch: bool) -> NDArray[np.float64]:
    name, shape = (f"poses_{body}", "(k, 4, 4)") if batch else (f"pose_{body}", "(4, 4)")
    if isinstance(given, tuple) and len(given) == 2:
        given = _joined(*given)
    array = np.asarray(given, dtype=np.float64)
    if array.ndim != (3 if batch else 2) or array.shape[-2:] != (4, 4):
        raise ValueError(f"{name} must have the shape {shape} or be a rotation and a translation, not {array.shape}")
    return array


def _joined(rotation: Any, translation: Any) -> NDArray[np.float64]:
    rotation, translation = np.asarray(rotation, dtype=np.float64), np.asarray(translation, dtype=np.float64)
    if rotation.shape[-2:] != (3, 3) or translation.shape[-1:] != (3,) or rotation.shape[:-2] != translation.shape[:-1]:
        shapes = f"{rotation.shape} and {translation.shape}"
        raise ValueError(f"a rotation and a translation must have the shapes (..., 3, 3) and (..., 3), not {shapes}")
    joined = np.zeros((*rotation.shape[:-2], 4, 4))
    joined[..., :3, :3], joined[..., :3, 3], joined[..., 3, 3] = rotation, translation, 1.0
    return joined
