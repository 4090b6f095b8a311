"""Photograph the page of the built-in example for the README: verdict.png, and on a phone.

polychotomy judge --output wine.html
python docs/images/verdict_image.py wine.html
"""

import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
SHOTS = {
    "verdict.png": {
        "width": 1280,
        "height": 1560,
        "scheme": "light",
        "scale": 1.25,
        "from": "body",
    },
    "verdict-dark.png": {
        "width": 1280,
        "height": 900,
        "scheme": "dark",
        "scale": 1.25,
        "from": "body",
    },
    "verdict-phone.png": {
        "width": 390,
        "height": 844,
        "scheme": "light",
        "scale": 2,
        "from": "#which .card",
    },
}


def main() -> None:
    page = Path(sys.argv[1]).resolve().as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, shot in SHOTS.items():
            context = browser.new_context(
                viewport={"width": shot["width"], "height": shot["height"]},
                color_scheme=shot["scheme"],
                device_scale_factor=shot["scale"],
                reduced_motion="reduce",
            )
            tab = context.new_page()
            tab.goto(page)
            tab.locator(shot["from"]).first.evaluate("e => e.scrollIntoView()")
            tab.screenshot(path=HERE / name)
            context.close()
            _shrink(HERE / name)
        browser.close()


def _shrink(path: Path) -> None:
    """Flat colours need no more than 256 of them."""
    Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(
        path, optimize=True
    )


if __name__ == "__main__":
    main()
