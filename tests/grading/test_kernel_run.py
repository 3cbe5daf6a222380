"""A graded notebook: nbval outside, the kernel behind walls, and what hostile cells achieve."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tests.grading.runs import (
    ALL_LEVELS,
    IS_ROOT,
    WALLED,
    Ground,
    outcomes,
    own_user,
    processes_of,
)


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    """A user of the test's own, and a library with one module; another one is kept back."""
    library = tmp_path / "library"
    library.mkdir()
    (library / "handed.py").write_text("VALUE = 7\n")
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    (secrets / "kept.py").write_text("ANSWER = 42\n")
    for folder in tmp_path.parents:  # pytest's are closed to every other user
        if folder.name.startswith(("pytest-", "popen-")):
            folder.chmod(0o755)
    tmp_path.chmod(0o755)
    with own_user() as uid:
        yield Ground(uid=uid, library=library)


@ALL_LEVELS
def test_values_are_compared_outside_and_nothing_else_counts(level: str, ground: Ground) -> None:
    """A check passes by its standard output; warnings, pictures and errors elsewhere do not."""
    done = ground.run(
        "import handed, os",
        ("print(handed.VALUE)", "7\n"),
        ("import sys; print('careful', file=sys.stderr); print(8)", "8\n"),
        ("from IPython.display import HTML, display; display(HTML('<b>9</b>')); print(9)", "9\n"),
        ("print(10)", "11\n"),
        ("1 / 0", ""),
        ("print(12)", "12\n"),
        level=level,
    )
    assert done.trouble == ""
    assert outcomes(done) == ["passed"] * 4 + ["differs", "raised", "passed"]
    assert (done.cells[4].seen, done.cells[5].said) == (
        "10\n",
        "ZeroDivisionError: division by zero",
    )
    assert ground.left_over() == []


OPEN_FILES = """
def open_files():
    found = set()
    for number in os.listdir('/proc/self/fd'):
        try:
            found.add(os.readlink(f'/proc/self/fd/{number}'))
        except OSError:
            pass  # the listing's own
    ours = ('socket:', 'pipe:', 'anon_inode:', '/proc/', '/dev/null', '/tmp/ipython')
    return sorted(name for name in found if not name.startswith(ours) and 'kernel.err' not in name)
"""


@WALLED
def test_the_kernel_sees_neither_notebook_nor_machine(level: str, ground: Ground) -> None:
    """No expected output, no file of pytest's, no network, no other process, no capability."""
    checkout = Path(__file__).resolve().parents[2]
    secret = ground.library.parent / "secrets" / "kept.py"
    done = ground.run(
        "import os, socket, sys",
        ("print(os.getcwd(), os.listdir())", "/submission []\n"),
        (f"{OPEN_FILES}\nprint(open_files())", "[]\n"),
        ("try:\n    socket.create_connection(('192.0.2.1', 80), 5)\n"
         "except OSError as error:\n    print(error.errno)", "101\n"),
        ("print(len([n for n in os.listdir('/proc') if n.isdigit()]) < 6)", "True\n"),
        (f"print(os.path.exists({str(checkout / 'labs')!r}), os.path.exists({str(secret)!r}), "
         f"os.path.exists({str(checkout / 'mini_letta')!r}))", "False False False\n"),
        ("try:\n    import mini_letta\nexcept ImportError as error:\n    print(error)",
         "No module named 'mini_letta'\n"),
        ("print([line.split()[1] for line in open('/proc/self/status') "
         "if line.startswith('CapEff')])", "['0000000000000000']\n"),
        "import glob",
        ("print(glob.glob('/tmp/mlk-*/trusted'), glob.glob('/tmp/mlk-*/*.ipynb'))", "[] []\n"),
        ("try:\n    open('/usr/planted', 'w')\nexcept OSError as error:\n    print(error.errno)",
         "30\n"), level=level)  # fmt: skip
    assert [(cell.id, cell.outcome, cell.seen, cell.said) for cell in done.cells
            if cell.outcome != "passed"] == []  # fmt: skip


@pytest.mark.skipif(not IS_ROOT, reason="only root can give a run a user of its own")
@ALL_LEVELS
def test_each_run_has_a_user_of_its_own(level: str, ground: Ground) -> None:
    """Limits on processes count per user, and no run can touch another one's files."""
    done = ground.run(("import os; print(os.getuid())", f"{ground.uid}\n"), level=level)
    assert outcomes(done) == ["passed"]


