"""Chapters: shown code and output are copies of something that runs, and both editions agree.

A fenced block under a marker is *woven* (``woven.py``): its body belongs to the source that the
marker names.

A section is a heading and the line ``<a id="…"></a>`` above it. `chapters/reviewed.json` records
for each section the hash of both editions at the moment somebody last compared them; when one
edition moves on, the other has to be looked at. Woven blocks do not count for the hash.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from mini_letta.course.woven import MARKER, Body, UnknownSource, read_source, rewrite_blocks

LANGUAGES = ("zh", "en")
REVIEWED = Path("chapters") / "reviewed.json"
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
HEADING = re.compile(r"(#{1,6}) (?:(?:第 |Chapter )?(\d+(?:\.\d+)*))?.*")
LINK = re.compile(r"\]\(([^)\s]+)\)")
NUMBER = re.compile(r"(?<![\w.])v?\d[\d,]*(?:\.\d+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One heading of a chapter and the prose under it."""

    id: str
    """Anchor above the heading, for example ``7-9-draft-1``."""
    heading: str
    """Level and number, for example ``## 7.9``; the words differ between the languages."""
    prose: str
    """The section without the bodies of its woven blocks."""

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits that change whenever the prose does."""
        return hashlib.sha256(self.prose.encode()).hexdigest()[:12]


def check_chapters(root: Path) -> list[str]:
    """Return what is wrong with the chapters below ``root``, one line a problem.

    Args:
        root: top folder of the project.
    Returns:
        Blocks that differ from their source, links that lead nowhere, and sections in which the
        two editions differ or have not been compared since one of them changed.
    """
    problems = []
    for name in chapter_names(root):
        editions = {lang: chapter_path(root, lang, name) for lang in LANGUAGES}
        absent = [
            f"{path}: this edition is missing" for path in editions.values() if not path.is_file()
        ]
        if absent:
            problems += [line.removeprefix(f"{root}/") for line in absent]
            continue
        for lang, path in editions.items():
            problems += check_woven(root, lang, path) + check_links(root, path)
        problems += compare_editions(root, name)
    return problems


def weave_chapters(root: Path) -> list[Path]:
    """Write every woven block anew from its source; return the chapters that changed."""
    changed = []
    for lang in LANGUAGES:
        for path in sorted((root / "chapters" / lang).glob("*.md")):
            text = path.read_text(encoding="utf-8")
            woven = rewrite_blocks(text, from_source(root, lang))
            if woven != text:
                path.write_text(woven, encoding="utf-8")
                changed.append(path)
    return changed


def from_source(root: Path, lang: str) -> Body:
    """Return the body of a block as its source has it."""
    return lambda kind, name, shown: read_source(root, lang, kind, name)


def record_reviews(root: Path) -> None:
    """Record that both editions of every section were compared and say the same."""
    record = {
        name: {
            id: [edition[id].hash for edition in both]
            for both in [[sections(root, lang, name) for lang in LANGUAGES]]
            for id in both[0]
        }
        for name in chapter_names(root)
    }
    (root / REVIEWED).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def chapter_names(root: Path) -> list[str]:
    """Return the file names, without ``.md``, of the chapters that exist in any language."""
    return sorted({path.stem for path in (root / "chapters").glob("*/*.md")})


def chapter_path(root: Path, lang: str, name: str) -> Path:
    """Return where one edition of a chapter is."""
    return root / "chapters" / lang / f"{name}.md"


def check_woven(root: Path, lang: str, path: Path) -> list[str]:
    """Return one problem per block that is not what its source says."""
    problems = []

    def compare(kind: str, name: str, shown: str) -> str:
        try:
            source = read_source(root, lang, kind, name)
        except UnknownSource as error:
            problems.append(f"{path.relative_to(root)}: {error}")
            return shown
        if source != shown:
            problems.append(f"{path.relative_to(root)}: the block `{kind}: {name}` is out of date")
        return shown

    rewrite_blocks(path.read_text(encoding="utf-8"), compare)
    return problems


def check_links(root: Path, path: Path) -> list[str]:
    """Return one problem per relative link that leads to no file, or to no anchor of this one."""
    text = path.read_text(encoding="utf-8")
    problems = []
    for target in LINK.findall(rewrite_blocks(text, lambda kind, name, shown: "")):
        file, _, anchor = target.partition("#")
        if ":" in file:
            continue
        there = (path.parent / file).exists() if file else anchor in ANCHOR.findall(text)
        if not there:
            problems.append(f"{path.relative_to(root)}: the link {target} leads nowhere")
    return problems


def compare_editions(root: Path, name: str) -> list[str]:
    """Return the sections of one chapter in which the two editions do not agree."""
    zh, en = (sections(root, lang, name) for lang in LANGUAGES)
    if [(s.id, s.heading) for s in zh.values()] != [(s.id, s.heading) for s in en.values()]:
        return [f"{name}: the editions have different headings: {sorted(zh.keys() ^ en.keys())}"]
    reviewed = {}
    if (root / REVIEWED).is_file():
        reviewed = json.loads((root / REVIEWED).read_text(encoding="utf-8")).get(name, {})
    problems = []
    for id, section in zh.items():
        for what, found in (("markers", MARKER), ("links", LINK), ("numbers", NUMBER)):
            ours, theirs = (marks(text.prose, found) for text in (section, en[id]))
            if ours != theirs:
                differ = sorted(set(ours) ^ set(theirs)) or "in how often they occur"
                problems.append(f"{name} #{id}: the editions differ in their {what}: {differ}")
        if reviewed.get(id) != [section.hash, en[id].hash]:
            problems.append(
                f"{name} #{id}: changed since the editions were last compared; compare them, "
                "then run `mini-letta course check --reviewed`"
            )
    return problems


def marks(prose: str, pattern: re.Pattern[str]) -> list[str]:
    """Return the sorted markers, links or numbers of a section, language neutral."""
    if pattern is NUMBER:
        prose = LINK.sub("", MARKER.sub("", ANCHOR.sub("", prose)))
    found = [match.group(0) for match in pattern.finditer(prose)]
    return sorted(text.replace("/en/", "/zh/").replace(",", "") for text in found)


def sections(root: Path, lang: str, name: str) -> dict[str, Section]:
    """Return the sections of one edition in order, by id."""
    text = chapter_path(root, lang, name).read_text(encoding="utf-8")
    bare = rewrite_blocks(text, lambda kind, name, shown: "")
    _, *parts = re.split(r"^(?=<a id=)", bare, flags=re.MULTILINE)
    found = {}
    for part in parts:
        anchor, heading, *_ = part.split("\n")
        id, title = ANCHOR.fullmatch(anchor), HEADING.fullmatch(heading)
        if id and title:
            label = f"{title[1]} {title[2] or ''}".rstrip()
            found[id[1]] = Section(id=id[1], heading=label, prose=part)
    return found
