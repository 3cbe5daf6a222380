"""Properties over generated inputs: globs, code points, frontmatter, one verdict everywhere."""

import inspect
import itertools
import os
import re
import shutil
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mini_letta.memory import frontmatter, glob, policy
from mini_letta.memory.audit import audit_committed
from mini_letta.memory.frontmatter import check_frontmatter, read_frontmatter
from mini_letta.memory.glob import matches_glob
from mini_letta.memory.hooks import EMBEDDED
from mini_letta.memory.repo import check_staged
from mini_letta.memory.staged import parse_index
from tests.memory.kit import READ_ONLY, Memory, copy_of
from tests.memory.kit import policy as policy_text

LETTERS = st.sampled_from("ab.*?[]{}!-\n 记😀é\u2028")
SEGMENT = st.text(LETTERS, min_size=1, max_size=4)
PATH = st.lists(SEGMENT, min_size=1, max_size=4).map("/".join)
PATTERN = st.lists(
    st.one_of(SEGMENT.filter(lambda s: "**" not in s), st.just("**"), st.just("*")),
    min_size=1,
    max_size=5,
).map("/".join)


def translate(pattern: str) -> str:
    """Return the regular expression of a glob: the independent reference."""
    segments = pattern.split("/")
    expression = ""
    for number, segment in enumerate(segments, 1):
        is_last = number == len(segments)
        if segment == "**":
            expression += ".+" if is_last else "(?:[^/]+/)*"
            continue
        for character in segment:
            expression += {"*": "[^/]*", "?": "[^/]"}.get(character, re.escape(character))
        expression += "" if is_last else "/"
    return expression


@settings(max_examples=600)
@given(PATTERN, PATH)
@example("a/**", "a")
@example("**", "a\nb")
@example("**/a", "a")
@example("a/**/**/b", "a/b")
@example("?.md", "😀.md")
@example("[a].md", "a.md")
def test_a_glob_matches_what_its_regular_expression_matches(pattern: str, path: str) -> None:
    """Stars, question marks and everything literal agree with a translation to ``re``."""
    expected = re.fullmatch(translate(pattern), path, re.DOTALL) is not None
    assert matches_glob(pattern, path) is expected


@settings(max_examples=200)
@given(PATH, st.data())
def test_a_path_matches_the_globs_made_from_it(path: str, data: st.DataObject) -> None:
    """Whatever is replaced by a wildcard that covers it, the path still matches."""
    segments = []
    for segment in path.split("/"):
        how = data.draw(st.sampled_from(["same", "?", "*", "**"]))
        start = data.draw(st.integers(0, len(segment) - 1))
        if how == "**":
            segments += ["**"]
        elif how == "*":
            segments += [segment[:start].replace("*", "?") + "*"]
        else:
            segments += ["?" * len(segment) if how == "?" else segment.replace("*", "?")]
    assert matches_glob("/".join(segments), path)


def test_a_hostile_glob_is_answered_at_once() -> None:
    """Many stars do not multiply: the answer comes without exploring every split."""
    assert not matches_glob("*a" * 60 + "b", "a" * 2000)
    assert not matches_glob("**/a/" * 30 + "b", "a/" * 200 + "c")


CHARACTERS = st.one_of(
    st.characters(exclude_categories=["Cs"]),
    st.sampled_from(
        ["\ufeff", "👨‍👩‍👧", "🇨🇳", "e\u0301", "\U0010ffff", "\r\n", "\0", "\u2028", "记"]
    ),
)
TEXT = st.lists(CHARACTERS, max_size=30).map("".join)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXT)
@example("👨‍👩‍👧")
@example("\ufeff---\n")
@example("")
def test_size_is_counted_in_code_points(template: Memory, tmp_path: Path, text: str) -> None:
    """An emoji family is five, an accent one, a BOM one: never bytes, never UTF-16 units."""
    limit = len(text)
    for allowed in {limit, max(limit - 1, 0)} - {0}:
        rule = {"pattern": "a/MEMORY.md", "maxCharacters": allowed}
        lines = problems_of(template, tmp_path, text.encode(), rule)
        expected = [f"a/MEMORY.md: {limit} characters exceeds {allowed} from glob 'a/MEMORY.md'"]
        assert [line for line in lines if "exceeds" in line] == expected * (allowed < limit)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=20))
@example(b"\xff\xfe")
@example(b"\xed\xa0\x80\xed\xb0\x80")  # a surrogate pair written as if it were two characters
@example(b"ok \xf0\x9f\x98")
def test_bytes_that_are_not_utf8_count_as_replacement_characters(
    template: Memory, tmp_path: Path, content: bytes
) -> None:
    """A file that is not UTF-8 has a size all the same, the one its decoded text has."""
    characters = len(content.decode("utf-8", "replace"))
    rule = {"pattern": "a/MEMORY.md", "maxCharacters": 1}
    lines = [line for line in problems_of(template, tmp_path, content, rule) if "exceeds" in line]
    expected = f"a/MEMORY.md: {characters} characters exceeds 1 from glob 'a/MEMORY.md'"
    assert lines == [expected] * (characters > 1)


