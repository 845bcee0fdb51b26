/**
 * The characters that ICAO Doc 9303 allows at every place. The key is the length of a line, and a string describes one line. A is a
 * letter, N is a digit, and X is a letter or a digit. For example, 9X means nine places of kind X. The filler `<` is allowed
 * everywhere.
 */
const layouts: Record<number, readonly string[]> = {
  44: ['44A', '9X 1N 3A 7N 1A 7N 14X 2N'],
  36: ['36A', '9X 1N 3A 7N 1A 7N 7X 1N'],
  30: ['5A 9X 1N 15X', '7N 1A 7N 3A 11X 1N', '30A'],
};

/** Zones with as many places in a line, of which others follow each other. Each is known by its beginning. */
const others: readonly { lines: number; places: number; begins: string; layout: readonly string[] }[] = [
  // The French identity card of before 2021.
  { lines: 2, places: 36, begins: 'IDFRA', layout: ['30A 6X', '4N 3X 6N 14A 7N 1A 1N'] },
  // Visas (ICAO Doc 9303, part 7).
  { lines: 2, places: 44, begins: 'V', layout: ['44A', '9X 1N 3A 7N 1A 7N 16X'] },
  { lines: 2, places: 36, begins: 'V', layout: ['36A', '9X 1N 3A 7N 1A 7N 8X'] },
  // The Dutch driving licence.
  { lines: 1, places: 30, begins: 'D1NLD', layout: ['1A 1N 3A 11N 13X 1N'] },
];

/** Digits and the letters that look like them. The most similar letter comes first. */
const lookAlikes = { 0: 'ODQ', 1: 'I', 2: 'Z', 5: 'S', 6: 'G', 8: 'B' } as const;

const letterFor = new Map(Object.entries(lookAlikes).map(([digit, letters]) => [digit, letters.slice(0, 1)]));
const digitFor = new Map(
  Object.entries(lookAlikes).flatMap(([digit, letters]) =>
    Array.from(letters, (letter): [string, string] => [letter, digit]),
  ),
);

/**
 * Replaces look-alikes where only letters or only digits are allowed. For example, an O among digits can only be a 0. All other
 * places stay as they were read. For example, a document number may contain letters and digits, so it is not corrected. A
 * correction could make the check digit right although the number is wrong.
 */
export function folded(lines: string[][]): string[][] {
  const layout = layoutOf(lines);
  if (layout === undefined) return lines;
  return lines.map((line, index) => {
    const kinds = kindsOf(layout[index] ?? '');
    return line.map((character, place) => {
      if (kinds[place] === 'A') return asLetter(character);
      return kinds[place] === 'N' ? asDigit(character) : character;
    });
  });
}

function layoutOf(lines: string[][]): readonly string[] | undefined {
  const [first = []] = lines;
  const other = others.find(
    ({ lines: count, places, begins }) =>
      lines.length === count && first.length === places && beginsWith(first, begins),
  );
  return other?.layout ?? layouts[first.length];
}

/** True if a line begins like this, with look-alikes for letters and for digits. */
export const beginsWith = (line: readonly string[], wanted: string): boolean =>
  Array.from(wanted).every((character, place) => {
    const seen = line[place] ?? '';
    return (/\d/.test(character) ? asDigit(seen) : asLetter(seen)) === character;
  });

const asLetter = (character: string) => letterFor.get(character) ?? character;
const asDigit = (character: string) => digitFor.get(character) ?? character;

const kindsOf = (runs: string): string =>
  runs
    .split(' ')
    .map((run) => run.slice(-1).repeat(Number(run.slice(0, -1))))
    .join('');

/** All characters that look like the given character. */
export function alikeTo(character: string): string[] {
  const groups = Object.entries(lookAlikes).map(([digit, letters]) => digit + letters);
  return groups
    .filter((group) => group.includes(character))
    .flatMap((group) => Array.from(group))
    .filter((other) => other !== character);
}
