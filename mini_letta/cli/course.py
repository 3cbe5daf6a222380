"""``course`` and ``notebooks build|run``: the notebooks and chapters of this checkout."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from mini_letta.cli.options import LANGUAGES, Subparsers, add_command, add_group
from mini_letta.errors import MiniLettaError

if TYPE_CHECKING:
    from mini_letta.cli.context import Context


class NoCheckout(MiniLettaError):
    """The package is installed without the course's files."""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the commands about notebooks."""
    course = add_command(
        subparsers,
        "course",
        group=__name__,
        help="run every notebook here and say which pitfalls were reproduced",
    )
    course.add_argument(
        "action",
        nargs="?",
        choices=("run", "check", "weave"),
        default="run",
        help="run (default); check: do chapters agree with the code and with each other; "
        "weave: copy code and output into chapters and README",
    )
    course.add_argument(
        "--reviewed",
        action="store_true",
        help="with check: record that both editions of every section were compared",
    )
    group = add_group(subparsers, "notebooks", help="build and run the notebooks")
    build = add_command(
        group,
        "notebooks build",
        group=__name__,
        help="execute notebooks/src and write notebooks/en and notebooks/zh",
    )
    build.add_argument("--check", action="store_true", help="only compare, write nothing")
    run = add_command(
        group, "notebooks run", group=__name__, help="run built notebooks and compare every output"
    )
    run.add_argument("--all-languages", action="store_true", help="both editions")


def run(context: "Context", args: argparse.Namespace) -> int:
    """Carry out one command about notebooks and chapters."""
    from importlib.util import find_spec

    missing = [name for name in ("jupytext", "nbclient", "nbval") if find_spec(name) is None]
    if missing:
        raise MiniLettaError(
            f"notebooks need {', '.join(missing)}. Install them: pip install 'mini-letta[grade]'"
        )
    if args.command == "notebooks build":
        return _build(context, check=args.check)
    if args.command == "notebooks run":
        langs = LANGUAGES if args.all_languages else (context.lang,)
        return _run(context, langs, course=False)
    if args.action != "run":
        return _tend_chapters(context, args.action, reviewed=args.reviewed)
    return _run(context, (context.lang,), course=True)


def find_checkout() -> Path:
    """Return the top folder of the checkout that this package runs from."""
    root = Path(__file__).resolve().parents[2]
    if not (root / "notebooks" / "src").is_dir():
        raise NoCheckout(
            f"there are no notebooks beside {root}. "
            "They come with the repository: clone it and run `make course` there."
        )
    return root


def _build(context: "Context", *, check: bool) -> int:
    from mini_letta.course.notebooks import compile_notebook, list_notebooks

    changed: list[str] = []
    lines: list[str] = []
    for notebook in list_notebooks(find_checkout() / "notebooks", LANGUAGES):
        text = compile_notebook(notebook, env=context.env)
        old = notebook.path.read_text(encoding="utf-8") if notebook.path.is_file() else None
        if text == old:
            lines.append(f"{notebook.label}: up to date")
            continue
        changed.append(notebook.label)
        if check:
            lines.append(f"{notebook.label}: differs from its source; run `make notebooks`")
            continue
        notebook.path.parent.mkdir(parents=True, exist_ok=True)
        notebook.path.write_text(text, encoding="utf-8", newline="\n")
        lines.append(f"{notebook.label}: written")
    context.report({"changed": changed, "written": not check}, lines)
    return 1 if check and changed else 0


def _tend_chapters(context: "Context", action: str, *, reviewed: bool) -> int:
    from mini_letta.course.chapters import check_chapters, record_reviews, weave_chapters
    from mini_letta.course.readme import weave_readmes

    root = find_checkout()
    if action == "weave":
        woven = [*weave_chapters(root), *weave_readmes(root, env=context.env)]
        names = [str(path.relative_to(root)) for path in woven]
        context.report({"changed": names}, [f"{name}: written" for name in names])
        return 0
    if reviewed:
        record_reviews(root)
    problems = check_chapters(root)
    context.report({"problems": problems}, problems or ["chapters: fine"])
    return 1 if problems else 0


def _run(context: "Context", langs: tuple[str, ...], *, course: bool) -> int:
    from rich.console import Console

    from mini_letta.course import report
    from mini_letta.course.notebooks import list_notebooks
    from mini_letta.course.phrases import PHRASES
    from mini_letta.course.progress import follow_run
    from mini_letta.course.running import run_notebooks
    from mini_letta.pitfalls import TABLE

    root = find_checkout()
    phrases = PHRASES[context.lang]
    console = Console(quiet=context.json)
    events = run_notebooks(list_notebooks(root / "notebooks", langs), env=context.env)
    done = follow_run(events, console=console, phrases=phrases)
    report.print_failures(done, console=console, phrases=phrases)
    if course:
        report.print_pitfalls(done, TABLE, lang=context.lang, console=console, phrases=phrases)
        report.print_next(done, root=root, lang=context.lang, console=console, phrases=phrases)
    context.report(report.summarise_run(done), [])
    return 0 if done.ok else 1