RUN = itertools.count()


def problems_of(template: Memory, tmp_path: Path, content: bytes, rule: object) -> list[str]:
    """Return what the validator says about one index file under one limit."""
    memory = copy_of(template, tmp_path / f"run-{next(RUN)}")
    rules = policy_text(fileCharacterLimits=[rule])
    memory.put({"MEMORY.md": "#\n", "a/MEMORY.md": content, ".memfs.config.json": rules}, {})
    lines = check_staged(memory.repo, approved=True)
    shutil.rmtree(memory.dir)
    return lines


LINES = st.sampled_from(
    ["---", "--- ", "---\r", "", " ", "name: A", "name:", 'name: ""', "name: ''", "name : A",
     "description: B", "description: a: b", 'description: "x"', "description: 记忆 😀",
     "description:\tx", " description: B", "  folded", "tags: x", "plain", ": x", "Body.",
     "\ufeff---", "name: A\r", "description:  two  spaces  "]
)  # fmt: skip
FILE = st.one_of(
    st.lists(LINES, max_size=9).map("\n".join),
    st.lists(LINES, max_size=4).map(
        lambda body: "\n".join(["---", "name: A", "description: a: b", "---", *body])
    ),
    st.lists(LINES, max_size=5).map(lambda middle: "\n".join(["---", *middle, "---", "Body"])),
)


@settings(max_examples=400)
@given(FILE)
def test_what_the_validator_accepts_the_parser_reads(content: str) -> None:
    """An accepted file has both fields, read to the same words, and its body intact."""
    if check_frontmatter("notes.md", content):
        return
    parsed = read_frontmatter(content)
    assert parsed is not None
    fields, body = dict(parsed[0]), parsed[1]
    lines = content.split("\n")
    close = lines.index("---", 1)
    by_hand = dict(line.split(":", 1) for line in lines[1:close] if line)
    assert fields == {key.strip(" "): value.strip(" ") for key, value in by_hand.items()}
    assert sorted(fields) == ["description", "name"]
    assert body == "\n".join(lines[close + 1 :])


@settings(max_examples=300)
@given(st.text(max_size=60))
def test_no_text_breaks_the_frontmatter_check(content: str) -> None:
    """Any text gets an answer, and it is a list of one-line sentences."""
    problems = check_frontmatter("a.md", content)
    assert all("\n" not in line for line in problems)


NAMES = st.sampled_from(
    ["MEMORY.md", "n.md", "笔记.md", "a b.md", 'q"q.md', "a\nb.md", "0:x.md", "-x.md", "x.txt",
     "a/MEMORY.md", "a/x.md", "a/b/MEMORY.md", "a/b/y.md", "a/b/c/z.md", "skills/flat.md",
     "skills/s/SKILL.md", "skills/中 文.md", "🙂/x.md", "🙂/MEMORY.md", ".h.md", "A.md"]
)  # fmt: skip
CONTENTS = st.sampled_from(
    ["# i\n", "oops\n", "---\nname: A\ndescription: B\n---\nx\n", "---\nname: A\n---\n", "",
     "\ufeff---\nname: A\ndescription: B\n---\n", "---\r\nname: A\r\n---\r\n", b"\xff\xfe\n",
     "---\nname: A\ndescription: B\n---\n" + "记" * 60]
)  # fmt: skip
MODES = st.sampled_from(["100644"] * 8 + ["100755", "120000", "160000"])
TREES = st.dictionaries(NAMES, st.tuples(CONTENTS, MODES), max_size=7)
POLICIES = st.sampled_from(
    [None, policy_text(maxFileCharacters=70), policy_text(maxDepth=1), "{", "[]",
     policy_text(readOnlyFiles=["n.md", "a/**"], maxCoreMemoryCharacters=90)]
)  # fmt: skip


