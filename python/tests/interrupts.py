"""When is a long call interrupted? At an event of its own, not at a time: tests do not depend on how fast a machine is."""

import os
import queue
import signal
import threading

# Seconds after which a process that does not end is said to hang. Only what hangs takes so long.
HANGS = 1800.0


class Interrupt:
    """Ctrl-C, once a call that is given `progress` has told that at least `after` are done.

    The function told is not Python's: no exception can come out of it, so the signal is seen where the call looks for it.
    A call that tells more and more afterwards does not look; the process is ended.
    """

    def __init__(self, after):
        told = queue.SimpleQueue()
        self.progress, self.done, self._told = told.put, 0, told.get
        threading.Thread(target=self._wait, args=(after,), daemon=True).start()

    def _wait(self, after):
        self.done = self._told()
        while self.done < after:
            self.done = self._told()
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(50):
            self._told()
        os._exit(3)
