"""How well the network tells pictures apart: python test/training/recapture/judge.py --network FOLDER --drawn FOLDER [--limit 0.7]

`--network` is the folder of a training, and `--drawn` has pictures of `draw.ts` of another seed. Without a limit it says which limits leave
so many documents in doubt. With one it prints a table.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from network import Answer, RecaptureNetwork
from pictures import drawn_in, opened, parts_of

KINDS = [
    "document",
    "screen of a computer, sharp",
    "screen of a computer, not sharp",
    "screen of a phone",
    "print in dots",
    "copy in black and white",
    "copy in colour, laser",
    "copy in colour, ink-jet",
]
"""As in `kinds.ts`."""


@torch.no_grad()
def shares(network: Path, drawn: Path) -> tuple[np.ndarray, np.ndarray]:
    learned = RecaptureNetwork()
    learned.load_state_dict(torch.load(network / "network.pt", weights_only=True))
    answer = Answer(learned.eval())
    random = np.random.default_rng(1)
    pictures = drawn_in(drawn)
    parts = (torch.from_numpy(parts_of(opened(each.file), random)).float() for each in pictures)
    return np.array([each.kind for each in pictures]), np.array([answer(each).mean().sigmoid().item() for each in parts])


def interval(found: int, whole: int) -> str:
    """The interval of Wilson, 95 %."""
    share, z = found / whole, 1.96
    middle = (share + z**2 / (2 * whole)) / (1 + z**2 / whole)
    half = z * np.sqrt(share * (1 - share) / whole + (z / (2 * whole)) ** 2) / (1 + z**2 / whole)
    return f"{100 * max(0, middle - half):.0f} to {100 * min(1, middle + half):.0f} %"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--drawn", type=Path, required=True)
    parser.add_argument("--limit", type=float)
    options = parser.parse_args()
    torch.set_num_threads(1)
    kinds, said = shares(options.network, options.drawn)
    if options.limit is None:
        for doubted in (0.01, 0.02, 0.03, 0.05):
            limit = float(np.quantile(said[kinds == 0], 1 - doubted))
            print(f"{100 * doubted:.0f} % of documents: {limit:.3f}, then {(said[kinds > 0] > limit).mean():.1%} of all others")
        return
    rows = [(name, kinds == kind) for kind, name in enumerate(KINDS)] + [("all but documents", kinds > 0)]
    for name, which in rows:
        found, whole = int((said[which] > options.limit).sum()), int(which.sum())
        print(f"| {name} | {found} of {whole} | {100 * found / whole:.0f} % | {interval(found, whole)} |")


if __name__ == "__main__":
    main()