LONG = pytest.mark.long
DEATHS = {
    "_exit": "import os; os._exit(0)",
    "SIGKILL": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
}


@ALL_LEVELS
@pytest.mark.parametrize("death", ["_exit", "SIGKILL"])
def test_a_dead_kernel_is_noticed_without_waiting_for_the_timeout(
    level: str, death: str, ground: Ground
) -> None:
    """The cell is `crashed`, what follows is `not_run`, and the timeout is minutes away."""
    done = ground.run(("print(1)", "1\n"), DEATHS[death], ("print(2)", "2\n"), level=level)
    assert outcomes(done) == ["passed", "crashed", "not_run"]
    assert ground.left_over() == []


ENDLESS = {
    "a loop": "while True: pass",
    "a deaf loop": "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
    "a child process": "import subprocess; subprocess.run(['sleep', '1000'])",
    "a stopped kernel": "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
}
QUICK = [name for name in ENDLESS if name != "a stopped kernel"]


@pytest.mark.parametrize("cell", [*QUICK, pytest.param("a stopped kernel", marks=LONG)])
def test_a_cell_without_end_is_a_timeout_and_leaves_nothing(cell: str, ground: Ground) -> None:
    """Whether it can be interrupted or not."""
    done = ground.run(ENDLESS[cell], ("print(2)", "2\n"), timeout_s=1)
    assert outcomes(done) == ["timeout", "not_run"]
    assert ground.left_over() == []


def test_the_right_value_after_the_time_is_up_does_not_count(ground: Ground) -> None:
    """Swallowing the interrupt and printing the answer is too late."""
    late = "import time\ntry:\n    time.sleep(1000)\nexcept BaseException:\n    pass\nprint(3)"
    done = ground.run((late, "3\n"), ("print(4)", "4\n"), timeout_s=1)
    assert outcomes(done) == ["timeout", "not_run"]


def test_the_wall_clock_ends_what_keeps_nbval_busy(ground: Ground) -> None:
    """nbval's timeout is per message; our own is for the whole notebook."""
    chatty = "import time\nwhile True:\n    print('.', flush=True); time.sleep(0.05)"
    done = ground.run(chatty, ("print(2)", "2\n"), timeout_s=1000, wall_s=4)
    assert outcomes(done) == ["timeout", "not_run"]
    assert ground.left_over() == []


GREEDY = {
    "processes that hold memory": (
        "import os, time\n"
        "for _ in range(8):\n"
        "    if os.fork() == 0:\n"
        "        block = b'x' * 400_000_000\n        time.sleep(1000)\n"
        "time.sleep(1000)"
    ),
    "many files": (
        "n = 0\nwhile True:\n    n += 1\n"
        "    with open(f'f{n}', 'wb') as file:\n        file.write(b'x' * 10_000_000)"
    ),
    "shared memory": (
        "import mmap\nkept = []\nwhile True:\n"
        "    kept.append(mmap.mmap(-1, 20_000_000))\n    kept[-1].write(b'x' * 20_000_000)\n"
        "    kept[-1].madvise(mmap.MADV_DONTNEED)  # no process holds it any more"
    ),
    "many mappings": (
        "import mmap\nkept = []\nwhile True:\n"
        "    if len(kept) < 30_000:\n        kept.append(mmap.mmap(-1, 1))"
    ),
    "removed files": (
        "import os\nkept = []\nwhile True:\n"
        "    kept.append(open('f', 'wb', buffering=0))\n    os.remove('f')\n"
        "    kept[-1].write(b'x' * 20_000_000)"
    ),
    "nested folders": ("import os\nwhile True:\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)"),
}
FLOODS = {
    "without end": "while True:\n    print('x' * 200_000, flush=True)",
    "at once": "print('x' * 300_000_000)",
}


ROOT_ONLY = pytest.mark.skipif(not IS_ROOT, reason="only root sees the size of a mapped file")


