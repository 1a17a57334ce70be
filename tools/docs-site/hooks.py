"""What the site has beyond docs/: the project's own pages and examples, which pages link to, and the script that
typesets equations (Debian's KaTeX), so that nothing is loaded from elsewhere."""
import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
KATEX = pathlib.Path("/usr/share/javascript/katex")
BESIDE = ["README.md", "HACKING.md", "CHANGELOG.md", "SECURITY.md"]
EQUATIONS = """document$.subscribe(() => renderMathInElement(document.body,
  {delimiters: [{left: "\\\\(", right: "\\\\)", display: false}, {left: "\\\\[", right: "\\\\]", display: true}]}));
"""


def on_files(files, config):
    for name in BESIDE:
        files.append(File.generated(config, f"project/{name}", abs_src_path=str(ROOT / name)))
    for name in ["NOTICE", "CITATION.cff"]:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    for example in sorted((ROOT / "examples").rglob("*.*")):
        files.append(File.generated(config, str(example.relative_to(ROOT)), abs_src_path=str(example)))
    for asset in ["katex.min.css", "katex.min.js", "contrib/auto-render.js",
                  *(f"fonts/{font.name}" for font in (KATEX / "fonts").glob("*.woff2"))]:
        files.append(File.generated(config, f"assets/katex/{asset}", abs_src_path=str(KATEX / asset)))
    files.append(File.generated(config, "assets/equations.js", content=EQUATIONS))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links that leave docs/, or come from beside it, lead to where the site has those files."""
    if page.file.src_uri.startswith("project/"):
        markdown = re.sub(r"\]\(docs/", "](../", markdown)
        return re.sub(r"\]\((?!\.\./|https?:|#)(?!%s)([^)]+)\)" % "|".join(BESIDE), r"](../\1)", markdown)
    up = "../" * page.file.src_uri.count("/")
    names = "|".join(map(re.escape, BESIDE))
    markdown = re.sub(rf"\]\((?:\.\./)+({names})", rf"]({up}project/\1", markdown)
    return re.sub(r"\]\((?:\.\./)+examples/", rf"]({up}examples/", markdown)
