import { accented, cyrillic, further, latin, type Row } from './transliteration.ts';

/** The spellings of each letter, from all tables in which it stands. */
const spellings = new Map<string, Set<string>>();
for (const [letters, ...ways] of [latin, cyrillic, further].flat())
  for (const letter of letters) spellings.set(letter, new Set([...(spellings.get(letter) ?? []), ...ways]));

const ofAnyAccent = new Map(accented.map(([base, ...ways]: Row): [string, string[]] => [base, ways]));

function spellingsOf(letter: string): string[] {
  const base = letter.normalize('NFD').charAt(0);
  const known = [...(spellings.get(letter) ?? [])];
  if (base !== letter) known.push(...(ofAnyAccent.get(base) ?? []));
  return known.length > 0 ? known : [base];
}

/** If a part of a name is cut off to make room for the next part, it loses at least this number of letters. */
const cutMin = 2;

/**
 * True if the zone can write the printed name like this. Both are capital letters, with spaces between the parts of the name, of which
 * a reader may lose some. A letter more or less is another name, unless the print has the letter for which the zone needs two.
 *
 * With `isCut` the zone had no room for the whole name. Then every part of it must be the beginning of a printed part, and the last printed
 * parts may be missing (ICAO Doc 9303, part 4, 4.2.3).
 */
export function isSpelt(printed: string, zone: string, isCut = false): boolean {
  const parts = zone.split(' ').filter(Boolean);
  const wanted = parts.join('');
  const partEnds = isCut ? parts.map((_, index) => parts.slice(0, index + 1).join('').length) : [];
  let ends = new Set([0]);
  for (const word of printed.normalize('NFC').split(' ')) {
    const letters = Array.from(word);
    const cut: number[] = [];
    for (const [place, letter] of letters.entries()) {
      ends = new Set([...ends].flatMap((end) => endsAfter(letter, wanted, end, isCut)));
      const hasRest = letters.length - 1 - place >= cutMin;
      if (hasRest) cut.push(...partEnds.filter((end) => ends.has(end)));
      if (isCut && ends.has(wanted.length)) return true;
    }
    ends = new Set([...ends, ...cut]);
  }
  return ends.has(wanted.length);
}

/** Where the zone goes on after this letter, if it has the letter at `end`. */
function endsAfter(letter: string, wanted: string, end: number, isCut: boolean): number[] {
  return spellingsOf(letter).flatMap((spelling) => {
    if (wanted.startsWith(spelling, end)) return [end + spelling.length];
    const isCutHere = isCut && end < wanted.length && spelling.startsWith(wanted.slice(end));
    return isCutHere ? [wanted.length] : [];
  });
}
