"""The chapters of this repository agree with the code, and with each other; drift is noticed."""

from pathlib import Path

import pytest

from mini_letta.course.chapters import check_chapters, record_reviews, weave_chapters

ROOT = Path(__file__).parents[2]
CHAPTER = """<a id="1"></a>
# {title}

{prose} 3. [notes](../../notes.md)

<!-- include: code:answer -->
```python
def answer():
    return 42
```
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one chapter in two languages that agree."""
    (tmp_path / "code.py").write_text("def answer():\n    return 42\n")
    (tmp_path / "notes.md").write_text("notes\n")
    for lang, title, prose in (("zh", "第 1 章", "答案"), ("en", "Chapter 1", "The answer")):
        folder = tmp_path / "chapters" / lang
        folder.mkdir(parents=True)
        (folder / "01-x.md").write_text(CHAPTER.format(title=title, prose=prose))
    record_reviews(tmp_path)
    assert check_chapters(tmp_path) == []
    return tmp_path


def edit(project: Path, lang: str, old: str, new: str) -> None:
    path = project / "chapters" / lang / "01-x.md"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_chapters_of_this_repository_are_in_order() -> None:
    """Every block equals its source, every link leads somewhere, both editions were compared."""
    assert check_chapters(ROOT) == []


def test_a_block_that_differs_from_the_code_is_reported(project: Path) -> None:
    """Changing the code without the chapter is noticed in both languages, and weaving ends it."""
    (project / "code.py").write_text("def answer():\n    return 43\n")
    stale = "the block `include: code:answer` is out of date"
    assert check_chapters(project) == [
        f"chapters/zh/01-x.md: {stale}",
        f"chapters/en/01-x.md: {stale}",
    ]
    assert len(weave_chapters(project)) == 2
    assert check_chapters(project) == []


def test_a_marker_without_a_source_is_reported(project: Path) -> None:
    """Renaming the symbol is noticed."""
    (project / "code.py").write_text("def other():\n    return 42\n")
    assert "chapters/en/01-x.md: there is no answer in code" in check_chapters(project)


def test_a_link_that_leads_nowhere_is_reported(project: Path) -> None:
    """A missing file behind a relative link is noticed."""
    (project / "notes.md").unlink()
    assert "chapters/zh/01-x.md: the link ../../notes.md leads nowhere" in check_chapters(project)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("answer 3", "answer 4", "numbers: ['3', '4']"),
        ("../../notes.md", "https://example.org", "links"),
        ("<!-- include: code:answer -->", "", "markers"),
    ],
)
def test_editions_that_differ_are_reported(project: Path, old: str, new: str, what: str) -> None:
    """Numbers, links and shown code are the same in both languages, reviewed or not."""
    edit(project, "en", old, new)
    record_reviews(project)
    assert [line for line in check_chapters(project) if f"differ in their {what}" in line]


def test_a_section_that_changed_in_one_language_asks_for_a_comparison(project: Path) -> None:
    """New words in one edition are noticed until somebody records the comparison."""
    edit(project, "zh", "答案", "正确的答案")
    (problem,) = check_chapters(project)
    assert problem.startswith("01-x #1: changed since the editions were last compared")
    record_reviews(project)
    assert check_chapters(project) == []


def test_a_missing_edition_is_reported(project: Path) -> None:
    """A chapter exists in both languages or the check says which file is missing."""
    (project / "chapters" / "en" / "01-x.md").unlink()
    assert check_chapters(project) == ["chapters/en/01-x.md: this edition is missing"]


def test_different_headings_are_reported(project: Path) -> None:
    """Anchors and section numbers are the same in both languages."""
    edit(project, "en", "Chapter 1", "Chapter 2")
    assert any("different headings" in line for line in check_chapters(project))
