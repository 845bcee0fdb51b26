import type { Person } from './people.ts';

/**
 * Machine-readable zones by ICAO Doc 9303, parts 4 to 6. This code is for tests alone, so that the reader is not tested by its own
 * code.
 */

export type Format = 'TD1' | 'TD2' | 'TD3';

/** `code` is the code of the kind of document. An empty day of expiry means that the document has no end. */
export function zoneOf(person: Person, format: Format, code = format === 'TD3' ? 'P<' : 'I<'): string[] {
  const number = digited(filled(person.number, 9));
  const birth = digited(shortDate(person.birth));
  const expiry = digited(shortDate(person.expiry));
  const names = `${plain(person.surname)}<<${plain(person.givenNames)}`;
  const state = filled(person.nationality, 3);
  if (format === 'TD1') {
    const optional = filled('', 11);
    const composite = checkDigit(`${number}${filled('', 15)}${birth}${expiry}${optional}`);
    return [
      `${code}${state}${number}${filled('', 15)}`,
      `${birth}${person.sex}${expiry}${state}${optional}${composite}`,
      filled(names, 30),
    ];
  }
  const optional = format === 'TD3' ? digited(filled('ZE184226B', 14)) : filled('', 7);
  const composite = checkDigit(`${number}${birth}${expiry}${optional}`);
  const width = format === 'TD3' ? 44 : 36;
  return [
    filled(`${code}${state}${names}`, width),
    `${number}${state}${birth}${person.sex}${expiry}${optional}${composite}`,
  ];
}

/** The zone of a visa by ICAO Doc 9303, part 7: format A has 44 places in a line, and format B has 36. */
export function visaOf(person: Person, places: 44 | 36, optional = ''): string[] {
  const state = filled(person.nationality, 3);
  const [number, birth, expiry] = [filled(person.number, 9), ...[person.birth, person.expiry].map(shortDate)];
  const dates = `${digited(birth ?? '')}${person.sex}${digited(expiry ?? '')}`;
  return [
    filled(`V<${state}${plain(person.surname)}<<${plain(person.givenNames)}`, places),
    filled(`${digited(number ?? '')}${state}${dates}${optional}`, places),
  ];
}

/** The line of a Dutch driving licence. `chance` are its thirteen characters by chance. */
export const licenceLineOf = (number: string, chance: string): string => digited(`D1NLD2${number}${chance}`);

/** Returns the same zone with another character at that place. */
export const tampered = (zone: string[], line: number, column: number, character: string): string[] =>
  zone.map((text, index) =>
    index === line ? `${text.slice(0, column)}${character}${text.slice(column + 1)}` : text,
  );

const filled = (text: string, width: number) => text.padEnd(width, '<').slice(0, width);
const plain = (name: string) => name.replaceAll(' ', '<');
const shortDate = (date: string) => filled(date.slice(2).replaceAll('-', ''), 6);
const digited = (text: string) => `${text}${checkDigit(text)}`;

function checkDigit(text: string): number {
  const values = [...text].map((character) => (character === '<' ? 0 : Number.parseInt(character, 36)));
  return values.reduce((sum, value, index) => sum + value * ([7, 3, 1][index % 3] ?? 0), 0) % 10;
}
