"""Mutants of what the simulator knows of the order of accesses: clocks, shadows, barriers, mbarriers, flags."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

S = "targets/simulator"
LAWS = f"{S}/test_order.py {S}/test_order_proxies.py {S}/test_engine.py"
EXACT = f"{S}/test_simulator_exact.py {S}/test_waits.py {S}/test_ordered.py"
CORPUS = f"{S}/test_corpus.py"
ASYNC = f"{S}/test_asynchronous.py::test_a_fault_is_found_at_its_line"
FLAGS = f"{S}/test_ordered.py {CORPUS}"


def _order(file: str, tests: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/order/{file}", tests, *edits)


MUTANTS = (
    *_order(
        "clocks.py",
        f"{LAWS} {EXACT}",
        (
            "np.where(actor < lanes, column, ",
            "np.where(actor <= lanes, column, ",
            "the first engine's column is the one behind those of the warps, either way",
        ),
        ("np.maximum(self.known[:, back, warp], own)", "own"),
        ("            self.apart[back, number] = False\n        self._tell", "        self._tell"),
        ("        self._tell_fences(active)\n", ""),
        ("np.where(active, self.now, generic[:, own_, own_])", "self.now"),
        ("self.known[:, rows] = self.known[:, rows].max(axis=2, keepdims=True)", "pass"),
        (
            "self.known[GENERIC][rows, :, : self.warps] = self.now",
            "self.known[GENERIC][rows, :, : self.warps] = self.now - 1",
        ),
        ("generic[:, : self.warps][whole] = self.now", "generic[:, : self.warps][whole] = self.now - 1"),
        ("generic[:, self.warps + self.engines :][lanes[:, self.alone]] = self.now", "pass"),
        ("np.where(hear[:, :, None], self.fitted(known)[:, :, None, :], 0)", "self.fitted(known)[:, :, None, :]"),
        ("np.where(fenced[:, :, None], np.maximum(before, now), before)", "np.maximum(before, now)"),
        ("np.where(fenced, self.now, self.fenced[plane][rows])", "self.now"),
        ("            self.known[:, leaves, row] = self.known[:, leaves, warp]\n", ""),
        ("found[:, row] = single[:, thread] | whole[:, warp]", "found[:, row] = single[:, thread]"),
        ("                self.floor = int(done[late].min(initial=self.floor))\n", "                pass\n"),
        (
            "time <= self.clocks.times(row, inside, number, GENERIC)",
            "time < self.clocks.times(row, inside, number, GENERIC)",
        ),
    ),
    *_order(
        "shadow.py",
        f"{LAWS} {EXACT}",
        ("written[rows] = -np.abs(written[rows])", "written[rows] = 0"),
        ("self.written.take(at) <= 0", "self.written.take(at) < 0"),
        (
            "races = either(self._writes(at, lanes, settled), self._atomics(at, lanes, settled))",
            "races = self._writes(at, lanes, settled)",
        ),
        ("        if self.readers is not None:\n            self.readers.join(at, lanes, settled)\n", ""),
        ("        self.atomics.join(at, lanes, settled)\n", ""),
    ),
    *_order(
        "beyond.py",
        FLAGS,
        ("not (own or narrow)", "not own"),
    ),
    *_order(
        "mbarriers.py",
        f"{S}/test_engine.py {ASYNC} {S}/test_asynchronous.py::test_no_alarm_and_the_right_result",
        (" & (self.bytes[rows, word] == 0)]", "]"),
    ),
)
