"""The shell of the pages we write: one file each, no script, nothing loaded from anywhere."""

import re

from mini_letta.course.grading.spelling import escape

CSP = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """\
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #2a7d4f; --bad: #b3452c; }
@media (prefers-color-scheme: dark) { :root { --good: #6cc795; --bad: #f0937a; } }
body { font: 1rem/1.6 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  max-width: 48rem; margin: 2.5rem auto; padding: 0 1.2rem; overflow-wrap: anywhere; }
body.wide { max-width: 75rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; }
h2 { font-size: 1.1rem; margin: 0; }
h3 { font-size: 1rem; }
header p, .quiet { color: GrayText; margin-top: 0; }
section { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.2rem;
  margin: 1.2rem 0; }
.head { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline; }
.head span { white-space: nowrap; }
.passed { color: var(--good); } .open { color: var(--bad); }
ul { padding-left: 0; list-style: none; }
li { padding-left: 1.5rem; position: relative; margin: .5rem 0; }
li::before { content: attr(data-mark); position: absolute; left: 0; }
pre { background: var(--soft); padding: .6rem .8rem; border-radius: .4rem; margin: .2rem 0 .8rem;
  white-space: pre-wrap; font: .85rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
code { font: .9em ui-monospace, Menlo, Consolas, monospace; }
mark { background: #ffd54a66; color: inherit; }
dt { font-size: .85rem; color: GrayText; } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th, td.narrow { white-space: nowrap; overflow-wrap: normal; }
@media print { body { margin: 0 auto; font-size: 10.5pt; } section { break-inside: avoid; }
  pre { border: 1px solid var(--line); } }"""
CODE = re.compile(r"`([^`]+)`")
LANGS = {"en": "en", "zh": "zh-Hans"}


def page_head(title: str, lang: str, *, wide: bool = False) -> str:
    """Return the beginning of a page, up to and with its opening ``main`` tag."""
    kind = ' class="wide"' if wide else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{LANGS[lang]}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{CSP}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}\n</style>\n</head>\n"
        f"<body{kind}>\n<main>\n"
    )


def page_foot() -> str:
    """Return the end of a page."""
    return "</main>\n</body>\n</html>\n"


def listed(items: list[tuple[str, str]]) -> str:
    """Return a list of (mark, inner HTML); "" if there is nothing in it."""
    if not items:
        return ""
    lines = "".join(f'<li data-mark="{mark}">{inner}</li>\n' for mark, inner in items)
    return f"<ul>\n{lines}</ul>\n"


def with_code(text: str) -> str:
    """Return a sentence of a task as HTML; what stands in backticks is code."""
    return CODE.sub(r"<code>\1</code>", escape(text))
