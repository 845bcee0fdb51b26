"""The network that tells pictures of screens, prints and copies from those of documents, by the spectra of parts of a picture."""

import torch
from torch import nn

SIDE = 256
"""The side of a part, in pixels."""
TILE = 64
"""The side of a tile whose spectrum is taken."""
HALF = TILE // 2
FEATURES = 96


class Spectra(nn.Module):
    """The mean spectra of the tiles of each part. A pattern that is everywhere stays, and a letter that is in one tile nearly vanishes."""

    def __init__(self) -> None:
        super().__init__()
        places = torch.arange(TILE).float()
        window = torch.sin(torch.pi * (places + 0.5) / TILE) ** 2
        # Rows stand for -32 to 31 waves down a tile, columns for 0 to 32 waves across it.
        across = 2 * torch.pi * places[:, None] * torch.arange(HALF + 1)[None] / TILE
        down = 2 * torch.pi * torch.arange(-HALF, HALF)[:, None] * places[None] / TILE
        self.register_buffer("window", window[:, None] * window[None])
        self.register_buffer("across", torch.cat([across.cos(), -across.sin()], 1))
        self.register_buffer("down", torch.cat([down.cos(), down.sin()], 0))
        # The power of what is lost when a grey value becomes a whole number. Less than this is nothing.
        self.quiet = float((window**2).sum() ** 2 / 12)
        self.register_buffer("planes", torch.tensor([[0.299, 0.587, 0.114], [1.0, -1.0, 0.0], [0.0, -1.0, 1.0]])[:, :, None, None])

    def forward(self, parts: torch.Tensor) -> torch.Tensor:
        """From parts of red, green and blue come six maps: of grey, red less green and blue less green, two each."""
        planes = nn.functional.conv2d(parts, self.planes)
        tiles = torch.cat([cut(planes, right, below) for below in (0, HALF) for right in (0, HALF)], 2)
        tiles = (tiles - tiles.mean(dim=(3, 4), keepdim=True)) * self.window
        rows = torch.matmul(tiles, self.across)
        both = torch.matmul(self.down, rows)
        real = both[..., :TILE, : HALF + 1] + both[..., TILE:, HALF + 1 :]
        imaginary = both[..., :TILE, HALF + 1 :] - both[..., TILE:, : HALF + 1]
        power = real * real + imaginary * imaginary + self.quiet
        return torch.cat([power.log().mean(2), power.mean(2).log()], 1)


def cut(planes: torch.Tensor, right: int, below: int) -> torch.Tensor:
    """All tiles of parts, beginning so far from the left and from the top."""
    across, down = (SIDE - right) // TILE, (SIDE - below) // TILE
    inner = planes[:, :, below : below + down * TILE, right : right + across * TILE]
    return inner.reshape(-1, 3, down, TILE, across, TILE).permute(0, 1, 2, 4, 3, 5).reshape(-1, 3, down * across, TILE, TILE)


def look(into: int, out: int, side: int = 3) -> nn.Sequential:
    convolution = nn.Conv2d(into, out, side, 1, side // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(out), nn.ReLU(inplace=True), nn.MaxPool2d(2))


WAVES_MIN = 7
"""Longer waves, fewer of which are in a tile, are letters and guilloches."""
HIGHEST = 4
"""So many of the highest peaks of a spectrum are told apart."""


class Heights(nn.Module):
    """How far each place of a spectrum stands out of what is around it, in the direction where that is least. A line does not stand out."""

    def __init__(self) -> None:
        super().__init__()
        kernels = torch.zeros(4, 1, 11, 11)
        for way, (right, down) in enumerate([(1, 0), (0, 1), (1, 1), (1, -1)]):
            for off in (-5, -4, -3, -2, 2, 3, 4, 5):
                kernels[way, 0, 5 + off * down, 5 + off * right] = 1 / 8
        self.register_buffer("kernels", kernels)

    def forward(self, logs: torch.Tensor) -> torch.Tensor:
        # The half of the spectrum that was not taken mirrors the other one.
        mirror = torch.cat([logs[..., :1, 1:6], logs[..., 1:, 1:6].flip(-2)], -2).flip(-1)
        wide = nn.functional.pad(torch.cat([mirror, logs], -1), (0, 5, 5, 5), mode="replicate")
        around = nn.functional.conv2d(wide.flatten(0, 1)[:, None], self.kernels).amax(1)
        return logs - around.reshape(logs.shape)


class Eye(nn.Module):
    """Looks at the spectra of parts. Where a wave is in the spectrum matters, so each place knows its frequency."""

    def __init__(self) -> None:
        super().__init__()
        v, u = torch.meshgrid(torch.arange(-HALF, HALF).float(), torch.arange(HALF + 1).float(), indexing="ij")
        jpeg = torch.cos(torch.pi * u / 4).clamp(0) * torch.cos(torch.pi * v / 4).clamp(0)
        self.register_buffer("places", torch.stack([torch.hypot(u, v) / HALF, u / HALF, v.abs() / HALF, jpeg])[None])
        # The blocks of a JPEG have waves of their own.
        self.register_buffer("counted", (torch.hypot(u, v) > WAVES_MIN).float() * (jpeg < 0.45).float())
        self.register_buffer("mean", torch.zeros(1, 6, 1, 1))
        self.register_buffer("spread", torch.ones(1, 6, 1, 1))
        self.heights = Heights()
        self.looks = nn.Sequential(look(13, 16), look(16, 32), look(32, 48))
        self.near = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(48 * 8 * 4, FEATURES), nn.ReLU(inplace=True))

    def forward(self, spectra: torch.Tensor) -> torch.Tensor:
        known = (spectra - self.mean) / self.spread
        heights = self.heights(spectra[:, :3])
        seen = self.looks(torch.cat([known, heights, self.places.expand(known.shape[0], -1, -1, -1)], 1))
        highest = (heights * self.counted).flatten(2).topk(HIGHEST, 2).values.flatten(1)
        return torch.cat([self.near(seen), seen.amax(dim=(2, 3)), seen.mean(dim=(2, 3)), highest], 1)


class Judge(nn.Module):
    """One logit for each part, from what the eye saw in it. That of a picture is their mean."""

    def __init__(self) -> None:
        super().__init__()
        width = FEATURES + 2 * 48 + 3 * HIGHEST
        self.each = nn.Sequential(nn.Dropout(0.2), nn.Linear(width, 48), nn.ReLU(inplace=True))
        self.all = nn.Linear(48, 1)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """`seen` has features as its last dimension."""
        return self.all(self.each(seen)).squeeze(-1)


class RecaptureNetwork(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.eye, self.judge = Eye(), Judge()

    def forward(self, spectra: torch.Tensor) -> torch.Tensor:
        """Spectra of the parts of pictures: pictures, parts, six maps."""
        pictures, parts = spectra.shape[:2]
        return self.judge(self.eye(spectra.flatten(0, 1))).reshape(pictures, parts).mean(1)


class Answer(nn.Module):
    """What is exported: a logit for each part. The product takes their mean, so it can look at one part after the other."""

    def __init__(self, network: RecaptureNetwork) -> None:
        super().__init__()
        self.spectra, self.network = Spectra(), network

    def forward(self, parts: torch.Tensor) -> torch.Tensor:
        return self.network.judge(self.network.eye(self.spectra(parts)))