@pytest.mark.parametrize(
    "cell",
    [pytest.param(each, marks=ROOT_ONLY if each == "shared memory" else ()) for each in GREEDY],
)
def test_what_uses_too_much_in_sum_is_ended(cell: str, ground: Ground) -> None:
    """rlimits count per process; the watch counts all of it."""
    done = ground.run(GREEDY[cell], ("print(2)", "2\n"))
    assert outcomes(done) == ["crashed", "not_run"]
    assert ground.left_over() == []


@pytest.mark.parametrize("flood", ["at once", pytest.param("without end", marks=LONG)])
def test_a_flood_of_output_is_no_trouble_of_ours(flood: str, ground: Ground) -> None:
    """Whether the kernel runs out of memory first or is ended by us, the run has a result."""
    done = ground.run(FLOODS[flood], ("print(1)", "2\n"), timeout_s=20)
    assert done.trouble == ""
    assert outcomes(done)[1] != "passed"
    assert ground.left_over() == []


@ALL_LEVELS
def test_what_one_process_may_not_have_is_refused_and_the_notebook_goes_on(
    level: str, ground: Ground
) -> None:
    """A large file or object is an error in that cell, and the next one runs."""
    done = ground.run(
        "open('f', 'wb').write(b'x' * 60_000_000)",
        "b'x' * 3_000_000_000",
        ("print(2)", "2\n"),
        level=level,
    )
    assert outcomes(done) == ["raised", "raised", "passed"]
    assert [cell.said.split(":")[0] for cell in done.cells[:2]] == ["OSError", "MemoryError"]


@pytest.mark.skipif(not IS_ROOT, reason="without a user per run the limit counts all of the user")
def test_a_fork_bomb_harms_no_other_run(ground: Ground) -> None:
    """Beside it, as another user, a good notebook passes; afterwards nothing is left."""
    bomb = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
    good = []
    with own_user() as uid:
        neighbour = replace(ground, uid=uid)
        beside = threading.Thread(target=lambda: good.append(neighbour.run(("print(1)", "1\n"))))
        beside.start()
        done = ground.run(bomb, ("print(2)", "2\n"), timeout_s=2)
        beside.join()
        assert outcomes(done)[0] in ("timeout", "crashed")
        assert outcomes(good[0]) == ["passed"]
        assert ground.left_over() == neighbour.left_over() == []


def test_a_thread_that_outlives_its_cell_does_not_outlive_the_run(ground: Ground) -> None:
    """The next cells run, and the end of the run is the end of the thread."""
    thread = "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()"
    done = ground.run(thread, ("print(2)", "2\n"))
    assert outcomes(done) == ["passed", "passed"]
    assert ground.left_over() == []


def test_an_orphan_in_a_session_of_its_own_does_not_outlive_the_run(ground: Ground) -> None:
    """Its namespace ends with the kernel."""
    orphan = (
        "import subprocess\nsubprocess.Popen(['setsid', 'sh', '-c', 'sleep 1000 & sleep 1000'])"
    )
    done = ground.run(orphan, ("print(2)", "2\n"))
    assert outcomes(done) == ["passed", "passed"]
    assert ground.left_over() == []


