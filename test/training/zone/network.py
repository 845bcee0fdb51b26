"""The network that reads a line of a zone: convolutions over a strip, one answer every four pixels."""

import torch
from torch import nn

from draw import ALPHABET, HEIGHT, WIDTH

STEP = 4
STEPS = WIDTH // STEP
CLASSES = len(ALPHABET) + 1
"""The last class is: no character has its middle here."""


def block(into: int, out: int, stride: tuple[int, int], high: int = 3, wide: int = 3, spread: int = 1) -> nn.Sequential:
    padding = (high // 2 if wide > 1 else 0, wide // 2 * spread)
    return nn.Sequential(
        nn.Conv2d(into, out, (high, wide), stride, padding, (1, spread), bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU(inplace=True),
    )


class Along(nn.Module):
    """Looks along the line, at neighbours near and far."""

    def __init__(self, channels: int, spread: int) -> None:
        super().__init__()
        self.look = block(channels, channels, (1, 1), 1, 5, spread)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.look(x)


class ZoneNetwork(nn.Module):
    """Strips of grey from 0 to 255 in; out come, for each step, the logits of the classes, and where the nearest character is."""

    def __init__(self) -> None:
        super().__init__()
        self.eyes = nn.Sequential(
            block(1, 24, (2, 2)),
            block(24, 40, (2, 2)),
            block(40, 64, (2, 1)),
            block(64, 96, (2, 1)),
            block(96, 128, (1, 1), HEIGHT // 16, 1),
        )
        self.along = nn.Sequential(*(Along(128, spread) for spread in (1, 2, 1, 3)))
        self.classes = nn.Conv1d(128, CLASSES, 1)
        self.place = nn.Conv1d(128, 3, 1)

    def forward(self, strips: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        mean = strips.mean(dim=(2, 3), keepdim=True)
        spread = ((strips - mean) ** 2).mean(dim=(2, 3), keepdim=True).sqrt()
        line = self.along(self.eyes((strips - mean) / (spread + 4))).squeeze(2)
        return self.classes(line), self.place(line)


class Answer(nn.Module):
    """What is exported: the calibrated probability of each class, and right, down and height in pixels, as one table of a row a step."""

    def __init__(self, network: ZoneNetwork, temperature: float) -> None:
        super().__init__()
        self.network, self.temperature = network, temperature

    def forward(self, strips: torch.Tensor) -> torch.Tensor:
        classes, place = self.network(strips)
        return torch.cat([torch.softmax(classes / self.temperature, 1), place * 8], 1).transpose(1, 2)
