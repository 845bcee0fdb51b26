"""Draws lines of machine-readable zones as a camera sees them, and where each character then is.

A line depends on its seed alone. The glyphs are those of the product's own specimens, so no font of the machine is used.
"""

import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from texts import lines_of

ROOT = Path(__file__).resolve().parents[3]
GLYPHS = ROOT / "test/support/specimens/ocr-b.png"
FONTS = ROOT / "node_modules/dejavu-fonts-ttf/ttf"

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"
CELL = (48, 62)
COLUMNS = 16

# A strip is what the network sees: a line of text of any pitch, which a detector found and which is cut out with a margin.
WIDTH, HEIGHT, TEXT_WIDTH = 768, 48, 704

# Millimetres, by ICAO Doc 9303.
PITCH = 2.54
DISTANCE = 6.35
GLYPH = PITCH * CELL[1] / CELL[0]
PAGES = {44: (125.0, 88.0), 36: (105.0, 74.0), 30: (85.6, 54.0)}

PER_MM = 12
BAND_HIGH = 22.0
BESIDE = 9.0

cv2.setNumThreads(1)


@dataclass
class Sample:
    """`strip` is grey. `places` has a row for each character: its middle in pixels, and the height of its cell."""

    strip: np.ndarray
    text: str
    places: np.ndarray
    kind: str


def glyphs() -> np.ndarray:
    """The ink of each glyph, from 0 to 1."""
    grey = np.asarray(Image.open(GLYPHS).convert("L"), np.float32)
    cells = []
    for index in range(len(ALPHABET)):
        left, top = index % COLUMNS * CELL[0], index // COLUMNS * CELL[1]
        cells.append(1 - grey[top : top + CELL[1], left : left + CELL[0]] / 255)
    return np.stack(cells)


