"""Parts of the drawn pictures, changed as phones and uploads change them."""

from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from network import SIDE

PARTS = 6
BLOCK = 8
"""The blocks of a JPEG. Parts begin where one does, as in the product."""


class Drawn(NamedTuple):
    file: Path
    kind: int
    index: int


def drawn_in(folder: Path) -> list[Drawn]:
    """The pictures of `draw.ts`, named by seed, kind and index, or the fronts of `measure-zones.ts`."""
    found = []
    for file in sorted(each for each in folder.glob("*-*-*.jpg") if not each.stem.endswith("back")):
        _, kind, index = file.stem.split("-")[:3]
        found.append(Drawn(file, int(kind), int(index)))
    return found


def opened(file: Path) -> np.ndarray:
    return cv2.cvtColor(cv2.imread(str(file)), cv2.COLOR_BGR2RGB)


def changed(picture: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Other light, other colours, another size, another way up, and saved once more. Then the product saves it."""
    values = picture.astype(np.float32) / 255
    if random.random() < 0.4:
        scale = random.uniform(0.75, 1)
        size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
        values = cv2.resize(values, size, interpolation=cv2.INTER_AREA)
    grey = values @ np.array([0.299, 0.587, 0.114], np.float32)
    values = grey[..., None] + random.uniform(0.45, 1.3) * (values - grey[..., None])
    values = random.uniform(0.8, 1.1) * np.clip(values, 0, 1) ** random.uniform(0.8, 1.25)
    values = np.rot90(values, random.integers(4))
    if random.random() < 0.5:
        values = values[:, ::-1]
    whole = np.ascontiguousarray(np.clip(255 * values, 0, 255).astype(np.uint8))
    qualities = [int(random.integers(60, 97))] if random.random() < 0.6 else []
    for quality in (*qualities, 88):
        _, jpeg = cv2.imencode(".jpg", whole[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        whole = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)[..., ::-1]
    return np.ascontiguousarray(whole)


def parts_of(picture: np.ndarray, random: np.random.Generator, inner: float = 1.0) -> np.ndarray:
    """Parts by chance, as planes of red, green and blue. `inner` is the share of the picture in its middle that has the document."""
    high, wide = picture.shape[:2]
    columns, rows = (3, 2) if wide >= high else (2, 3)

    def begin(length: int, count: int, at: int) -> int:
        first, room = length * (1 - inner) / 2, length * inner - SIDE
        spot = first + max(room, 0) * np.clip((at + random.uniform(-0.3, 0.3)) / (count - 1), 0, 1)
        return int(min(max(round(spot / BLOCK) * BLOCK, 0), (length - SIDE) // BLOCK * BLOCK))

    parts = []
    for row in range(rows):
        for column in range(columns):
            x, y = begin(wide, columns, column), begin(high, rows, row)
            parts.append(picture[y : y + SIDE, x : x + SIDE].transpose(2, 0, 1))
    return np.stack(parts)
