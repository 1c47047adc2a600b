"""Batches of poses over processes, or whatever a ``concurrent.futures.Executor`` runs on: the same
calls, and the same answers to the last bit.

>>> from concurrent.futures import ThreadPoolExecutor
>>> import numpy as np
>>> import nearhit as nh
>>> from nearhit.spread import Spread
>>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
>>> poses = np.tile(np.eye(4), (1000, 1, 1))
>>> poses[:, 2, 3] = np.linspace(0, 2, 1000)
>>> with ThreadPoolExecutor(2) as executor:
...     spread = Spread(executor).distance(a, a, poses_b=poses)
>>> spread == nh.distance(a, a, poses_b=poses)
True

Models go to each worker once. Work is cut into pieces by what the first of them cost. For a cluster
see `nearhit.ray`.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures import BrokenExecutor as _Broken
from dataclasses import dataclass, fields
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _pairs, _shapes, _solids, _surfaces
from ._native import Model, Shape
from ._poses import matrices
from ._query import Poses, Progress

__all__ = ["Spread", "WorkersLost"]

QUERIES: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        _surfaces.collide,
        _surfaces.within,
        _surfaces.distance,
        _pairs.contacts,
        _pairs.nearest_pairs,
        _pairs.pairs_within,
        _shapes.penetration,
        _solids.depth,
        _solids.local_depth,
        _solids.regions,
    )
}
"""What can be asked."""

STEP = 16
"""Pieces have a multiple of so many poses: what one query of a warm batch leaves for the next never
crosses these borders, so that it does not matter who does the next piece."""
FIRST = 64
"""Poses of the first pieces, from which costs are measured."""
MOST_LOSSES = 5
"""Times in a row that workers may be lost before anything is done."""


class WorkersLost(RuntimeError):
    """Workers ended again and again without an answer. The message says at which poses."""


# In a worker -------------------------------------------------------------------------------------

_known: OrderedDict[str, tuple[Any, Any]] = OrderedDict()
"""Bodies of the last questions, by what they are."""
MOST_KNOWN = 8


@dataclass(frozen=True)
class Piece:
    """Some of the poses of a batch."""

    query: str
    digest: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]


def answer(piece: Piece, bodies: Any | None) -> tuple[float, Any] | None:
    """How many seconds it took, and the answer; None if the bodies are not known here and not given."""
    if piece.digest not in _known:
        if bodies is None:
            return None
        _known[piece.digest] = pickle.loads(bodies)
        while len(_known) > MOST_KNOWN:
            _known.popitem(last=False)
    _known.move_to_end(piece.digest)
    a, b = _known[piece.digest]
    began = time.perf_counter()
    found = QUERIES[piece.query](a, b, *piece.arguments, **piece.options)
    return time.perf_counter() - began, found


# Where pieces go ---------------------------------------------------------------------------------


class Lost(Exception):
    """A worker ended without an answer: the piece is to be given out again."""


class Backend(Protocol):
    """What runs pieces."""

    def share(self, digest: str, bodies: bytes) -> None:
        """Makes bodies known."""
    def submit(self, piece: Piece) -> Any:
        """A handle."""
    def ready(self, handles: list[Any]) -> list[Any]:
        """Waits until some are done: those."""
    def result(self, handle: Any) -> tuple[float, Any]:
        """Raises `Lost` if a worker is gone."""
    def cancel(self, handles: list[Any]) -> None:
        """They are not wanted any more."""
    def slots(self) -> int:
        """How many pieces run at once."""


class _OnExecutor:
    """An executor, or what makes one: then one whose workers are gone is replaced."""

    def __init__(self, executor: Executor | Callable[[], Executor]) -> None:
        self._make = None if isinstance(executor, Executor) else executor
        self._executor = executor if isinstance(executor, Executor) else executor()
        self._bodies: dict[str, bytes] = {}
        self._pieces: dict[Future[Any], tuple[Piece, Executor]] = {}
        self._told = 0

    def share(self, digest: str, bodies: bytes) -> None:
        self._bodies = {digest: bodies}
        self._told = 0

    def submit(self, piece: Piece) -> Future[Any]:
        # The first pieces bring the bodies along, as many as there are workers; who has missed them
        # asks.
        self._told += 1
        bodies = self._bodies[piece.digest] if self._told <= self.slots() else None
        return self._submit(piece, bodies)

    def _submit(self, piece: Piece, bodies: bytes | None) -> Future[Any]:
        try:
            handle = self._executor.submit(answer, piece, bodies)
        except _Broken as error:
            self._replace(error)
            handle = self._executor.submit(answer, piece, self._bodies[piece.digest])
        self._pieces[handle] = piece, self._executor
        return handle

    def ready(self, handles: list[Future[Any]]) -> list[Future[Any]]:
        return list(wait(handles, return_when=FIRST_COMPLETED).done)

    def result(self, handle: Future[Any]) -> tuple[float, Any]:
        piece, executor = self._pieces.pop(handle)
        try:
            found = handle.result()
            while found is None:
                again = executor.submit(answer, piece, self._bodies[piece.digest])
                found = again.result()
        except _Broken as error:
            if executor is self._executor:
                self._replace(error)
            raise Lost from error
        return found  # type: ignore[no-any-return]

    def _replace(self, why: _Broken) -> None:
        if self._make is None:
            known = "the executor is broken: its workers ended. Give Spread a function that makes one"
            raise WorkersLost(known) from why
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor, self._told = self._make(), 0

    def cancel(self, handles: list[Future[Any]]) -> None:
        for handle in handles:
            handle.cancel()
            self._pieces.pop(handle, None)

    def slots(self) -> int:
        return int(getattr(self._executor, "_max_workers", 4))

    def shutdown(self) -> None:
        if self._make is not None:
            self._executor.shutdown(cancel_futures=True)


# A batch -----------------------------------------------------------------------------------------

_T = TypeVar("_T")


def joined(parts: list[_T]) -> _T:
    """The answers of pieces as one: arrays one after the other, starts counted on."""
    first = parts[0]
    if len(parts) == 1:
        return first
    columns: list[Any] = []
    for field in fields(first):  # type: ignore[arg-type]
        arrays = [getattr(part, field.name) for part in parts]
        if arrays[0] is None:
            columns.append(None)
        elif field.name.endswith("starts"):
            columns.append(_counted_on(arrays))
        else:
            columns.append(np.concatenate(arrays))
    return type(first)(*columns)


def _counted_on(arrays: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    ends = np.cumsum([0] + [int(array[-1]) for array in arrays[:-1]])
    return np.concatenate([arrays[0][:1], *(array[1:] + end for array, end in zip(arrays, ends))])


class Spread:
    """Asks batches of poses on an executor. A context manager.

    ``executor`` is one, or a function that makes one (``lambda: ProcessPoolExecutor(8)``): then
    workers that end are replaced, and what they were doing is done again. ``threads`` is how many
    each piece is done on; ``seconds`` is how long a piece is to take.
    """

    def __init__(
        self, executor: Executor | Callable[[], Executor], *, threads: int = 1, seconds: float = 0.25
    ) -> None:
        self._backend: Backend = _OnExecutor(executor)
        self._threads, self._seconds = threads, seconds

    def __enter__(self) -> Spread:
        return self

    def __exit__(self, *_: object) -> None:
        shutdown = getattr(self._backend, "shutdown", None)
        if shutdown is not None:
            shutdown()

    def collide(self, a: Model | Shape, b: Model | Shape, **options: Any) -> _surfaces.Collisions:
        """`nearhit.collide` with ``poses_a`` or ``poses_b``."""
        return self.ask("collide", a, b, **options)  # type: ignore[no-any-return]

    def within(self, a: Model | Shape, b: Model | Shape, limit: float, **options: Any) -> _surfaces.Withins:
        """`nearhit.within` with ``poses_a`` or ``poses_b``."""
        return self.ask("within", a, b, limit, **options)  # type: ignore[no-any-return]

    def distance(self, a: Model | Shape, b: Model | Shape, **options: Any) -> _surfaces.Distances:
        """`nearhit.distance` with ``poses_a`` or ``poses_b``."""
        return self.ask("distance", a, b, **options)  # type: ignore[no-any-return]

    def contacts(self, a: Model | Shape, b: Model | Shape, **options: Any) -> _pairs.Contacts:
        """`nearhit.contacts` with ``poses_a`` or ``poses_b``."""
        return self.ask("contacts", a, b, **options)  # type: ignore[no-any-return]

    def depth(self, a: Model, b: Model, **options: Any) -> _solids.Depths:
        """`nearhit.depth` with ``poses_a`` or ``poses_b``."""
        return self.ask("depth", a, b, **options)  # type: ignore[no-any-return]

    def penetration(self, a: Shape, b: Shape, **options: Any) -> _shapes.Penetrations:
        """`nearhit.penetration` with ``poses_a`` or ``poses_b``."""
        return self.ask("penetration", a, b, **options)  # type: ignore[no-any-return]

    def ask(self, query: str, a: Model | Shape, b: Model | Shape, *arguments: Any, **options: Any) -> Any:
        """A query by its name, all of its answers at once."""
        parts = list(self.stream(query, a, b, *arguments, **options))
        return joined(parts)

    def stream(
        self,
        query: str,
        a: Model | Shape,
        b: Model | Shape,
        *arguments: Any,
        poses_a: Poses | None = None,
        poses_b: Poses | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> Iterator[Any]:
        """The same, piece by piece in the order of the poses, as soon as each is there. Who takes
        them slowly holds up the work: no more pieces are kept than run at once, and as many again."""
        if query not in QUERIES:
            raise ValueError(f"'{query}' is not asked in pieces; known: {', '.join(sorted(QUERIES))}")
        many = {
            name: matrices(None, given, name[-1])
            for name, given in (("poses_a", poses_a), ("poses_b", poses_b))
            if given is not None
        }
        counts = {len(poses) for poses in many.values()}
        if len(counts) != 1:
            raise ValueError("give poses_a or poses_b, or as many of both")
        bodies = pickle.dumps((a, b), protocol=5)
        digest = hashlib.sha256(bodies).hexdigest()
        self._backend.share(digest, bodies)
        options.setdefault("threads", self._threads)
        batch = _Batch(self._backend, query, digest, arguments, options, many, counts.pop(), self._seconds, progress)
        return batch.run()


class _Batch:
    """One batch on its way."""

    def __init__(
        self,
        backend: Backend,
        query: str,
        digest: str,
        arguments: tuple[Any, ...],
        options: dict[str, Any],
        poses: dict[str, NDArray[np.float64]],
        count: int,
        seconds: float,
        progress: Progress | None,
    ) -> None:
        self.backend, self.query, self.digest, self.arguments, self.options = backend, query, digest, arguments, options
        self.poses, self.count, self.seconds, self.progress = poses, count, seconds, progress
        self.next, self.size, self.done, self.losses = 0, FIRST, 0, 0
        self.running: dict[Any, tuple[int, int]] = {}
        self.found: dict[int, Any] = {}
        self.ends: dict[int, int] = {}

    def run(self) -> Iterator[Any]:
        """In order; whatever ends it, nothing goes on."""
        at = 0
        try:
            while at < self.count or self.count == 0:
                self._fill(at)
                if at in self.found:
                    part = self.found.pop(at)
                    at = self.ends.pop(at)
                    yield part
                    if self.count == 0:
                        return
                    continue
                self._collect()
        finally:
            self.backend.cancel(list(self.running))

    def _fill(self, at: int) -> None:
        """As many pieces as run at once, and as many again to wait."""
        room = 2 * self.backend.slots()
        while len(self.running) + len(self.found) < room and (self.next < self.count or (self.count == 0 and not self.ends)):
            end = min(self.count, self.next + self.size)
            self._submit(self.next, end)
            self.ends[self.next] = end
            self.next = end

    def _submit(self, start: int, end: int) -> None:
        poses = {name: array[start:end] for name, array in self.poses.items()}
        piece = Piece(self.query, self.digest, self.arguments, {**self.options, **poses})
        self.running[self.backend.submit(piece)] = start, end

    def _collect(self) -> None:
        for handle in self.backend.ready(list(self.running)):
            start, end = self.running.pop(handle)
            try:
                seconds, self.found[start] = self.backend.result(handle)
            except Lost as error:
                self.losses += 1
                if self.losses > MOST_LOSSES * max(1, self.backend.slots()):
                    raise WorkersLost(f"workers ended again and again, the last at poses {start} to {end - 1}") from error
                self._submit(start, end)
                continue
            self.losses = 0
            self.done += end - start
            self._measure(seconds, end - start)
            if self.progress is not None:
                self.progress(self.done, self.count)

    def _measure(self, seconds: float, count: int) -> None:
        """So many poses that a piece takes about as long as it is to; some pieces for each worker at
        least."""
        if count == 0 or seconds <= 0.0:
            return
        wanted = self.seconds / (seconds / count)
        fair = self.count / (4 * max(1, self.backend.slots()))
        self.size = max(STEP, STEP * int(min(wanted, 8.0 * self.size, fair) // STEP))
