"""The texts of zones: valid ones, ones with wrong check digits, and characters by chance, so that a network learns glyphs and no language."""

import numpy as np

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
ALL = DIGITS + LETTERS + "<"
ALIKE = "0OQDCG1IJLT8B35S2Z6G4AUVYWMNHKRPEF<"


def lines_of(rng, places: int) -> tuple[list[str], int]:
    """The lines of a zone whose lines have so many places, and which of them is to be read."""
    by_chance = rng.random() < 0.4
    if by_chance:
        count = 3 if places == 30 else 2
        return [chance(rng, places) for _ in range(count)], int(rng.integers(count))
    lines = {44: passport, 36: older_card, 30: card}[places](rng)
    return lines, int(rng.integers(len(lines)))


def chance(rng, places: int) -> str:
    """Characters by chance, with runs of fillers and runs of one kind."""
    text = ""
    while len(text) < places:
        kind, length = rng.random(), int(rng.integers(1, 13))
        if kind < 0.22:
            text += "<" * length
        elif kind < 0.42:
            text += pick(rng, DIGITS, length)
        elif kind < 0.6:
            text += pick(rng, LETTERS, length)
        elif kind < 0.8:
            text += pick(rng, ALIKE, length)
        else:
            text += pick(rng, ALL, length)
    return text[:places]


def pick(rng, characters: str, count: int) -> str:
    return "".join(characters[i] for i in rng.integers(len(characters), size=count))


def name(rng, most: int) -> str:
    part = lambda: pick(rng, LETTERS, int(rng.integers(1, 12)))
    surname = "<".join(part() for _ in range(rng.choice([1, 1, 1, 2, 3])))
    given = "<".join(part() for _ in range(rng.choice([0, 1, 1, 2, 3])))
    return f"{surname}<<{given}".ljust(most, "<")[:most]


def date(rng) -> str:
    if rng.random() < 0.06:
        return pick(rng, DIGITS, 6) if rng.random() < 0.5 else "<<<<<<"
    return f"{rng.integers(100):02}{rng.integers(1, 13):02}{rng.integers(1, 32):02}"


def number(rng) -> str:
    text = "".join(pick(rng, DIGITS if rng.random() < 0.65 else LETTERS, 1) for _ in range(9))
    return text if rng.random() < 0.8 else text[: rng.integers(5, 9)].ljust(9, "<")


def state(rng) -> str:
    return "D<<" if rng.random() < 0.1 else pick(rng, LETTERS, 3)


def digited(rng, text: str) -> str:
    values = [0 if c == "<" else int(c, 36) for c in text]
    digit = sum(value * (7, 3, 1)[i % 3] for i, value in enumerate(values)) % 10
    return text + (str(digit) if rng.random() < 0.9 else pick(rng, DIGITS + "<", 1))


def optional(rng, length: int) -> str:
    if rng.random() < 0.5:
        return "<" * length
    return pick(rng, DIGITS + (LETTERS if rng.random() < 0.4 else ""), int(rng.integers(1, length + 1))).ljust(length, "<")


def passport(rng) -> list[str]:
    kind = rng.choice(["P<", "P<", "PP", "PN", "PD", "PO", "PS", "V<", "VA"])
    first = f"{kind}{state(rng)}{name(rng, 39)}"
    a, b, c = digited(rng, number(rng)), digited(rng, date(rng)), digited(rng, date(rng))
    rest = digited(rng, optional(rng, 14))
    second = f"{a}{state(rng)}{b}{rng.choice(list('MFX<'))}{c}{rest}"
    return [first, digited(rng, second)[:44]]


def older_card(rng) -> list[str]:
    first = f"{rng.choice(['I<', 'ID', 'AC', 'V<', 'VB'])}{state(rng)}{name(rng, 31)}"
    a, b, c = digited(rng, number(rng)), digited(rng, date(rng)), digited(rng, date(rng))
    second = f"{a}{state(rng)}{b}{rng.choice(list('MFX<'))}{c}{optional(rng, 7)}"
    return [first, digited(rng, second)[:36]]


def card(rng) -> list[str]:
    if rng.random() < 0.12:
        # The driving licence of the Netherlands has one line.
        return [digited(rng, f"D1{state(rng)}{pick(rng, DIGITS, 1)}{pick(rng, DIGITS, 10)}{pick(rng, ALL, 13)}")[:30]]
    first = f"{rng.choice(['I<', 'ID', 'IR', 'AR', 'C<'])}{state(rng)}{digited(rng, number(rng))}{optional(rng, 15)}"
    b, c = digited(rng, date(rng)), digited(rng, date(rng))
    second = digited(rng, f"{b}{rng.choice(list('MFX<'))}{c}{state(rng)}{optional(rng, 11)}")
    return [first, second[:30], name(rng, 30)]
