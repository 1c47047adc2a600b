"""Batches of poses over a Ray cluster (``pip install ray``): the same calls, the same answers.

.. code-block:: python

    import nearhit.ray

    cluster = nearhit.ray.connect()                  # or connect("auto"), connect("ray://head:10001")
    found = cluster.distance(a, b, poses_b=poses)    # == nearhit.distance(a, b, poses_b=poses)

Models go into the object store once. Pieces whose worker or node is lost are done again elsewhere:
nothing is lost, and nothing is there twice. Ctrl-C cancels what runs.
"""

from __future__ import annotations

from typing import Any

from .spread import Lost, Piece, Spread, answer

__all__ = ["Cluster", "connect"]


def _ray() -> Any:
    try:
        import ray  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ImportError("nearhit.ray runs on Ray, which is not installed: pip install ray") from error
    return ray


def connect(address: str | None = None, *, threads: int = 1, seconds: float = 0.5, **options: Any) -> Cluster:
    """A cluster to ask: the one that this process is connected to, otherwise ``ray.init(address,
    **options)``, which starts one on this machine if there is no address.

    ``threads`` are reserved, and used, for each piece; ``seconds`` is how long a piece is to take.
    """
    ray = _ray()
    if not ray.is_initialized():
        ray.init(address, **options)
    return Cluster(threads=threads, seconds=seconds)


class Cluster(Spread):
    """A Ray cluster that answers as `Spread` does."""

    def __init__(self, *, threads: int = 1, seconds: float = 0.5) -> None:
        self._backend = _OnRay(_ray(), threads)
        self._threads, self._seconds = threads, seconds


class _OnRay:
    """Pieces as Ray's tasks."""

    def __init__(self, ray: Any, threads: int) -> None:
        self._ray, self._threads = ray, threads
        # Ray itself gives a piece to another worker when one is lost.
        self._answer = ray.remote(num_cpus=threads, max_retries=5)(answer)
        self._bodies: dict[str, Any] = {}

    def share(self, digest: str, bodies: bytes) -> None:
        if digest not in self._bodies:
            self._bodies = {digest: self._ray.put(bodies)}

    def submit(self, piece: Piece) -> Any:
        return self._answer.remote(piece, self._bodies[piece.digest])

    def ready(self, handles: list[Any]) -> list[Any]:
        done, _ = self._ray.wait(handles, num_returns=1)
        return list(done)

    def result(self, handle: Any) -> tuple[float, Any]:
        errors = self._ray.exceptions
        try:
            return self._ray.get(handle)  # type: ignore[no-any-return]
        except (errors.WorkerCrashedError, errors.ObjectLostError, errors.NodeDiedError) as error:
            raise Lost from error
        except errors.RayTaskError as error:
            # As the query raised it.
            raise (error.cause if isinstance(error.cause, BaseException) else error) from None

    def cancel(self, handles: list[Any]) -> None:
        for handle in handles:
            self._ray.cancel(handle)

    def slots(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)) // self._threads)
