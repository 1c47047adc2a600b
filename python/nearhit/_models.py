"""Models of meshes as users have them."""

from __future__ import annotations

from typing import Any

from ._native import Model

_KEY = "nearhit_model"


def model_of(mesh: Any) -> Model:
    """The model of a mesh: of anything that `Model` takes. A ``trimesh.Trimesh`` keeps it, as long as
    the mesh is what it was; others should be made models once by who has them."""
    if isinstance(mesh, Model):
        return mesh
    cache: Any = getattr(mesh, "_cache", None)
    if not (hasattr(cache, "verify") and isinstance(getattr(cache, "cache", None), dict)):
        return Model(mesh)
    # Forgets all that was known of the mesh if it has changed.
    cache.verify()
    model = cache.cache.get(_KEY)
    if not isinstance(model, Model):
        model = Model(mesh)
        cache.cache[_KEY] = model
    return model
