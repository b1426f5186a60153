"""How the report looks: Okabe–Ito's colours, a light and a dark shade of everything, and one small style sheet."""

from .palette import CLUSTERS

# (light, dark)
SHADES = {
    "paper": ("#FCFCFA", "#11151B"),
    "card": ("#FFFFFF", "#161B23"),
    "text": ("#1D2430", "#E8EBEF"),
    "muted": ("#5B6472", "#9AA5B3"),
    "faint": ("#B4BAC2", "#566070"),
    "line": ("#DFE2DE", "#303844"),
    "accent": ("#0072B2", "#56B4E9"),
    "mark": ("#D55E00", "#FF8A3D"),
}
# The codes are drawn as one colour that is more or less transparent, so that nothing is the page itself in either theme.
CODES = (12, 127, 196)

PICTURES = """
svg{display:block;width:100%;height:auto;font:12px system-ui,sans-serif;overflow:visible}
svg text{fill:var(--muted)}
svg .name{fill:var(--text)}
svg .number{fill:var(--text);font-weight:700;paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}
svg .axis{stroke:var(--line);fill:none}
svg .grid-line{stroke:var(--line);stroke-dasharray:2 3;fill:none}
svg .dot{fill:var(--accent)}
svg .bar{fill:var(--accent)}
svg .curve{stroke:var(--accent);stroke-width:2;fill:none}
svg .second{stroke:var(--mark);stroke-dasharray:5 4}
svg .gap{fill:var(--mark);opacity:.16}
svg .gap-name{fill:var(--mark);font-weight:600}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th{text-align:left;font-weight:400;color:var(--muted);padding:4px 16px 4px 0;vertical-align:top;white-space:nowrap}
td{padding:4px 0;overflow-wrap:anywhere}
"""
CARD = """
svg{max-width:560px}
table{width:auto}
svg.wide{max-width:1000px}
b.mark{color:var(--accent)}
.say{color:var(--muted)}
p,ul{margin:2px 0;max-width:90ch}
th,td{text-align:left;padding:2px 14px 2px 0}
tr,th,td{background:none}
"""
PAGE = """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1080px;margin:0 auto;padding:40px 24px 72px}
h1{font-size:2rem;line-height:1.2;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:0 0 4px}
p{margin:0 0 12px;max-width:72ch}
.muted,p.say{color:var(--muted)}
p.say{font-size:.92rem}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(112px,1fr));gap:12px;margin:24px 0 20px}
.fact,section{background:var(--card);border:1px solid var(--line);border-radius:10px}
.fact{padding:12px 16px}
.fact b{display:block;font-size:1.6rem;line-height:1.25;font-variant-numeric:tabular-nums}
.fact span{color:var(--muted);font-size:.88rem}
.grid{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:20px}
section{padding:20px 22px;min-width:0}
.wide{grid-column:1/-1}
.pair{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:20px}
@media(max-width:760px){main{padding:24px 14px 48px}.grid,.pair{grid-template-columns:minmax(0,1fr)}section{padding:16px}}
dl{margin:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(240px,1fr));gap:2px 28px;font-size:.92rem}
dl div{display:flex;justify-content:space-between;gap:12px;border-bottom:1px solid var(--line);padding:3px 0}
dt{color:var(--muted)}
dd{margin:0;text-align:right;overflow-wrap:anywhere}
.default dd{color:var(--muted)}
pre{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:12px 14px;overflow-x:auto;margin:4px 0 14px;
font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
footer{color:var(--muted);font-size:.88rem;margin-top:28px}
@media print{body{background:#fff}section,.fact{break-inside:avoid}}
"""


def style_sheet():
    """The report's style sheet with every shade as a variable, light unless the reader's system prefers dark."""
    return variables(":root") + PICTURES + PAGE


def variables(scope):
    """Every shade as a variable of this part of a page."""
    shades = SHADES | {f"cluster-{number}": pair for number, pair in enumerate(CLUSTERS)}
    light, dark = ("".join(f"--{name}:{pair[at]};" for name, pair in shades.items()) for at in range(2))
    return f"{scope}{{color-scheme:light dark;{light}}}@media(prefers-color-scheme:dark){{{scope}{{{dark}}}}}"


def scoped_sheet():
    """The style of pictures and tables inside ``.leasc`` alone, for pages that are somebody else's."""
    look = "background:var(--card);color:var(--text);padding:14px 16px;border-radius:8px;font:14px/1.5 system-ui,sans-serif"
    return f"{variables('.leasc')}.leasc{{{look};{PICTURES}{CARD}}}"


def cluster_shade(number):
    """The colour of a cluster; after forty they come round again, with another shape."""
    return f"var(--cluster-{number % len(CLUSTERS)})"
