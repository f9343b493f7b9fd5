"""Signals, forks, the end of the interpreter, and several copies of the package in a process."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import sysconfig
import textwrap
import time

import pytest

import omniread

# A guard against hangs: processes under load start slowly.
GUARD = 60.0
UNIX = pytest.mark.skipif(os.name != "posix", reason="the system has no such signals and processes")


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    """A process that runs a program. Its standard input is a pipe that stays open."""
    # A shell starts programs in the background with SIGINT ignored.
    handled = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    command = [sys.executable, "-W", "error", "-c", handled + textwrap.dedent(program), *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def run(program: str, *arguments: object) -> str:
    """The output of a program, which ends without an error."""
    with start(program, *arguments) as process:
        out, error = process.communicate(timeout=GUARD)
    assert (process.returncode, error) == (0, ""), error
    return out


# A read of standard input waits until its writer closes it.
WAITING = """
    import sys, threading, time
    import omniread
    session = omniread.Reader(sys.argv[1]).session()
    session.read("notes.txt")
    def wait():
        return session.read("-", stdin=True)
"""


def interrupted(program: str, files: pathlib.Path, number: int) -> tuple[int, str, str, float]:
    """How a program ends to which a signal is sent after it has printed a line."""
    with start(program, files) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == "reading\n"
        time.sleep(0.3)
        began = time.monotonic()
        process.send_signal(number)
        process.wait(GUARD)
        took = time.monotonic() - began
        return process.returncode, process.stdout.read(), process.stderr.read(), took


@UNIX
def test_interrupt_ends_a_read_that_waits(files: pathlib.Path) -> None:
    program = textwrap.dedent(WAITING) + textwrap.dedent(
        """
        print("reading", flush=True)
        try:
            wait()
        except KeyboardInterrupt:
            print("interrupted", session.read("notes.txt").kind)
        """
    )
    code, out, error, took = interrupted(program, files, signal.SIGINT)
    assert (code, out, error) == (0, "interrupted text\n", "")
    assert took < 5


@UNIX
def test_interrupt_ends_a_read_that_computes(files: pathlib.Path) -> None:
    program = """
        import sys, omniread
        session = omniread.Reader(sys.argv[1], timeout=None).session()
        session.read("notes.txt")
        print("reading", flush=True)
        query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000000) SELECT max(i % 7) FROM n"
        try:
            session.read("data.sqlite?q=" + query)
        except KeyboardInterrupt:
            print("interrupted")
    """
    code, out, error, took = interrupted(program, files, signal.SIGINT)
    assert (code, out, error) == (0, "interrupted\n", "")
    assert took < 5


@UNIX
def test_interrupt_ends_a_read_of_a_coroutine(files: pathlib.Path) -> None:
    program = textwrap.dedent(WAITING) + textwrap.dedent(
        """
        import asyncio
        async def main():
            print("reading", flush=True)
            await session.aread("-", stdin=True)
        try:
            asyncio.run(main())
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    code, out, error, took = interrupted(program, files, signal.SIGINT)
    assert (code, out, error) == (0, "interrupted\n", "")
    assert took < 5


@UNIX
def test_handlers_of_signals_run_during_a_read(files: pathlib.Path) -> None:
    program = textwrap.dedent(WAITING) + textwrap.dedent(
        """
        class Stop(Exception): pass
        seen = []
        def handle(number, frame):
            seen.append(number)
            if len(seen) == 2:
                raise Stop
            signal.setitimer(signal.ITIMER_REAL, 0.2)
        signal.signal(signal.SIGALRM, handle)
        print("reading", flush=True)
        try:
            wait()
        except Stop:
            print("stopped after", len(seen))
        """
    )
    code, out, error, _ = interrupted(program, files, signal.SIGALRM)
    assert (code, out, error) == (0, "stopped after 2\n", "")


@UNIX
def test_interrupt_of_the_main_thread_ends_a_program_with_reading_threads(files: pathlib.Path) -> None:
    program = textwrap.dedent(WAITING) + textwrap.dedent(
        """
        threading.Thread(target=wait, daemon=True).start()
        print("reading", flush=True)
        time.sleep(60)
        """
    )
    code, _, error, took = interrupted(program, files, signal.SIGINT)
    # Python 3.13 exits with 1 if another thread prints its error meanwhile.
    assert code in (-signal.SIGINT, 1), error
    assert "Fatal" not in error and "panicked" not in error
    assert "\nKeyboardInterrupt\n" in error
    assert took < 10


@pytest.mark.parametrize("threads", [1, 20])
def test_interpreter_ends_during_reads_of_other_threads(files: pathlib.Path, threads: int) -> None:
    program = textwrap.dedent(WAITING) + textwrap.dedent(
        """
        def again():
            while True:
                try:
                    session.read("notes.txt")
                except RuntimeError:
                    return
        for number in range(int(sys.argv[2])):
            threading.Thread(target=again if number % 2 else wait, daemon=True).start()
        time.sleep(0.3)
        print("end")
        """
    )
    began = time.monotonic()
    with start(program, files, threads) as process:
        assert process.stdout is not None and process.stderr is not None
        # The pipe of standard input stays open, so that only the end of the interpreter ends the read.
        process.wait(GUARD)
        out, error = process.stdout.read(), process.stderr.read()
    assert (process.returncode, out) == (0, "end\n"), error
    # The threads may report that their read was cancelled, but nothing crashes.
    assert "Fatal" not in error and "panicked" not in error
    assert time.monotonic() - began < 30


def test_read_after_the_end_began_is_refused(files: pathlib.Path) -> None:
    program = """
        import atexit, sys

        def late():
            try:
                session.read("notes.txt")
            except RuntimeError as error:
                print(error)

        # Called after the function that omniread registers.
        atexit.register(late)
        import omniread
        session = omniread.Reader(sys.argv[1]).session()
        session.read("notes.txt")
    """
    assert run(program, files) == "cannot read: the interpreter is ending\n"


