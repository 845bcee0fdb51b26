"""Trains the reader of zones: python test/training/zone/train.py --into FOLDER

Goes on where the last run with this folder ended. Everything depends on the seeds below. The result is `zone.onnx`, and its figures are
`figures.json`.
"""

import argparse
import hashlib
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from draw import ALPHABET, HEIGHT, WIDTH, Artist, Sample
from network import CLASSES, STEP, STEPS, Answer, ZoneNetwork

TRAINING_SEED, VALIDATION_SEED = 20261127, 19
BATCH = 48
NOTHING = CLASSES - 1
UNSURE = -100
LONGEST = 44
SAME_PLACE = 5
NOTHING_MAX = 0.5


class Lines(Dataset):
    """Lines of a seed. Each process draws its own, and the same index is the same line."""

    def __init__(self, seed: int, first: int, count: int) -> None:
        self.seed, self.first, self.count, self.artist = seed, first, count, None

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Sample:
        self.artist = self.artist or Artist()
        return self.artist.sample(self.seed, self.first + index)


def together(samples: list[Sample]) -> dict:
    strips = torch.from_numpy(np.stack([each.strip for each in samples]))[:, None]
    targets = [targets_of(each) for each in samples]
    return {
        "strips": strips,
        "steps": torch.from_numpy(np.stack([each[0] for each in targets])),
        "places": torch.from_numpy(np.stack([each[1] for each in targets])),
        "texts": torch.tensor([[ALPHABET.index(c) for c in each.text.ljust(LONGEST, "<")] for each in samples]),
        "lengths": torch.tensor([len(each.text) for each in samples]),
        "samples": samples,
    }


