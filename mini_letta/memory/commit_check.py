"""What git starts at each commit: find the staged tree, judge it, and tell the agent.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).

Source: chapter 7, "The embedding trick". Introduced in v0.2.
"""

from mini_letta.memory.gate import check_index
from mini_letta.memory.staged import Place, ask_git, common_dir_of


def hook_place(environ: dict[str, str]) -> "Place":
    """Return the checkout a hook runs for: git starts it at the top of the working tree.

    git names the index in ``GIT_INDEX_FILE`` (a temporary one for ``commit -a`` and
    ``commit -- path``) and, in a linked worktree only, the git dir in ``GIT_DIR``.
    """
    git_dir = environ.get("GIT_DIR", ".git")
    place = Place(git_dir, index="", common_dir=git_dir, command=["git"], env=environ)
    try:
        place.common_dir = common_dir_of(git_dir)
    except NotADirectoryError:  # `.git` is a file here
        place.git_dir = ask_git(place, ["rev-parse", "--absolute-git-dir"]).decode().strip()
        place.common_dir = place.git_dir
    place.index = environ.get("GIT_INDEX_FILE", f"{place.git_dir}/index")
    return place


def refusal(problems: list[str], hints: list[str]) -> str:
    """Return the text of a refused commit: every problem, then advice addressed to the agent."""
    lines = ["Memory validation failed:", *(f"  {problem}" for problem in problems), ""]
    lines += hints
    lines += [
        "Nothing was committed; what you staged is still staged.",
        "The whole staged tree is checked, so a problem may be older than your change:",
        "fix that file as well, or unstage it with `git restore --staged <file>`.",
        "Limits come from .memfs.config.json, or are the defaults of mini-letta without that file.",
        "Do not raise or disable them unless the user has explicitly approved it.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Judge the staged tree and leave: 0 lets the commit through, 1 refuses it.

    A validator that fails refuses as well. The process leaves without tidying up the
    interpreter, which would cost as much as the check itself.
    """
    import posix

    environ = {
        name.decode("utf-8", "surrogateescape"): value.decode("utf-8", "surrogateescape")
        for name, value in posix.environ.items()
    }
    # `git replace` shows another object than the one that is committed
    environ["GIT_NO_REPLACE_OBJECTS"] = "1"
    approved = environ.get("MINI_LETTA_CONSTRAINTS_UPDATE") == "1"
    try:
        place = hook_place(environ)
        problems, hints = check_index(place, approved=approved, committing=True)
    except Exception as error:  # noqa: BLE001 - a guard that throws denies
        problems = [f"the validator could not run: {type(error).__name__}: {error}"]
        hints = ["`mini-letta doctor` and `mini-letta memory install-hook .` repair it."]
    if problems:
        posix.write(2, refusal(problems, hints).encode("utf-8", "backslashreplace"))
    posix._exit(1 if problems else 0)
