"""A page in a real browser, headless: what its layout measures at a width, and how many pages it prints."""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

_WRAPPED = """<!DOCTYPE html><html><body style="margin:0"><iframe id="page"
style="width:{width}px;height:900px;border:0"
srcdoc="{page}"></iframe><pre id="answer"></pre><script>
const frame = document.getElementById("page");
frame.onload = function () {{
  const window = frame.contentWindow, document = frame.contentDocument;
  let answer;
  try {{ answer = (function () {{ {script} }})(); }} catch (error) {{ answer = {{ error: String(error) }}; }}
  frame.ownerDocument.getElementById("answer").textContent = JSON.stringify(answer);
  frame.remove();
}};
</script></body></html>"""
# What sticks out at the right. A picture may be larger than its frame: it is scrolled there.
STICKS_OUT = """
const wide = document.documentElement.clientWidth, found = [];
for (const one of document.body.querySelectorAll("*")) {
  const box = one.getBoundingClientRect();
  if (box.width && box.right > wide + 1 && !one.closest(".picture>div")) found.push(one.tagName + "." + one.className);
  if (one.classList.contains("scroll") && one.scrollWidth > one.clientWidth + 1)
    found.push("scrolled: " + one.textContent.trim().slice(0, 40));
}
return { page: document.documentElement.scrollWidth, wide: wide, found: found.slice(0, 10) };
"""


def _chromium(directory: Path, *arguments: str) -> str:
    found = shutil.which("chromium")
    assert found, "chromium is one of the project's packages for its tests (lab/packages.txt)"
    command = [found, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
               "--disable-dev-shm-usage", f"--user-data-dir={directory / 'profile'}", *arguments]  # fmt: skip
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # a socket's path has 107 characters at most
        environment = os.environ | {"TMPDIR": folder}
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, env=environment)
    return done.stdout


def ask(directory: Path, page: str, width: int, script: str) -> dict[str, Any]:
    """What a script returns that runs in the page, in a window of that width."""
    wrapped = directory / f"wrapped-{width}.html"
    wrapped.write_text(_WRAPPED.format(width=width, page=html.escape(page), script=script), encoding="utf-8")
    text = _chromium(
        directory, "--window-size=1600,1000", "--virtual-time-budget=20000", "--dump-dom", wrapped.as_uri()
    )
    answer = json.loads(html.unescape(text.split('<pre id="answer">', 1)[1].split("</pre>", 1)[0]))
    assert isinstance(answer, dict) and "error" not in answer, answer
    return answer


def printed_pages(directory: Path, page: Path) -> int:
    """How many pages it prints."""
    target = directory / "printed.pdf"
    _chromium(directory, f"--print-to-pdf={target}", page.as_uri())
    return target.read_bytes().count(b"/Type /Page\n")
