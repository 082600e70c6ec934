"""The extension for Visual Studio Code as one file, which the editor installs.

Takes the folder `vscode` beside this and what npm installs for it (the client of the protocol); gives a `.vsix`: a zip with the extension, its manifest and the types of its files. Refuses (`NoExtension`, with the
reason) where there is no npm, or where it does not succeed.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from rulewright import __version__

FOLDER = Path(__file__).with_name("vscode")
ALWAYS = (1980, 1, 1, 0, 0, 0)  # the same files make the same extension
NOT_NEEDED = (".md", ".map", ".ts", ".txt", ".yml", ".markdown")  # of what npm installs
TYPES = {"json": "application/json", "js": "application/javascript", "vsixmanifest": "text/xml", "md": "text/markdown", "cjs": "application/javascript",
         "mjs": "application/javascript", "cmd": "text/plain", "ps1": "text/plain"}  # fmt: skip
SECONDS = 300


class NoExtension(Exception):
    """Why there is no extension."""


def vsix() -> bytes:
    """The extension."""
    with tempfile.TemporaryDirectory() as place:
        work = Path(place) / "extension"
        shutil.copytree(FOLDER, work, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
        package = json.loads((work / "package.json").read_text(encoding="utf-8"))
        package["version"] = ".".join([*re.findall(r"[0-9]+", __version__), "0", "0"][:3])
        (work / "package.json").write_text(json.dumps(package, indent=2) + "\n", encoding="utf-8")
        _install(work)
        files = {f"extension/{path.relative_to(work).as_posix()}": path.read_bytes() for path in sorted(work.rglob("*")) if _wanted(path, work)}
    return packed(package, files)


def packed(package: dict[str, object], files: dict[str, bytes]) -> bytes:
    """The files of an extension as one."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        made = {"extension.vsixmanifest": _manifest(package).encode(), "[Content_Types].xml": _types(files).encode(), **files}
        for name, content in made.items():
            archive.writestr(zipfile.ZipInfo(name, ALWAYS), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _install(work: Path) -> None:
    """Let npm fetch the client of the protocol."""
    npm = shutil.which("npm")
    if npm is None:
        raise NoExtension("npm is not here, which fetches the client of the protocol; install Node.js")
    command = [npm, "install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--no-bin-links", "--silent"]
    try:
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoExtension(f"npm does not succeed: {error}") from None
    if done.returncode != 0 or not (work / "node_modules" / "vscode-languageclient").is_dir():
        last = (done.stderr or done.stdout).strip().split("\n")[-3:]
        raise NoExtension(f"npm does not succeed: {' '.join(last) or done.returncode}")


def _wanted(path: Path, work: Path) -> bool:
    inside = path.relative_to(work).parts
    if not path.is_file() or path.name.startswith("."):
        return False
    return inside[0] != "node_modules" or path.suffix not in NOT_NEEDED or path.name.upper().startswith("LICENSE")


def _manifest(package: dict[str, object]) -> str:
    """What the editor reads of the extension before it unpacks it."""
    said = {key: str(package[key]) for key in ("name", "publisher", "version", "displayName", "description")}
    engine = str(dict(package["engines"])["vscode"])  # type: ignore[call-overload]  # it is an object of the package
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(said["name"])} Version={quoteattr(said["version"])} Publisher={quoteattr(said["publisher"])}/>
    <DisplayName>{escape(said["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(said["description"])}</Description>
    <Categories>Programming Languages,Linters,Formatters</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(engine)}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def _types(files: dict[str, bytes]) -> str:
    """The type of every sort of file in the zip; those without a sort are named one by one."""
    sorts = sorted({name.rpartition("/")[2].rpartition(".")[2].lower() for name in files if "." in name.rpartition("/")[2]} | {"vsixmanifest"})
    lines = [f"  <Default Extension={quoteattr('.' + sort)} ContentType={quoteattr(TYPES.get(sort, 'application/octet-stream'))}/>" for sort in sorts]
    lines += [f'  <Override PartName={quoteattr("/" + name)} ContentType="text/plain"/>' for name in files if "." not in name.rpartition("/")[2]]
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\n'
        + "\n".join(lines)
        + "\n</Types>\n"
    )
