import sharp from 'sharp';
import type { Readings } from '#activities/checks/document/judging/readings.ts';
import { type Drawing, drawPortrait, type Font, print, printZone, type Sheet, sheetOf } from '../bsn/draw.ts';
import { randomFrom } from '../photograph.ts';
import { type Format, zoneOf } from '../zone.ts';
import type { Pictures, Wanted } from './kinds.ts';
import { between, type Holder, holder, oneOf, type Random } from './people.ts';

/**
 * Flat scans of documents that have two dates on a line, a figure beside the date of birth, and names that the zone cuts off or cannot write
 * as they are printed. Their index decides everything about them.
 */
export type Specimen = {
  wanted: Wanted;
  hasExpired: boolean;
  what: string;
  pictures(): Promise<Pictures>;
  /** What two readers would read that never err. */
  text(): Readings;
};

/** Surname and given names as they are printed, and as the zone writes them if that differs by more than accents. */
type Name = readonly [printed: string, zone: string, printedGiven: string, zoneGiven: string];

const languages: Readonly<Record<string, readonly Name[]>> = {
  Danish: [
    ['JØRGENSTAD ÅBERG', 'JOERGENSTAD AABERG', 'SØREN', 'SOEREN'],
    ['KJÆRBØLL', 'KJAERBOELL', 'ANNE', 'ANNE'],
  ],
  Swedish: [
    ['ÅKERLUNDEN', 'AAKERLUNDEN', 'BJÖRN', 'BJOERN'],
    ['ÖSTVARN', 'OESTVARN', 'EBBA', 'EBBA'],
  ],
  German: [
    ['MÜLLERSTEIN', 'MUELLERSTEIN', 'JÖRG', 'JOERG'],
    ['GROẞHÄUSER', 'GROSSHAEUSER', 'GUDRUN', 'GUDRUN'],
  ],
  Polish: [
    ['ŁUKASZEVIC', 'LUKASZEVIC', 'ŻANETA', 'ZANETA'],
    ['WÓJCIKOWĄ', 'WOJCIKOWA', 'MAREK', 'MAREK'],
  ],
  Icelandic: [
    ['ÞORSTEINN', 'THORSTEINN', 'ÆSA', 'AESA'],
    ['GUÐNADAL', 'GUDNADAL', 'JÓN', 'JON'],
  ],
  Turkish: [
    ['YILDIZOĞLU', 'YILDIZOGLU', 'İREM', 'IREM'],
    ['ÇELİKTAŞ', 'CELIKTAS', 'IŞIL', 'ISIL'],
  ],
  French: [
    ['LEFÈVRIER', 'LEFEVRIER', 'ZOÉ', 'ZOE'],
    ['SACRÉCŒUR', 'SACRECOEUR', 'LOÏC', 'LOIC'],
  ],
  Spanish: [
    ['PIÑEIRALES', 'PINEIRALES', 'LUCÍA', 'LUCIA'],
    ['MUÑOZAL', 'MUNXXOZAL', 'ÍÑIGO', 'INXXIGO'],
  ],
  Czech: [
    ['DVOŘÁKOVSKÁ', 'DVORAKOVSKA', 'ŠTĚPÁN', 'STEPAN'],
    ['ŽĎÁRNÝ', 'ZDARNY', 'EVA', 'EVA'],
  ],
  Croatian: [
    ['ĐURĐENIĆ', 'DURDENIC', 'ŽELJKA', 'ZELJKA'],
    ['ŠARČEVIĆ', 'SARCEVIC', 'IVAN', 'IVAN'],
  ],
};

