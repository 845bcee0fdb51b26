/**
 * Where ICAO Doc 9303 allows letters alone (A), digits alone (N) or both (X), as runs: 9X is nine places. The filler may
 * stand anywhere.
 */
const layouts: Record<number, readonly string[]> = {
  44: ['44A', '9X 1N 3A 7N 1A 7N 14X 2N'],
  36: ['36A', '9X 1N 3A 7N 1A 7N 7X 1N'],
  30: ['5A 9X 1N 15X', '7N 1A 7N 3A 11X 1N', '30A'],
};

/** A digit, and the letters that it is taken for; what it looks like most comes first. */
const lookAlikes = { 0: 'ODQ', 1: 'I', 2: 'Z', 5: 'S', 6: 'G', 8: 'B' } as const;

const letterFor = new Map(Object.entries(lookAlikes).map(([digit, letters]) => [digit, letters.slice(0, 1)]));
const digitFor = new Map(
  Object.entries(lookAlikes).flatMap(([digit, letters]) =>
    Array.from(letters, (letter): [string, string] => [letter, digit]),
  ),
);

/**
 * Where only letters or only digits can stand, the one is taken for the other that it looks like. Nowhere else: a document's
 * number may hold both, and what is put right there until a check digit holds is soon wrong and holds.
 */
export function folded(lines: string[][]): string[][] {
  const layout = layouts[lines[0]?.length ?? 0];
  // The French identity card of 36 places has a layout of its own.
  if (layout === undefined || lines[0]?.slice(0, 5).join('') === 'IDFRA') return lines;
  return lines.map((line, index) => {
    const kinds = kindsOf(layout[index] ?? '');
    return line.map((character, place) => {
      if (kinds[place] === 'A') return letterFor.get(character) ?? character;
      return kinds[place] === 'N' ? (digitFor.get(character) ?? character) : character;
    });
  });
}

const kindsOf = (runs: string): string =>
  runs
    .split(' ')
    .map((run) => run.slice(-1).repeat(Number(run.slice(0, -1))))
    .join('');

/** The other characters that one may be mistaken for. */
export function alikeTo(character: string): string[] {
  const groups = Object.entries(lookAlikes).map(([digit, letters]) => digit + letters);
  return groups
    .filter((group) => group.includes(character))
    .flatMap((group) => Array.from(group))
    .filter((other) => other !== character);
}