def snippets(count: int = 300) -> list[np.ndarray]:
    """The ink of lines of print in other fonts, as they stand beside a zone. Their height is 4 mm."""
    rng = random.Random(7)
    names = ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSansMono", "DejaVuSansCondensed", "DejaVuSerif-Italic"]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    made = []
    for _ in range(count):
        size = rng.randint(18, 40)
        font = ImageFont.truetype(str(FONTS / f"{rng.choice(names)}.ttf"), size)
        words = ["".join(rng.choices(letters, k=rng.randint(1, 11))) for _ in range(rng.randint(2, 14))]
        if rng.random() < 0.5:
            words = [word.upper() for word in words]
        text = rng.choice([" ", " ", " / ", ". ", "<", "-"]).join(words)
        picture = Image.new("L", (int(font.getlength(text)) + 8, 48), 0)
        ImageDraw.Draw(picture).text((4, (48 - size) // 2 - size // 8), text, 255, font=font)
        made.append(np.asarray(picture, np.float32) / 255)
    return made


class Artist:
    def __init__(self) -> None:
        self.glyphs = glyphs()
        self.snippets = snippets()

    def sample(self, seed: int, index: int) -> Sample:
        rng = np.random.default_rng([seed, index])
        kind, view = view_of(rng)
        places = int(rng.choice([44, 44, 44, 36, 30, 30]))
        lines, which = lines_of(rng, places)
        is_print = rng.random() < 0.08
        band, left = self.band(rng, lines, which, places, is_print)
        strip, at = photographed(rng, band, left, places, which, len(lines), view)
        turned = not is_print and rng.random() < 0.07
        if turned:
            strip = strip[::-1, ::-1].copy()
        if turned or is_print:
            return Sample(strip, "", np.zeros((0, 3), np.float32), "nothing")
        return Sample(strip, lines[which], at, kind)

    def band(self, rng, lines, which, places, is_print):
        """The part of a page around a line, drawn flat. The line lies in its middle, and begins at `left` millimetres."""
        wide, high = places * PITCH + 2 * BESIDE, BAND_HIGH
        size = (round(high * PER_MM), round(wide * PER_MM))
        ink = np.zeros(size, np.float32)
        atlas = self.printer(rng)
        shift = rng.normal(0, 0.02)
        for number, text in enumerate(lines):
            across = high / 2 + (number - which) * DISTANCE
            if is_print and number == which:
                self.lay_print(rng, ink, BESIDE, across, rng.uniform(1.0, 1.9))
            elif -4 < across < high + 4:
                self.lay_line(rng, ink, atlas, text, BESIDE, across, shift)
        self.lay_surroundings(rng, ink, lines, which)
        return self.on_paper(rng, ink), BESIDE

    def printer(self, rng) -> np.ndarray:
        """The glyphs as one printer prints them: thinner or bolder, a little deformed, and at the scale of the band."""
        scale = PER_MM * PITCH / CELL[0]
        spread = rng.uniform(0.6, 2.4)
        bold = float(np.clip(rng.normal(0.5, 0.11), 0.22, 0.74))
        soft = rng.uniform(0.25, 0.9)
        wider, taller = rng.uniform(0.93, 1.05), rng.uniform(0.93, 1.06)
        lean = rng.normal(0, 0.025)
        waves = rng.normal(0, 0.7, (2, 3, 3)).astype(np.float32)
        off = [cv2.resize(wave, CELL, interpolation=cv2.INTER_CUBIC) for wave in waves]
        out = (int(np.ceil(CELL[0] * scale)) + 4, int(np.ceil(CELL[1] * scale)) + 4)
        xs, ys = np.meshgrid(np.arange(out[0], dtype=np.float32), np.arange(out[1], dtype=np.float32))
        xs, ys = (xs - (out[0] - 1) / 2) / scale / wider, (ys - (out[1] - 1) / 2) / scale / taller
        xs = xs + lean * ys + (CELL[0] - 1) / 2
        ys = ys + (CELL[1] - 1) / 2
        near = (np.clip(np.round(ys), 0, CELL[1] - 1).astype(int), np.clip(np.round(xs), 0, CELL[0] - 1).astype(int))
        xs, ys = xs + off[0][near], ys + off[1][near]
        made = []
        for glyph in self.glyphs:
            blurred = cv2.GaussianBlur(glyph, (0, 0), spread)
            made.append(cv2.remap(np.clip((blurred - bold) / soft + 0.5, 0, 1), xs, ys, cv2.INTER_LINEAR, borderValue=0))
        return np.stack(made)

    def lay_line(self, rng, ink, atlas, text, left, across, shift) -> None:
        jitter = rng.choice([0.0, 0.02, 0.05])
        high, wide = atlas.shape[1:]
        for place, character in enumerate(text):
            x = (left + (place + 0.5) * PITCH + rng.normal(0, jitter) + shift) * PER_MM - wide / 2
            y = (across + rng.normal(0, jitter)) * PER_MM - high / 2
            paste(ink, atlas[ALPHABET.index(character)], x, y)

    def lay_print(self, rng, ink, left, across, larger) -> None:
        """Lines of print one after the other, from the left edge of the zone to about its right edge."""
        x = left * PER_MM
        while x < ink.shape[1] - BESIDE * PER_MM:
            piece = self.snippets[rng.integers(len(self.snippets))]
            piece = cv2.resize(piece, None, fx=larger * 0.7, fy=larger * 0.7, interpolation=cv2.INTER_AREA)
            paste(ink, piece, x, across * PER_MM - piece.shape[0] / 2)
            x += piece.shape[1] + rng.uniform(8, 90)

    def lay_surroundings(self, rng, ink, lines, which) -> None:
        middle = ink.shape[0] / PER_MM / 2
        above, below = middle - which * DISTANCE, middle + (len(lines) - 1 - which) * DISTANCE
        if rng.random() < 0.6:
            self.lay_print(rng, ink, rng.uniform(1, 40), above - rng.uniform(4.6, 9), rng.uniform(0.7, 1.6))
        if rng.random() < 0.2:
            self.lay_print(rng, ink, rng.uniform(1, 40), below + rng.uniform(4.6, 9), rng.uniform(0.7, 1.6))
        for _ in range(rng.integers(0, 3) if rng.random() < 0.15 else 0):
            ends = [(int(rng.uniform(0, ink.shape[1])), int(rng.uniform(0, ink.shape[0]))) for _ in range(2)]
            cv2.line(ink, *ends, float(rng.uniform(-0.8, 0.8)), int(rng.integers(1, 4)), cv2.LINE_AA)

    def on_paper(self, rng, ink: np.ndarray) -> np.ndarray:
        high, wide = ink.shape
        strength = np.full_like(ink, rng.choice([1.0, 1.0, rng.uniform(0.45, 1)]))
        if rng.random() < 0.35:
            strength *= field(rng, high, wide, rng.uniform(6, 60), rng.uniform(0.15, 0.6))
        if rng.random() < 0.15:
            # An engraver's dots, in rows.
            step = rng.uniform(2.0, 5.0)
            across = np.sin(np.arange(wide, dtype=np.float32) * 2 * np.pi / step)
            down = np.sin(np.arange(high, dtype=np.float32) * 2 * np.pi / step)
            strength *= 1 - rng.uniform(0.1, 0.45) * (0.5 + 0.5 * down[:, None] * across)
        paper = self.paper(rng, high, wide)
        dark = rng.uniform(12, 95)
        covered = np.clip(ink, -1, 1) * np.clip(strength, 0, 1)
        return paper + covered * np.where(ink < 0, paper - 250, dark - paper)

    def paper(self, rng, high: int, wide: int) -> np.ndarray:
        """Paper with waves and fine lines, drawn at half the scale."""
        ys = np.arange(0, high, 2, dtype=np.float32)[:, None]
        xs = np.arange(0, wide, 2, dtype=np.float32)[None]
        paper = np.full((len(ys), xs.shape[1]), rng.uniform(165, 245), np.float32)
        busy = abs(rng.normal(0, 9))
        for _ in range(rng.integers(1, 3)):
            across, down, turn = rng.uniform(5, 30), rng.uniform(40, 160), rng.uniform(0, np.pi)
            right, below = xs * np.cos(turn) + ys * np.sin(turn), ys * np.cos(turn) - xs * np.sin(turn)
            waves = right / across + rng.uniform(0, 6) * np.sin(below / down) + rng.uniform(0, 6)
            paper += busy / 2 * np.sin(waves, dtype=np.float32)
        if rng.random() < 0.25:
            winding = rng.uniform(0, 6) * np.sin(xs / 55)
            paper += rng.uniform(3, 22) * np.sin(2 * np.pi * ys / (rng.uniform(0.4, 0.9) * PER_MM) + winding)
        if rng.random() < 0.4:
            paper *= field(rng, *paper.shape, rng.uniform(10, 100), rng.uniform(0.02, 0.2))
        return cv2.resize(paper.astype(np.float32), (wide, high), interpolation=cv2.INTER_LINEAR)


def paste(on: np.ndarray, piece: np.ndarray, x: float, y: float) -> None:
    """Lays ink on ink, at a place between pixels. What lies outside is left out."""
    left, top = int(np.floor(x)), int(np.floor(y))
    high, wide = piece.shape
    moved = cv2.warpAffine(piece, np.float32([[1, 0, x - left], [0, 1, y - top]]), (wide + 1, high + 1))
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(on.shape[1], left + wide + 1), min(on.shape[0], top + high + 1)
    if x0 < x1 and y0 < y1:
        part = on[y0:y1, x0:x1]
        np.maximum(part, moved[y0 - top : y1 - top, x0 - left : x1 - left], out=part)


def field(rng, high: int, wide: int, size: float, depth: float) -> np.ndarray:
    """A smooth random field with values from 1 - depth to 1. Its hills are `size` pixels wide."""
    small = rng.random((max(2, int(high / size) + 2), max(2, int(wide / size) + 2))).astype(np.float32)
    return 1 - depth * np.clip(cv2.resize(small, (wide, high), interpolation=cv2.INTER_CUBIC), 0, 1)


def view_of(rng) -> tuple[str, dict]:
    """How the camera is held, by kind: angles in degrees, bends in millimetres."""
    sign = lambda low, high: float(rng.choice([-1, 1]) * rng.uniform(low, high))
    kind = str(rng.choice(["steady", "hand-held", "tilted", "far tilted", "bent"], p=[0.2, 0.27, 0.2, 0.13, 0.2]))
    reach = {"steady": 3, "hand-held": 9, "tilted": 15, "far tilted": 6, "bent": 6}[kind]
    view = {"pitch": sign(0, reach), "yaw": sign(0, reach), "bend": 0.0, "curl": 0.0}
    if kind == "tilted":
        view[rng.choice(["pitch", "yaw"])] = sign(9, 25)
    if kind == "far tilted":
        view[rng.choice(["pitch", "yaw"])] = sign(20, 35)
    if kind == "bent":
        view |= {"bend": sign(0.2, 4.0), "curl": sign(0, 2.0)}
    elif rng.random() < 0.3:
        view |= {"bend": sign(0, 0.5)}
    return kind, view


def turns(pitch: float, yaw: float) -> np.ndarray:
    a, b = np.radians(pitch), np.radians(yaw)
    about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    return about_x @ about_y


class Camera:
    """Maps places of the page, in millimetres from its middle, to a picture whose unit is a millimetre seen straight on, and back."""

    def __init__(self, rng, page, view) -> None:
        self.wide, self.high = page
        self.bend, self.curl = view["bend"], view["curl"]
        self.turn = turns(view["pitch"], view["yaw"])
        self.distance = self.wide * rng.uniform(0.85, 1.7)

    def depth(self, x, y):
        return -self.bend * (1 - (2 * x / self.wide) ** 2) - self.curl * (1 - (2 * y / self.high) ** 2)

    def seen(self, x, y):
        z = self.depth(x, y)
        t = self.turn
        away = t[2, 0] * x + t[2, 1] * y + t[2, 2] * z + self.distance
        return (
            (t[0, 0] * x + t[0, 1] * y + t[0, 2] * z) * self.distance / away,
            (t[1, 0] * x + t[1, 1] * y + t[1, 2] * z) * self.distance / away,
        )

    def page(self, u, v):
        """Where the ray through a point of the picture meets the page. A page bends little, so few rounds find it."""
        t = self.turn.T
        eye = -self.distance * t[:, 2]
        ray = [t[i, 0] * u + t[i, 1] * v + t[i, 2] * self.distance for i in range(3)]
        z = 0.0
        for _ in range(1 if self.bend == 0 and self.curl == 0 else 4):
            way = (z - eye[2]) / ray[2]
            x, y = eye[0] + way * ray[0], eye[1] + way * ray[1]
            z = self.depth(x, y)
        return x, y


class Cut:
    """How a strip is cut out of the picture: along what the detector took for the line. `courseOf` of the product does the same."""

    def __init__(self, rng, us, vs, heights) -> None:
        along = np.array([us[-1] - us[0], vs[-1] - vs[0]])
        slope = np.arctan2(along[1], along[0]) + np.radians(rng.normal(0, 0.25))
        self.cos, self.sin = np.cos(slope), np.sin(slope)
        pitch = np.hypot(*along) / (len(us) - 1)
        is_guess = rng.random() < 0.3
        early, late = rng.uniform(-0.6, 1.6, 2) * pitch
        first, last = -pitch / 2 - early, np.hypot(*along) + pitch / 2 + late
        self.half = (last - first) / 2
        middle = (first + last) / 2
        right, down = us - us[0], vs - vs[0]
        a, c = right * self.cos + down * self.sin - middle, down * self.cos - right * self.sin
        curve = np.polyfit(a, c, 2)
        self.bend = curve[0] * rng.choice([1.0, 1.0, rng.uniform(0, 1.3)]) if not is_guess else curve[0] * rng.uniform(0.5, 1.3)
        height = heights.mean()
        off = curve[2] + rng.normal(0, 0.24 if is_guess else 0.08) * height
        self.x = us[0] + middle * self.cos - off * self.sin
        self.y = vs[0] + middle * self.sin + off * self.cos
        taper = np.polyfit(a / self.half, heights / height, 1)[0]
        taper = 0.0 if rng.random() < 0.25 else taper + rng.normal(0, 0.03)
        self.far = -float(np.clip(taper, -0.35, 0.35))

    def picture(self, x, y):
        """From pixels of the strip to the picture."""
        part = (x - WIDTH / 2) / (TEXT_WIDTH / 2)
        away = 1 + self.far * part
        along = self.half * (part + self.far) / away
        across = self.bend * along**2 + (y - HEIGHT / 2) * self.half / (TEXT_WIDTH / 2) * (1 - self.far**2) / away
        return self.x + along * self.cos - across * self.sin, self.y + along * self.sin + across * self.cos

    def strip(self, u, v):
        """And back."""
        right, down = u - self.x, v - self.y
        along = right * self.cos + down * self.sin
        across = down * self.cos - right * self.sin - self.bend * along**2
        share = along / self.half
        part = (share - self.far) / (1 - self.far * share)
        away = 1 + self.far * part
        return (
            WIDTH / 2 + part * TEXT_WIDTH / 2,
            HEIGHT / 2 + across * away / (1 - self.far**2) / self.half * (TEXT_WIDTH / 2),
        )


def photographed(rng, band, left, places, which, count, view):
    page = PAGES[places]
    camera = Camera(rng, page, view)
    # Where the line lies on the page: zones stand at its bottom, but the camera may look at another place.
    line = page[1] / 2 - 6 - (count - 1 - which) * DISTANCE + rng.uniform(-30, 10)
    start = -places * PITCH / 2 + rng.uniform(-3, 3)
    xs = start + (np.arange(places) + 0.5) * PITCH
    us, vs = camera.seen(xs, np.full(places, line))
    above, below = camera.seen(xs, np.full(places, line - GLYPH / 2)), camera.seen(xs, np.full(places, line + GLYPH / 2))
    heights = np.hypot(below[0] - above[0], below[1] - above[1])
    cut = Cut(rng, us, vs, heights)
    pixels = float(np.exp(rng.uniform(np.log(11), np.log(36)))) / (TEXT_WIDTH / (places + 1))
    size = (max(8, round(WIDTH * pixels)), max(8, round(HEIGHT * pixels)))
    coarse = (np.linspace(0, WIDTH, 49), np.linspace(0, HEIGHT, 7))
    gx, gy = np.meshgrid(*coarse)
    px, py = camera.page(*cut.picture(gx, gy))
    to_band = lambda x, y: ((x - start + left) * PER_MM - 0.5, (y - line + BAND_HIGH / 2) * PER_MM - 0.5)
    maps = [stretched(each, size) for each in to_band(px, py)]
    smooth = 0.42 * PER_MM * PITCH / (pixels * TEXT_WIDTH / (places + 1))
    flat = cv2.GaussianBlur(band, (0, 0), max(smooth, 0.35))
    outside = float(rng.uniform(20, 240))
    seen = cv2.remap(flat, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT if rng.random() < 0.5 else cv2.BORDER_REFLECT, borderValue=outside)
    strip = developed(rng, seen, pixels * TEXT_WIDTH / (places + 1))
    x, y = cut.strip(us, vs)
    top, bottom = cut.strip(*above), cut.strip(*below)
    return strip, np.stack([x, y, bottom[1] - top[1]], axis=1).astype(np.float32)


def stretched(values: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """A coarse grid of corners, as one value for the middle of each pixel."""
    rows, columns = values.shape
    xs = (np.arange(size[0], dtype=np.float32) + 0.5) / size[0] * (columns - 1)
    ys = (np.arange(size[1], dtype=np.float32) + 0.5) / size[1] * (rows - 1)
    return cv2.remap(values.astype(np.float32), *np.meshgrid(xs, ys), cv2.INTER_LINEAR)


def developed(rng, seen: np.ndarray, pitch: float) -> np.ndarray:
    """Light, lens, sensor and file. `pitch` is how many pixels of the photograph a place takes."""
    high, wide = seen.shape
    picture = seen * (1 + rng.normal(0, 0.12) * np.linspace(-1, 1, wide, dtype=np.float32))
    picture *= 1 + rng.normal(0, 0.08) * np.linspace(-1, 1, high, dtype=np.float32)[:, None]
    if rng.random() < 0.2:
        picture = shadowed(rng, picture)
    if rng.random() < 0.15:
        picture = lit(rng, picture)
    if rng.random() < 0.12:
        picture = through_screen(rng, picture, pitch)
    if rng.random() < 0.08:
        steep = rng.uniform(12, 50)
        picture = 20 + 215 / (1 + np.exp(-(picture - rng.uniform(120, 170)) / steep))
    light = rng.choice([1.0, 1.0, 1.0, rng.uniform(0.2, 0.8)])
    picture = (picture / 255).clip(0, 1.2) ** rng.uniform(0.75, 1.35) * 255 * light
    picture = unsharp_or_blurred(rng, picture, pitch)
    grain = rng.uniform(0.5, 4) * (1 if light == 1 else rng.uniform(1, 2.5))
    picture += rng.normal(0, grain, picture.shape)
    if rng.random() < 0.4:
        picture += cv2.GaussianBlur(rng.normal(0, 2.5 * grain, picture.shape).astype(np.float32), (0, 0), 1.2)
    quality = int(rng.choice([rng.integers(20, 60), rng.integers(60, 96)], p=[0.35, 0.65]))
    _, file = cv2.imencode(".jpg", picture.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])
    photo = cv2.imdecode(file, cv2.IMREAD_GRAYSCALE)
    return cv2.resize(photo, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA if photo.shape[1] > WIDTH else cv2.INTER_LINEAR)


def shadowed(rng, picture):
    high, wide = picture.shape
    ys, xs = np.mgrid[0:high, 0:wide].astype(np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    edge = (xs - rng.uniform(0, wide)) * np.cos(turn) + (ys - rng.uniform(0, high)) * np.sin(turn)
    return picture * (1 - rng.uniform(0.2, 0.65) / (1 + np.exp(np.minimum(-edge / rng.uniform(1, 60), 80))))


def lit(rng, picture):
    """A lamp that the page reflects. It seldom takes all the ink away."""
    high, wide = picture.shape
    ys, xs = np.mgrid[0:high, 0:wide].astype(np.float32)
    spread = rng.uniform(0.1, 0.7) * wide
    away = ((xs - rng.uniform(0, wide)) / spread) ** 2 + ((ys - rng.uniform(-high, 2 * high)) / (spread * rng.uniform(0.1, 0.8))) ** 2
    return picture + rng.uniform(20, 110) * np.exp(-away)


def through_screen(rng, picture, pitch):
    high, wide = picture.shape
    ys, xs = np.mgrid[0:high, 0:wide].astype(np.float32)
    step, turn = pitch * rng.uniform(0.07, 0.3), rng.uniform(-0.3, 0.3)
    depth = rng.uniform(0.02, 0.14)
    right, down = xs * np.cos(turn) + ys * np.sin(turn), ys * np.cos(turn) - xs * np.sin(turn)
    return picture * (1 + depth * np.sin(2 * np.pi * right / step) + depth * np.sin(2 * np.pi * down / step)) + rng.uniform(0, 25)


def unsharp_or_blurred(rng, picture, pitch):
    picture = cv2.GaussianBlur(picture, (0, 0), max(0.3, rng.uniform(0.015, 0.055) * pitch))
    kind = rng.random()
    if kind < 0.2:
        radius = rng.uniform(0.03, 0.17) * pitch
        side = 2 * int(np.ceil(radius)) + 1
        ys, xs = np.mgrid[0:side, 0:side] - side // 2
        disk = np.clip(radius + 0.5 - np.hypot(xs, ys), 0, 1).astype(np.float32)
        picture = cv2.filter2D(picture, -1, disk / disk.sum())
    elif kind < 0.38:
        length, turn = rng.uniform(0.08, 0.42) * pitch, rng.uniform(0, np.pi)
        side = 2 * int(np.ceil(length / 2)) + 1
        path = np.zeros((side, side), np.float32)
        for share in np.linspace(-0.5, 0.5, 4 * side):
            x, y = side // 2 + share * length * np.cos(turn), side // 2 + share * length * np.sin(turn)
            path[int(round(y)), int(round(x))] += 1
        picture = cv2.filter2D(picture, -1, path / path.sum())
    elif kind < 0.5:
        picture = picture + rng.uniform(0.3, 1.2) * (picture - cv2.GaussianBlur(picture, (0, 0), 1.5))
    return picture