const longNames: readonly (readonly [surname: string, given: string])[] = [
  ['VAN DEN BERGHE VAN WASSENAAR OBDAM', 'JACOBA MARIA'],
  ['NILAVADHANANANDA', 'CHAYAPA DEJTHAMRONG KRASUANG'],
  ['BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL', 'DINGO POTOROO'],
  ['DE LA FUENTE Y RODRIGUEZ DE ALCANTARA', 'MARIA DEL CARMEN'],
  ['VON DER SCHULENBURG WOLFSBURG', 'FRIEDRICH WILHELM'],
  ['PAPADIMITRAKOPOULOS', 'KONSTANTINOS ATHANASIOS'],
  ['WICKRAMASINGHE ARACHCHILAGE DON', 'NUWAN CHAMINDA'],
  ['TEN BROECKE HOEKSTRA VAN HEECKEREN', 'WILHELMINA'],
];

const places = { TD1: 30, TD2: 31, TD3: 39 } as const;

/** Cuts names as states do: the surname if it leaves no place for two letters of the given names, else the given names alone. */
function cut(surname: string, given: string, format: Format): { surname: string; givenNames: string } {
  const room = places[format];
  const first = surname.length > room - 4 ? surname.slice(0, room - 4).trimEnd() : surname;
  return { surname: first, givenNames: given.slice(0, room - 2 - first.length).trimEnd() };
}

const alterations = [
  'a letter of the surname',
  'a letter of the given names',
  'the end of the range',
  'the year of birth',
] as const;

export function specimen(index: number): Specimen {
  const random = randomFrom(20_261_125 + index * 1_299_709);
  for (let warmUp = 0; warmUp < 8; warmUp++) random();
  const isCut = index % 2 === 0;
  const format = isCut ? oneOf(random, ['TD1', 'TD2'] as const) : 'TD3';
  const [what, named]: [string, Holder] = isCut ? ['cut', cutHolder(random, format)] : foreign(random, index);
  const hasExpired = index % 25 === 12;
  const expiry = hasExpired ? '2020-03-09' : index % 20 === 7 ? '9999-01-01' : named.expiry;
  const person: Holder = { ...named, expiry };
  const isAltered = index % 4 === 3 || index % 8 === 6;
  const alteration = isAltered ? oneOf(random, alterations) : undefined;
  const texts = textsOf(alteration === undefined ? person : altered(person, alteration), format, random);
  const zone = zoneOf(person, format);
  return {
    wanted: alteration === undefined && !hasExpired ? 'passed' : 'not passed',
    hasExpired,
    what: `${what}${alteration === undefined ? '' : `, ${alteration}`}`,
    pictures: () => drawn(texts, zone, format),
    text: () => readingsOf(texts, zone),
  };
}

function cutHolder(random: Random, format: Format): Holder {
  const [surname, given] = oneOf(random, longNames);
  return {
    ...holder(random),
    ...cut(surname, given, format),
    printedSurname: surname,
    printedGivenNames: given,
  };
}

function foreign(random: Random, index: number): [language: string, holder: Holder] {
  const names = Object.keys(languages);
  const language = names[(index >> 1) % names.length] ?? '';
  const [printedSurname, surname, printedGivenNames, givenNames] = oneOf(random, languages[language] ?? []);
  return [language, { ...holder(random), printedSurname, surname, printedGivenNames, givenNames }];
}

/** Changes something in print that the zone has too. */
function altered(person: Holder, what: (typeof alterations)[number]): Holder {
  const other = (name: string) => `${name.charAt(0)}Q${name.slice(2)}`;
  if (what === 'a letter of the surname') return { ...person, printedSurname: other(person.printedSurname) };
  if (what === 'a letter of the given names')
    return { ...person, printedGivenNames: other(person.printedGivenNames) };
  if (what === 'the end of the range') return { ...person, expiry: moved(person.expiry, 1) };
  return { ...person, birth: moved(person.birth, 10) };
}

const moved = (date: string, years: number) => `${Number(date.slice(0, 4)) - years}${date.slice(4)}`;

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dutchMonths = ['JAN', 'FEB', 'MRT', 'APR', 'MEI', 'JUN', 'JUL', 'AUG', 'SEP', 'OKT', 'NOV', 'DEC'];
const dateForms: readonly ((year: string, month: string, day: string) => string)[] = [
  (year, month, day) => `${day}.${month}.${year}`,
  (year, month, day) => `${day} ${month} ${year}`,
  (year, month, day) => `${day}/${month}/${year}`,
  (year, month, day) => `${day} ${dutchMonths[Number(month) - 1]}/${months[Number(month) - 1]} ${year}`,
];