@UNIX
def test_child_of_fork_is_refused(files: pathlib.Path, tmp_path: pathlib.Path) -> None:
    program = """
        import os, sys, omniread
        # A runtime with threads for the network, and a database for the session.
        reader = omniread.Reader(sys.argv[1], allow_net="127.0.0.1:1")
        session = reader.session(sys.argv[2])
        session.read("notes.txt")
        try:
            session.read("http://127.0.0.1:1/")
        except ConnectionError:
            pass
        child = os.fork()
        if child == 0:
            uses = [
                lambda: session.read("notes.txt"),
                lambda: session.stale("notes.txt"),
                lambda: reader.session(),
                lambda: reader.tools("mcp"),
                lambda: omniread.Reader(sys.argv[1]),
                lambda: omniread.read("notes.txt"),
            ]
            for use in uses:
                try:
                    use()
                except omniread.ForkError as error:
                    assert "spawn" in str(error), error
                else:
                    sys.exit("not refused")
            session.close()
            reader.close()
            del session, reader
            sys.exit(0)
        _, status = os.waitpid(child, 0)
        session.read("notes.txt")
        print(os.waitstatus_to_exitcode(status), session.stale("notes.txt"))
    """
    if sys.version_info >= (3, 12):
        # Python itself warns of a fork with threads.
        program = "import warnings; warnings.simplefilter('ignore')\n" + textwrap.dedent(program)
    assert run(program, files, tmp_path / "state") == "0 same\n"


@UNIX
def test_fork_before_the_first_reader_is_fine(files: pathlib.Path) -> None:
    program = """
        import os, sys, omniread
        child = os.fork()
        if child == 0:
            print(omniread.Reader(sys.argv[1]).session().read("notes.txt").kind, flush=True)
            sys.exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert run(program, files) == "text\n0\n"


def test_spawned_processes_read(files: pathlib.Path, tmp_path: pathlib.Path) -> None:
    script = tmp_path / "spawned.py"
    script.write_text(
        textwrap.dedent(
            """
            import multiprocessing, os, sys, omniread

            def kind(path):
                os.chdir(sys.argv[1])
                return omniread.read(path).kind

            def fails(path):
                os.chdir(sys.argv[1])
                return omniread.read(path).kind

            if __name__ == "__main__":
                omniread.Reader(sys.argv[1]).session().read("notes.txt")
                with multiprocessing.get_context("spawn").Pool(2) as pool:
                    print(pool.map(kind, ["notes.txt", "red.png"]))
                    try:
                        pool.apply(fails, ("missing",))
                    except FileNotFoundError as error:
                        print(error.reason)
            """
        )
    )
    command = [sys.executable, script, files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD, check=True)
    assert done.stdout == "['text', 'image']\nnot_found\n"


def test_two_copies_of_the_package_do_not_disturb_each_other(files: pathlib.Path, tmp_path: pathlib.Path) -> None:
    package = pathlib.Path(omniread.__file__).parent
    shutil.copytree(package, tmp_path / "vendored_omniread")
    program = """
        import sys, threading
        sys.path.insert(0, sys.argv[2])
        import omniread
        import vendored_omniread

        assert omniread.ReadError is not vendored_omniread.ReadError
        errors = []

        def read(package):
            with package.Reader(sys.argv[1]) as reader, reader.session() as session:
                for _ in range(50):
                    assert session.read("notes.txt").kind == "text"
                    assert session.read("red.png").images[0].width == 8
                    assert "Ada" in session.read("data.sqlite:users").text
                    try:
                        session.read("missing")
                    except package.ReadError as error:
                        assert type(error).__module__.split(".")[0] == package.__name__
            errors.append(None)

        threads = [threading.Thread(target=read, args=(package,)) for package in (omniread, vendored_omniread) * 2]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        print(len(errors))
    """
    assert run(program, files, tmp_path) == "4\n"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the interpreter has no module for subinterpreters")
def test_subinterpreter_is_refused() -> None:
    module = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"there is no {module}")
    program = f"""
        import {module} as interpreters
        inner = interpreters.create()
        text = '''
        try:
            import omniread
        except ImportError as error:
            print(error)
        '''
        import textwrap
        interpreters.run_string(inner, textwrap.dedent(text))
    """
    assert "omniread cannot be used in a subinterpreter" in run(program)


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="the interpreter has its lock")
def test_free_threaded_interpreter_stays_without_its_lock() -> None:
    assert not sys._is_gil_enabled()  # type: ignore[attr-defined,unused-ignore]


def test_package_without_its_module_names_the_fix(tmp_path: pathlib.Path) -> None:
    package = pathlib.Path(omniread.__file__).parent
    shutil.copytree(package, tmp_path / "omniread", ignore=shutil.ignore_patterns("*.so", "*.pyd", "*.dylib"))
    program = """
        import sys
        sys.path.insert(0, sys.argv[1])
        try:
            import omniread
        except ImportError as error:
            print(error)
    """
    out = run(program, tmp_path)
    assert str(tmp_path) in out and "install a wheel for this platform" in out


def test_import_is_quick_and_starts_no_thread(files: pathlib.Path) -> None:
    program = """
        import sys, os
        import omniread
        if os.path.isdir("/proc/self/task"):
            assert len(os.listdir("/proc/self/task")) == 1
        assert "omniread._native" in sys.modules and "asyncio" not in sys.modules
        assert not {"ray", "pyarrow"} & set(sys.modules)
        print(omniread.__version__)
    """
    assert run(program, files) == f"{omniread.__version__}\n"
