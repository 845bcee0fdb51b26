/**
 * The kinds of characters that ICAO Doc 9303 allows, by length of a line: letters (A), digits (N) or both (X). 9X means nine
 * places. The filler `<` is allowed everywhere.
 */
const layouts: Record<number, readonly string[]> = {
  44: ['44A', '9X 1N 3A 7N 1A 7N 14X 2N'],
  36: ['36A', '9X 1N 3A 7N 1A 7N 7X 1N'],
  30: ['5A 9X 1N 15X', '7N 1A 7N 3A 11X 1N', '30A'],
};

/** Digits and the letters that look like them, the most similar letter first. */
const lookAlikes = { 0: 'ODQ', 1: 'I', 2: 'Z', 5: 'S', 6: 'G', 8: 'B' } as const;

const letterFor = new Map(Object.entries(lookAlikes).map(([digit, letters]) => [digit, letters.slice(0, 1)]));
const digitFor = new Map(
  Object.entries(lookAlikes).flatMap(([digit, letters]) =>
    Array.from(letters, (letter): [string, string] => [letter, digit]),
  ),
);

/**
 * Replaces look-alikes where only letters or only digits are allowed: there an O can only be a 0, or the reverse. Other places stay
 * as they were read. A document number may hold both kinds, and a correction that makes the check digit right can be wrong.
 */
export function folded(lines: string[][]): string[][] {
  const layout = layouts[lines[0]?.length ?? 0];
  // The French identity card with 36 places has another layout.
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

/** All characters that look like this one. */
export function alikeTo(character: string): string[] {
  const groups = Object.entries(lookAlikes).map(([digit, letters]) => digit + letters);
  return groups
    .filter((group) => group.includes(character))
    .flatMap((group) => Array.from(group))
    .filter((other) => other !== character);
}
