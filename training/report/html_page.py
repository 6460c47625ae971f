"""Self-contained HTML pages of tables, for screens and paper, without scripts and external files."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from html import escape
from string import Template
from types import MappingProxyType

from vitienv.core.text_utils import printable

INTERVAL = re.compile(r" (\([^()]* to [^()]*\))$")
PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h1, dd { overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; break-after: avoid; }
.caution { background: #fff6e0; border-left: 4px solid #e69f00; padding: .6rem 1rem; }
.made, .note { color: #555; font-size: .92em; }
img { max-width: 100%; height: auto; display: block; margin: .8rem 0; } .wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; margin: .6rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .6rem; text-align: left; white-space: nowrap; }
th { border-bottom: 1px solid #999; vertical-align: bottom; } tr:nth-child(even) td { background: #f6f6f6; }
td.n, th.n { text-align: right; } td small { color: #666; }
a, summary { color: #0050a0; } summary { cursor: pointer; margin: .3rem 0; }
@media (max-width: 600px) {
  body { margin: 1rem auto; } h1 { font-size: 1.35rem; } h2 { margin-top: 1.8rem; }
  th, td { padding: .15rem .35rem; } td small { display: block; }
}
@media print {
  @page { margin: 14mm; }
  body { margin: 0; padding: 0; max-width: none; font-size: 10pt; }
  table { font-size: 8pt; } .wide { overflow: visible; }
  th, td { white-space: normal; padding: .1rem .35rem; } tr, img { break-inside: avoid; } a { color: inherit; }
}
</style>
</head>
<body>
<h1>$title</h1>
$body
</body>
</html>
""")


def html_page(title: str, *parts: str) -> str:
    """Return a page of HTML parts."""
    return PAGE.substitute(title=escape(title), body="\n".join(parts))


def html_section(name: str, heading: str, *parts: str) -> str:
    """Return HTML parts under a heading. name: its id."""
    return "\n".join([f'<section id="{name}"><h2>{escape(heading)}</h2>', *parts, "</section>"])


def html_note(text: str) -> str:
    """Return a text as a paragraph."""
    return f'<p class="note">{escape(text)}</p>'


def html_provenance(texts: Mapping[str, str]) -> str:
    """Return the provenance of a page, texts by heading."""
    entries = "".join(
        f"<dt><strong>{escape(name)}</strong></dt><dd>{escape(text)}</dd>" for name, text in texts.items()
    )
    return f'<div class="made" id="how"><h2>How it was made</h2><dl>{entries}</dl></div>'


def html_table(
    rows: Sequence[Mapping[str, str]], text: Collection[str], links: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return rows of texts by heading as a table. text: left-aligned columns. links: addresses by first cell."""
    if not rows:
        return "<p>None in these games.</p>"
    first = next(iter(rows[0]))

    def cell(tag: str, heading: str, value: str) -> str:
        content = INTERVAL.sub(r" <small>\1</small>", escape(printable(value)))
        if heading == first and value in links:
            content = f'<a href="{escape(links[value])}">{content}</a>'
        return f"<{tag}>{content}</{tag}>" if heading in text else f'<{tag} class="n">{content}</{tag}>'

    head = "".join(cell("th", heading, heading) for heading in rows[0])
    lines = ["".join(cell("td", *pair) for pair in row.items()) for row in rows]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>'