const sizesMm = { TD1: [85.6, 54], TD2: [105, 74], TD3: [125, 88] } as const;
const lettersInLine = 26;

/** A text on the front, from its upper left corner. The numbers are millimetres. */
type Text = { text: string; left: number; top: number; mm: number; font: Font };

function textsOf(person: Holder, format: Format, random: Random): Text[] {
  const [font, valueFont] = [
    oneOf(random, ['sans', 'italic'] as const),
    oneOf(random, ['sans', 'bold'] as const),
  ];
  const form = oneOf(random, dateForms);
  const dateOf = (date: string) => form(date.slice(0, 4), date.slice(5, 7), date.slice(8));
  const beside = oneOf(random, ['1,75 m', 'UTRECHT', 'M  NLD', '172 cm']);
  const issued = `20${Math.floor(between(random, 17, 25))}-03-05`;
  const fields: [label: string, values: string[]][] = [
    ['Naam / Surname', inLines(person.printedSurname)],
    ['Voornamen / Given names', [person.printedGivenNames]],
    ['Geboortedatum / Date of birth', [`${dateOf(person.birth)}  ${beside}`]],
    ['Geldig van - tot / Valid from - until', [`${dateOf(issued)} - ${dateOf(person.expiry)}`]],
  ];
  const left = format === 'TD3' ? 42 : 30;
  const texts: Text[] = [
    { text: person.number, left: sizesMm[format][0] - 26, top: 1.4, mm: 2.4, font: valueFont },
  ];
  let top = 5;
  for (const [label, values] of fields) {
    texts.push({ text: label, left, top, mm: 1.3, font });
    for (const text of values) {
      top += 3.1;
      texts.push({ text, left, top: top - 0.6, mm: 2.2, font: valueFont });
    }
    top += 4.2;
  }
  return texts;
}

async function drawn(texts: readonly Text[], zone: string[], format: Format): Promise<Pictures> {
  const [wide, high] = sizesMm[format];
  const front: Sheet = { wide, high, parts: [] };
  await drawPortrait(front, 4, format === 'TD3' ? 16 : 12, format === 'TD3' ? 32 : 22);
  for (const { text, left, top, mm, font } of texts) await print(front, text, left, top, { font, mm });
  const back: Sheet | null = format === 'TD1' ? { wide, high, parts: [] } : null;
  await printZone(back ?? front, zone);
  const ground = { busy: 0.6, tint: 8 };
  return {
    front: await scanned(await sheetOf(front, ground)),
    back: back && (await scanned(await sheetOf(back, ground))),
  };
}

function readingsOf(texts: readonly Text[], zone: readonly string[]): Readings {
  const read = zone.map((line) => Array.from(line));
  const print = texts.map(({ text, left, top, mm }) => ({
    ...{ text, side: 0, left, right: left + 0.8 * mm * text.length },
    ...{ middle: top + mm / 2, height: 1.5 * mm },
  }));
  return {
    zone: { a: read, b: read, certainty: 0.97 },
    print,
    hasOtherZone: false,
    codeNumbers: [],
    mayBeRecaptured: false,
  };
}

/** A long name takes two lines. */
function inLines(name: string): string[] {
  if (name.length <= lettersInLine) return [name];
  const end = name.lastIndexOf(' ', lettersInLine);
  return [name.slice(0, end), name.slice(end + 1)];
}

const edge = 90;
const table = { r: 92, g: 92, b: 96 } as const;

const scanned = ({ pixels, width, height }: Drawing): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 3 } })
    .extend({ top: edge, bottom: edge, left: edge, right: edge, background: table })
    .blur(0.5)
    .jpeg({ quality: 88 })
    .toBuffer();