VALID = {
    "n.md": ("---\nname: A\ndescription: B\n---\n", "100644"),
    "a b.md": ("---\nname: A\ndescription: 记忆\n---\nx\n", "100755"),
    "a/MEMORY.md": ("# a\n", "100644"),
    "skills/s/SKILL.md": ("x\n", "100644"),
    "x.txt": (b"\xff\0", "120000"),
}
SOUND = st.sets(st.sampled_from(sorted(VALID))).map(lambda names: {n: VALID[n] for n in names})


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.one_of(SOUND, TREES), TREES, POLICIES)
def test_hook_validator_and_audit_give_one_verdict(
    template: Memory, tmp_path: Path, before: Any, after: Any, rules: str | None
) -> None:
    """The same change is judged alike by a real commit, in process, and after a bypass."""
    memory = copy_of(template, tmp_path / f"run-{next(RUN)}")
    head: dict[str | bytes, Any] = {"MEMORY.md": "#\n"}
    if rules is not None:
        head[".memfs.config.json"] = rules
    put(memory, head, before)
    base = memory.bypass()
    was_valid = audit_committed(memory.repo) == []
    put(memory, {}, after)
    in_process = check_staged(memory.repo)
    hook = memory.attempt("--allow-empty")
    assert "Traceback" not in hook.output
    assert (hook.accepted, hook.problems) == (not in_process, in_process)
    if hook.accepted:
        memory.git("reset", "-q", "--soft", base)
    memory.bypass()
    audited = audit_committed(memory.repo)
    if was_valid:
        assert audited == in_process
    else:  # nothing was ever accepted, so protected files have nothing to be compared with
        assert {line for line in in_process if READ_ONLY not in line} <= set(audited)
    shutil.rmtree(memory.dir)


def put(memory: Memory, files: dict[str | bytes, Any], tree: Any) -> None:
    """Stage plain files, then a generated tree of (content, mode)."""
    contents = {**files, **{path: content for path, (content, _) in tree.items()}}
    memory.put(contents, {path: mode for path, (_, mode) in tree.items()})


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(TREES, st.sampled_from([2, 3, 4]), st.sets(NAMES, max_size=3))
def test_the_index_is_read_as_git_reads_it(
    template: Memory, tmp_path: Path, tree: Any, version: int, hidden: set[str]
) -> None:
    """Parsing the file gives git's own list of entries, or nothing at all."""
    memory = copy_of(template, tmp_path / f"run-{next(RUN)}")
    put(memory, {}, tree)
    memory.git("update-index", "--index-version", str(version))
    for path in sorted(hidden & set(tree)):
        memory.git("update-index", "--skip-worktree", "--", path)
    index = memory.dir / ".git" / "index"
    parsed = parse_index(index.read_bytes()) if index.exists() else {}
    listed = {}
    for line in memory.repo.run("ls-files", "-s", "-z").stdout.split(b"\0")[:-1]:
        entry, _, name = line.partition(b"\t")
        mode, object_id, _ = entry.decode().split(" ")
        listed[os.fsdecode(name)] = (mode, object_id)
    assert parsed == listed or (version == 4 and parsed is None)
    shutil.rmtree(memory.dir)


def test_embedded_functions_need_nothing_but_each_other() -> None:
    """Their source, executed in an empty namespace, defines them all and uses no module."""
    namespace = in_empty_namespace()
    names = {function.__name__ for function in EMBEDDED}
    assert names <= set(namespace)
    for function in EMBEDDED:
        if inspect.isfunction(function):
            module_names = set(vars(inspect.getmodule(function))) - {"__name__"}
            used = set(function.__code__.co_names) & module_names
            assert used <= names, f"{function.__name__} uses {used - names}"


def in_empty_namespace() -> dict[str, Any]:
    """Return what the embedded sources define when there are only builtins."""
    namespace: dict[str, Any] = {}
    for function in EMBEDDED:
        exec(inspect.getsource(function), namespace)
    return namespace


EMPTY = in_empty_namespace()


@settings(max_examples=300)
@given(PATTERN, PATH, FILE)
def test_embedded_functions_answer_as_the_package_does(
    pattern: str, path: str, content: str
) -> None:
    """What runs in the hook is what runs here, input by input."""
    assert EMPTY["matches_glob"](pattern, path) == glob.matches_glob(pattern, path)
    assert EMPTY["check_frontmatter"](path, content) == frontmatter.check_frontmatter(path, content)


POLICY_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 100), st.floats(), st.text(max_size=5),
              st.sampled_from(["a/**", "**", "a**", "/x", "../x", "记/*"])),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["pattern", "maxCharacters", "x"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
FIELDS = st.sampled_from(
    ["version", "maxDepth", "maxFileCharacters", "maxCoreMemoryCharacters", "fileCharacterLimits",
     "readOnlyFiles", "x", "", "a\nb"]
)  # fmt: skip


@settings(max_examples=400)
@given(st.dictionaries(FIELDS, POLICY_VALUES, max_size=5))
def test_every_policy_is_parsed_or_explained(fields: dict[str, Any]) -> None:
    """No JSON value raises; hook and package agree; a clean answer has usable limits."""
    import json

    text = json.dumps(fields)
    parsed, problems = policy.parse_policy(text)
    assert EMPTY["parse_policy"](text) == (parsed, problems)
    assert parsed["maxDepth"] >= 0
    assert parsed["maxFileCharacters"] > 0


@settings(max_examples=200)
@given(st.text(max_size=20))
def test_text_that_is_no_policy_is_explained(text: str) -> None:
    """Garbage in place of the policy gives one sentence, never an exception."""
    _, problems = policy.parse_policy(text)
    assert problems
    assert EMPTY["parse_policy"](text)[1] == problems
