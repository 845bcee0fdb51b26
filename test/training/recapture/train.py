"""Trains the network of recaptures: python test/training/recapture/train.py --drawn FOLDER --others FOLDER --into FOLDER

`--drawn` has the pictures of `draw.ts`, and `--others` documents of another program that draws. The result is `recapture.onnx`, and its
figures are `figures.json`.
"""

import argparse
import hashlib
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from network import SIDE, Answer, RecaptureNetwork, Spectra
from pictures import PARTS, Drawn, changed, drawn_in, opened, parts_of

SEED = 20261128
BATCH = 24
HELD_OUT = 7
"""Every seventh drawing is not trained on, but looked at to see how the training goes."""
OTHERS = 16
"""Of the other documents, those with an index below this one are trained on."""


class Spectrum:
    """The spectra of the parts of all pictures, some changes of each."""

    def __init__(self, changes: int, kept: Path) -> None:
        self.changes, self.kept, self.spectra = changes, kept, Spectra()
        kept.mkdir(parents=True, exist_ok=True)

    @torch.no_grad()
    def of(self, drawing: Drawn, inner: float, other: bool) -> torch.Tensor:
        file = self.kept / f"{'other' if other else 'drawn'}-{drawing.file.stem}.npy"
        if file.exists():
            return torch.from_numpy(np.load(file))
        random = np.random.default_rng([SEED, int(other), drawing.kind, drawing.index])
        picture = opened(drawing.file)
        taken = [picture, *(changed(picture, random) for _ in range(self.changes - 1))]
        maps = [self.spectra(torch.from_numpy(parts_of(each, random, inner)).float()).half() for each in taken]
        whole = torch.stack(maps)
        np.save(file, whole.numpy())
        return whole


def mirrored(spectra: torch.Tensor, random: np.random.Generator) -> torch.Tensor:
    """A mirrored picture has a mirrored spectrum. The row of -32 waves has no partner, and stays."""
    if random.random() < 0.5:
        return spectra
    return torch.cat([spectra[..., :1, :], spectra[..., 1:, :].flip(-2)], -2)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--drawn", type=Path, required=True)
    parser.add_argument("--others", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=16)
    parser.add_argument("--changes", type=int, default=3)
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    random = np.random.default_rng(SEED)
    log = (options.into / "log.txt").open("a")

    def say(text: str) -> None:
        print(text, flush=True)
        print(text, file=log, flush=True)

    began = time.time()
    spectrum = Spectrum(options.changes, options.into / "spectra")
    drawings = [(each, False) for each in drawn_in(options.drawn)]
    drawings += [(each._replace(kind=0), True) for each in drawn_in(options.others) if each.index < OTHERS]
    maps = [spectrum.of(each, 0.6 if other else 1.0, other) for each, other in drawings]
    kinds = np.array([each.kind for each, _ in drawings])
    held = np.array([each.index % HELD_OUT == HELD_OUT - 1 for each, _ in drawings])
    other = np.array([each for _, each in drawings])
    say(f"{len(drawings)} pictures, {held.sum()} of them not trained on, {time.time() - began:.0f} s")

    network = RecaptureNetwork()
    some = torch.cat([maps[at].flatten(0, 1) for at in random.permutation(len(maps))[:150]]).float()
    network.eye.mean.copy_(some.mean(dim=(0, 2, 3), keepdim=True))
    network.eye.spread.copy_(some.std(dim=(0, 2, 3), keepdim=True))
    say(f"{sum(each.numel() for each in network.parameters()):,} parameters, torch {torch.__version__}")
    trainer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=2e-2)
    learned = np.flatnonzero(~held)
    steps = options.rounds * (len(learned) // BATCH)
    pace = torch.optim.lr_scheduler.OneCycleLR(trainer, 2e-3, total_steps=steps + 1, pct_start=0.15)
    for turn in range(1, options.rounds + 1):
        network.train()
        mean = 0.0
        order = random.permutation(learned)
        for first in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[first : first + BATCH]
            count = int(random.integers(2, PARTS))
            bags = []
            for at in chosen:
                parts = maps[at][random.integers(options.changes)]
                parts = parts[random.permutation(PARTS)[:count]].float()
                parts = mirrored(parts, random)
                # A picture may be a little brighter or have a little more colour.
                gain = torch.from_numpy(np.tile(random.normal(0, 0.3, 3), 2)).float()[None, :, None, None]
                bags.append(parts + gain)
            wanted = torch.from_numpy((kinds[chosen] > 0).astype(np.float32))
            loss = F.binary_cross_entropy_with_logits(network(torch.stack(bags)), 0.02 + 0.96 * wanted)
            trainer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
            trainer.step()
            pace.step()
            mean += loss.item() / (len(order) // BATCH)
        scores = logits(network, [maps[at][:1] for at in np.flatnonzero(held)])
        unseen = float(F.binary_cross_entropy_with_logits(torch.from_numpy(scores), torch.from_numpy((kinds[held] > 0) * 1.0)))
        say(f"round {turn}: loss {mean:.4f}, held out {unseen:.4f}, {json.dumps(told(scores, kinds[held], other[held]))}, {time.time() - began:.0f} s")
    torch.save(network.state_dict(), options.into / "network.pt")
    finish(network, maps, kinds, held, other, options, len(drawings))


@torch.no_grad()
def logits(network: RecaptureNetwork, maps: list[torch.Tensor]) -> np.ndarray:
    network.eval()
    return np.array([network(each.float()).mean().item() for each in maps])


def told(scores: np.ndarray, kinds: np.ndarray, other: np.ndarray, doubted: float = 0.03) -> dict:
    """The share of each kind above the logit that so many documents of the same program reach."""
    limit = float(np.quantile(scores[(kinds == 0) & ~other], 1 - doubted))
    shares = {str(kind): round(float((scores[kinds == kind] > limit).mean()), 2) for kind in sorted({*kinds} - {0})}
    whole = round(float((scores[kinds > 0] > limit).mean()), 3)
    return {"limit": round(limit, 2), "all": whole, "kinds": shares, "others": round(float((scores[other] > limit).mean()), 2)}


def finish(network: RecaptureNetwork, maps, kinds, held, other, options, count: int) -> None:
    figures = told(logits(network, [maps[at][:1] for at in np.flatnonzero(held)]), kinds[held], other[held])
    figures |= {"pictures": count, "rounds": options.rounds}
    file = options.into / "recapture.onnx"
    torch.onnx.export(
        Answer(network.eval()),
        torch.zeros(2, 3, SIDE, SIDE),
        str(file),
        opset_version=17,
        dynamo=False,
        input_names=["parts"],
        output_names=["logits"],
        dynamic_axes={"parts": {0: "parts"}},
    )
    figures["weights"] = hashlib.sha256(file.read_bytes()).hexdigest()
    (options.into / "figures.json").write_text(f"{json.dumps(figures, indent=2)}\n")


if __name__ == "__main__":
    main()
