/**
 * How the zone writes letters that it does not have (ICAO Doc 9303, part 3, section 6). Issuing states may choose, so a letter can have
 * several spellings.
 */
const spellings = new Map<string, readonly string[]>([
  ['Ä', ['AE', 'A']],
  ['Å', ['AA', 'A']],
  ['Æ', ['AE']],
  ['Ð', ['D']],
  ['Đ', ['D']],
  ['Ł', ['L']],
  ['Ñ', ['N', 'NXX']],
  ['Ø', ['OE', 'O']],
  ['Ö', ['OE', 'O']],
  ['Œ', ['OE']],
  ['ẞ', ['SS']],
  ['ß', ['SS']],
  ['Þ', ['TH']],
  ['Ü', ['UE', 'UXX', 'U']],
]);

/** The recogniser may see an accent and take it for another one. What has an accent can have the spelling of any. */
const accented = new Map<string, readonly string[]>([
  ['A', ['A', 'AE', 'AA']],
  ['O', ['O', 'OE']],
  ['U', ['U', 'UE', 'UXX']],
  ['N', ['N', 'NXX']],
]);

/**
 * True if the zone can write the printed name like this. A letter more or less is another name, unless the print has the letter for
 * which the zone needs two. With `isCut` the zone may end before the name does.
 */
export function isSpelt(printed: string, zone: string, isCut = false): boolean {
  let ends = new Set([0]);
  for (const letter of printed.normalize('NFC')) {
    if (isCut && ends.has(zone.length)) return true;
    const next = new Set<number>();
    for (const end of ends)
      for (const spelling of spellingsOf(letter))
        if (zone.startsWith(spelling, end)) next.add(end + spelling.length);
    ends = next;
  }
  return ends.has(zone.length);
}

function spellingsOf(letter: string): readonly string[] {
  const known = spellings.get(letter);
  if (known !== undefined) return known;
  const base = letter.normalize('NFD').charAt(0);
  return (base === letter ? undefined : accented.get(base)) ?? [base];
}