FORGERIES = {
    "junk": "socket.send_multipart([b'junk'])",
    "a wrong signature": (
        "socket.send_multipart([b'<IDS|MSG>', b'0' * 64, b'{}', b'{}', b'{}', b'{}'])"
    ),
    "a broken header": "session.send(socket, {'content': 1, 'msg_type': 'stream'}, parent=parent)",
    "the right stream with a wrong value": (
        "session.send(socket, 'stream', {'name': 'stdout', 'text': 'forged'}, parent=parent)"
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_message_makes_no_wrong_value_right(forgery: str, ground: Ground) -> None:
    """The cell holds the key of the kernel, and still knows no expected value."""
    forge = (
        "kernel = get_ipython().kernel\nsession, parent = kernel.session, kernel.get_parent()\n"
        "socket = kernel.iopub_socket\n"
        f"{FORGERIES[forgery]}\nprint(1)"
    )
    done = ground.run((forge, "2\n"), ("print(3)", "4\n"), timeout_s=10)
    assert "passed" not in outcomes(done)
    assert ground.left_over() == []


NO_OUTPUTS = {
    "a text that is a list": "'stream', {'name': 'stdout', 'text': ['2']}",
    "data that are a number": "'display_data', {'data': 2, 'metadata': {}}",
    "an error without words": "'error', {'ename': [], 'evalue': None, 'traceback': 2}",
}


@pytest.mark.parametrize("output", NO_OUTPUTS)
def test_an_output_that_is_none_is_no_trouble_of_ours(output: str, ground: Ground) -> None:
    """Else a wrong answer would never be graded, whoever tries again."""
    forge = (
        "kernel = get_ipython().kernel\n"
        f"kernel.session.send(kernel.iopub_socket, {NO_OUTPUTS[output]}, "
        "parent=kernel.get_parent())"
    )
    done = ground.run((forge, "2\n"), timeout_s=10)
    assert (done.trouble, outcomes(done)) == ("", ["crashed"])


TRICKS = {
    "print is replaced": "import builtins\nbuiltins.print = lambda *a, **k: None",
    "later sources are rewritten": (
        "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\n'])"
    ),
    "later code is dropped": (
        "import ast\nclass Drop(ast.NodeTransformer):\n"
        "    def visit_Expr(self, node):\n        return None\n"
        "get_ipython().ast_transformers.append(Drop())"
    ),
    "the kernel says it quits": "quit()",
    "modules are planted": (
        "import os\nos.mkdir('handed')\n"
        "open('handed/__init__.py', 'w').write('VALUE = 7')\n"
        "open('conftest.py', 'w').write('import os; os._exit(0)')\n"
        "open('sitecustomize.py', 'w').write('raise SystemExit')"
    ),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_in_the_kernel_makes_no_wrong_value_right(trick: str, ground: Ground) -> None:
    """The check fails, or the run ends; a wrong answer is never green."""
    done = ground.run(TRICKS[trick], ("print(1 + 1)", "3\n"), timeout_s=5)
    assert outcomes(done)[1] != "passed"


@LONG
def test_a_cell_that_makes_nbval_hang_is_a_timeout(ground: Ground) -> None:
    """Junk in the kernel's own sockets blocks nbval for good; our own clock does not."""
    junk = (
        "import os\nfor number in range(3, 300):\n"
        "    try:\n        os.write(number, b'x' * 40)\n    except OSError:\n        pass\n"
        "while True: pass"
    )
    done = ground.run(("print(1)", "1\n"), junk, ("print(2)", "2\n"), timeout_s=1)
    assert outcomes(done)[0::2] == ["passed", "not_run"]
    assert outcomes(done)[1] in ("timeout", "crashed")
    assert ground.left_over() == []


def test_a_comment_of_nbvals_in_the_master_decides_and_tags_are_ours(ground: Ground) -> None:
    """Only cells tagged by us are not compared."""
    done = ground.run("print('anything')", ("print(1)", "2\n"))
    assert outcomes(done) == ["passed", "differs"]


@pytest.mark.skipif(not IS_ROOT, reason="looks for the processes of the run's own user")
@WALLED
def test_the_death_of_nbval_leaves_no_kernel(level: str, ground: Ground) -> None:
    """Killed from outside in the middle of a cell, it takes the kernel along."""
    done = []
    thread = threading.Thread(
        target=lambda: done.append(ground.run("import time; time.sleep(900)", level=level))
    )
    thread.start()
    while not processes_of(ground.uid):
        pass
    runner = _runner_of(processes_of(ground.uid)[0])
    runner.kill()
    thread.join()
    assert done[0].trouble.startswith("nbval ended early")
    assert ground.left_over() == []


def _runner_of(process: psutil.Process) -> psutil.Process:
    return next(each for each in process.parents() if "pytest" in each.cmdline())


def test_a_long_name_of_the_temporary_folder_is_no_trouble(
    ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A socket's path has room for 107 bytes, whatever TMPDIR says."""
    folder = tmp_path / ("d" * 120)
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    assert outcomes(ground.run(("print(1)", "1\n"))) == ["passed"]


def test_a_kernel_that_cannot_start_is_trouble_of_ours(ground: Ground, tmp_path: Path) -> None:
    """And nothing is said about the cells."""
    elsewhere = replace(ground, library=tmp_path / "not there")
    done = elsewhere.run(("print(1)", "1\n"))
    assert outcomes(done)[0] in ("trouble", "not_run")
    assert "not there" in done.trouble