def targets_of(sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    """For each step its class, and the way to the nearest character in units of eight pixels. NaN where there is none."""
    classes = np.full(STEPS, NOTHING, np.int64)
    places = np.full((3, STEPS), np.nan, np.float32)
    if sample.text == "":
        return classes, places
    xs, ys, heights = sample.places.T
    middles = (np.arange(STEPS) + 0.5) * STEP
    nearest = np.abs(middles[:, None] - xs[None]).argmin(1)
    right = xs[nearest] - middles
    pitch = float(np.diff(xs).mean())
    inside = np.abs(right) < 0.6 * pitch
    places[:, inside] = np.stack([right, ys[nearest] - HEIGHT / 2, heights[nearest]])[:, inside] / 8
    characters = np.array([ALPHABET.index(c) for c in sample.text])
    # The step with the middle of a character is its own. The next ones may say either, and those between two characters say nothing.
    classes[np.abs(right) < 0.36 * pitch] = UNSURE
    classes[np.clip((xs / STEP).astype(int), 0, STEPS - 1)] = characters
    return classes, places


def losses(network: ZoneNetwork, batch: dict) -> torch.Tensor:
    classes, places = network(batch["strips"].float())
    steps = F.cross_entropy(classes, batch["steps"], ignore_index=UNSURE)
    wanted = batch["places"]
    known = ~wanted.isnan()
    where = F.smooth_l1_loss(places[known], wanted[known], beta=0.1)
    text = F.ctc_loss(
        classes.log_softmax(1).permute(2, 0, 1),
        batch["texts"],
        torch.full((len(classes),), STEPS),
        batch["lengths"],
        blank=NOTHING,
        zero_infinity=True,
    )
    return steps + 0.5 * where + 0.25 * text


def read(probabilities: np.ndarray, right: np.ndarray) -> list[tuple[int, float, int]]:
    """Characters of a line: class, probability and step. Steps that see one at about the same place see the same, as in the product."""
    groups: list[tuple[float, list[int]]] = []
    for step in np.flatnonzero(probabilities[:, NOTHING] <= NOTHING_MAX):
        x = (step + 0.5) * STEP + right[step]
        if groups and abs(x - groups[-1][0]) < SAME_PLACE:
            groups[-1][1].append(int(step))
        else:
            groups.append((x, [int(step)]))
    found = []
    for _, steps in groups:
        best = int(probabilities[steps, :NOTHING].sum(0).argmax())
        peak = steps[int(probabilities[steps, best].argmax())]
        found.append((best, float(probabilities[peak, best]), peak))
    return found


def distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


@torch.no_grad()
def validate(network: ZoneNetwork, count: int, workers: int, temperature: float = 1.0, seed: int = VALIDATION_SEED) -> dict:
    network.eval()
    kinds: dict[str, list[int]] = {}
    sure: list[tuple[float, bool]] = []
    off = []
    for batch in loaded(Lines(seed, 0, count), workers):
        classes, places = network(batch["strips"].float())
        table = torch.softmax(classes / temperature, 1).transpose(1, 2).numpy()
        for sample, probabilities, place in zip(batch["samples"], table, places.numpy()):
            found = read(probabilities, 8 * place[0])
            text = "".join(ALPHABET[c] for c, _, _ in found)
            row = kinds.setdefault(sample.kind, [0, 0, 0, 0])
            row[0] += 1
            row[1] += text == sample.text
            row[2] += len(sample.text)
            row[3] += distance(text, sample.text)
            if len(text) == len(sample.text) > 0:
                sure += [(p, c == ALPHABET.index(t)) for (c, p, _), t in zip(found, sample.text)]
                off += [abs((s + 0.5) * STEP + 8 * place[0, s] - x) for (_, _, s), x in zip(found, sample.places[:, 0])]
    network.train()
    return {
        "kinds": {
            kind: {"lines": n, "right": round(right / n, 4)} | ({"wrong in 100,000": round(1e5 * wrong / c, 1)} if c else {})
            for kind, (n, right, c, wrong) in sorted(kinds.items())
        },
        "pixels beside": round(float(np.mean(off)), 2) if off else None,
        "sure": sure,
    }


def reliability(sure: list[tuple[float, bool]]) -> list[dict]:
    edges = [0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999, 1.000001]
    rows = []
    for low, high in zip(edges, edges[1:]):
        inside = [(p, right) for p, right in sure if low <= p < high]
        if inside:
            rows.append(
                {
                    "from": low,
                    "characters": len(inside),
                    "said": round(float(np.mean([p for p, _ in inside])), 5),
                    "right": round(float(np.mean([r for _, r in inside])), 5),
                }
            )
    return rows


@torch.no_grad()
def calibrated(network: ZoneNetwork, count: int, workers: int) -> float:
    """The temperature at which the probabilities of whole lines are the likeliest, on lines that are used for nothing else."""
    network.eval()
    scores, wanted = [], []
    for batch in loaded(Lines(VALIDATION_SEED + 1, 0, count), workers):
        classes, _ = network(batch["strips"].float())
        known = (batch["steps"] != UNSURE) & (batch["steps"] != NOTHING)
        scores.append(classes.transpose(1, 2)[known])
        wanted.append(batch["steps"][known])
    logits, targets = torch.cat(scores), torch.cat(wanted)
    tried = np.linspace(0.7, 2.5, 37)
    return float(min(tried, key=lambda t: F.cross_entropy(logits / t, targets).item()))


def loaded(lines: Lines, workers: int) -> DataLoader:
    return DataLoader(lines, BATCH, num_workers=workers, collate_fn=together, prefetch_factor=4 if workers else None)


def data_hash() -> str:
    """The SHA-256 of the first 2,000 training lines: other drawings have another one."""
    artist, digest = Artist(), hashlib.sha256()
    for index in range(2000):
        sample = artist.sample(TRAINING_SEED, index)
        digest.update(sample.strip.tobytes() + sample.text.encode())
    return digest.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=3200)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(TRAINING_SEED)
    torch.set_num_threads(options.threads)
    network = ZoneNetwork().to(memory_format=torch.channels_last)
    trainer = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=1e-2)
    pace = torch.optim.lr_scheduler.OneCycleLR(trainer, 3e-3, total_steps=options.steps + 1, pct_start=0.08)
    kept = options.into / "training.pt"
    done = 0
    if kept.exists():
        state = torch.load(kept, weights_only=True)
        done = state["done"]
        network.load_state_dict(state["network"])
        trainer.load_state_dict(state["trainer"])
        pace.load_state_dict(state["pace"])
    log = (options.into / "log.txt").open("a")

    def say(text: str) -> None:
        print(text, flush=True)
        print(text, file=log, flush=True)

    if done == 0:
        say(f"{sum(p.numel() for p in network.parameters()):,} parameters, torch {torch.__version__}")
    lines = Lines(TRAINING_SEED, done * BATCH, (options.steps - done) * BATCH)
    began, mean = time.time(), 0.0
    for done, batch in enumerate(loaded(lines, options.workers), done + 1):
        trainer.zero_grad()
        loss = losses(network, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        trainer.step()
        pace.step()
        mean = loss.item() if mean == 0 else 0.98 * mean + 0.02 * loss.item()
        if done % 100 == 0:
            say(f"step {done}: loss {mean:.4f}, {time.time() - began:.0f} s")
        if done % 400 == 0 or done == options.steps:
            torch.save(
                {"done": done, "network": network.state_dict(), "trainer": trainer.state_dict(), "pace": pace.state_dict()}, kept
            )
            say(f"step {done}: {json.dumps(validate(network, 480, options.workers)['kinds'])}")
    finish(network, options, say)


def finish(network: ZoneNetwork, options, say) -> None:
    temperature = calibrated(network, 1500, options.workers)
    figures = validate(network, 6000, options.workers, temperature)
    figures["reliability"] = reliability(figures.pop("sure"))
    figures |= {"temperature": round(temperature, 3), "data": data_hash(), "steps": options.steps, "lines": options.steps * BATCH}
    answer = Answer(network.eval(), temperature)
    example = torch.zeros(1, 1, HEIGHT, WIDTH)
    names = {"input_names": ["strips"], "output_names": ["steps"]}
    axes = {"dynamic_axes": {"strips": {0: "lines"}, "steps": {0: "lines"}}}
    torch.onnx.export(answer, example, str(options.into / "zone.onnx"), opset_version=17, dynamo=False, **names, **axes)
    figures["weights"] = hashlib.sha256((options.into / "zone.onnx").read_bytes()).hexdigest()
    (options.into / "figures.json").write_text(f"{json.dumps(figures, indent=2)}\n")


if __name__ == "__main__":
    main()
