import {
  type Drawing,
  drawPortrait,
  type Font,
  type Ground,
  type Look,
  perMm,
  print,
  printZone,
  type Sheet,
  sheetOf,
} from '../bsn/draw.ts';
import { type Format, zoneOf } from '../zone.ts';
import { type Holder, oneOf, type Random } from './people.ts';

/** A document that is drawn. What is printed may differ from what the zone says. */
export type Page = {
  format: Format;
  /** What is printed. */
  holder: Holder;
  zone: string[];
  style: Style;
  /** The value that is printed as the place of birth. */
  birthPlace?: string;
};

/** How an issuing state prints: fonts, labels, the form of dates, the place of the number and the ground. */
export type Style = Ground & {
  labelFont: Font;
  valueFont: Font;
  labels: keyof typeof labelSets;
  dates: number;
  valueMm: number;
  columns: boolean;
};

/** The labels of the fields, in the order surname, given names, nationality, birth, sex, place of birth, issue, expiry, authority, number. */
const labelSets = {
  english: [
    ...['Surname / Nom', 'Given names / Prénoms', 'Nationality / Nationalité', 'Date of birth', 'Sex / Sexe'],
    ...['Place of birth', 'Date of issue', 'Date of expiry', 'Authority', 'Passport No.'],
  ],
  dutch: [
    ...[
      'Naam / Surname',
      'Voornamen / Given names',
      'Nationaliteit / Nationality',
      'Geboortedatum / Date of birth',
    ],
    ...['Geslacht / Sex', 'Geboorteplaats / Place of birth', 'Datum afgifte / Date of issue'],
    ...['Geldig tot / Date of expiry', 'Autoriteit / Authority', 'Documentnr. / No.'],
  ],
  german: [
    ...['1. Name / Surname / Nom', '2. Vornamen / Given names', '3. Staatsangehörigkeit / Nationality'],
    ...['4. Geburtstag / Date of birth', '5. Geschlecht / Sex', '6. Geburtsort / Place of birth'],
    ...[
      '7. Ausstellungsdatum / Date of issue',
      '8. Gültig bis / Date of expiry',
      '9. Behörde / Authority',
      'Pass-Nr. / No.',
    ],
  ],
  spanish: [
    ...[
      'Apellidos / Surname',
      'Nombre / Given names',
      'Nacionalidad / Nationality',
      'Fecha de nacimiento / Date of birth',
    ],
    ...[
      'Sexo / Sex',
      'Lugar de nacimiento / Place of birth',
      'Expedición / Date of issue',
      'Validez / Date of expiry',
    ],
    ...['Autoridad / Authority', 'Número / No.'],
  ],
  french: [
    ...[
      'Nom / Surname',
      'Prénoms / Given names',
      'Nationalité / Nationality',
      'Date de naissance / Date of birth',
    ],
    ...[
      'Sexe / Sex',
      'Lieu de naissance / Place of birth',
      'Délivré le / Date of issue',
      'Expire le / Date of expiry',
    ],
    ...['Autorité / Authority', 'Numéro / No.'],
  ],
} as const;

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dutchMonths = ['JAN', 'FEB', 'MRT', 'APR', 'MEI', 'JUN', 'JUL', 'AUG', 'SEP', 'OKT', 'NOV', 'DEC'];
const dateForms: readonly ((year: string, month: number, day: string) => string)[] = [
  (year, month, day) => `${day} ${months[month - 1]} ${year}`,
  (year, month, day) => `${day}.${String(month).padStart(2, '0')}.${year}`,
  (year, month, day) => `${day} ${String(month).padStart(2, '0')} ${year}`,
  (year, month, day) => `${day} ${dutchMonths[month - 1]}/${months[month - 1]} ${year}`,
];

const sizesMm = { TD1: [85.6, 54], TD2: [105, 74], TD3: [125, 88] } as const;

export const styleOf = (random: Random): Style => ({
  labelFont: oneOf(random, ['sans', 'condensed', 'italic'] as const),
  valueFont: oneOf(random, ['sans', 'bold', 'serif', 'condensed', 'mono'] as const),
  labels: oneOf(random, Object.keys(labelSets) as (keyof typeof labelSets)[]),
  dates: Math.floor(random() * dateForms.length),
  busy: oneOf(random, [0.6, 1, 1.6]),
  tint: 8,
  valueMm: oneOf(random, [2.2, 2.5, 2.9]),
  columns: random() < 0.5,
});

export const pageOf = (holder: Holder, format: Format, style: Style): Page => ({
  format,
  holder,
  style,
  zone: zoneOf(holder, format),
});

/** Draws both sides of a card, or the one side of a passport or of an older card. */
export async function drawPage(page: Page): Promise<{ front: Drawing; back: Drawing | null }> {
  const front = await printedSide(page);
  if (page.format !== 'TD1') await printZone(front, page.zone);
  const back = page.format === 'TD1' ? await backOf(page) : null;
  return {
    front: await sheetOf(front, page.style),
    back: back && (await sheetOf(back, page.style)),
  };
}

const sheet = (format: Format): Sheet => ({ wide: sizesMm[format][0], high: sizesMm[format][1], parts: [] });

async function backOf({ format, zone, style }: Page): Promise<Sheet> {
  const back = sheet(format);
  await print(back, 'Authority / Autorité', 6, 5, { font: style.labelFont, mm: 1.4 });
  await print(back, 'SPRINGHAVEN', 6, 7.6, { font: style.valueFont, mm: 2.2 });
  await printZone(back, zone);
  return back;
}

type Field = { label: number; value: string; column: number; row: number };

/** Where the fields are, in millimetres: the two columns, the distance of rows, the portrait, and the height of labels. */
const grounds = {
  TD1: {
    title: 'IDENTITY CARD',
    left: 30,
    right: 60,
    step: 6.4,
    portrait: [12, 22],
    labelMm: 1.3,
    valueMm: 2.2,
  },
  TD2: {
    title: 'IDENTITY CARD',
    left: 32,
    right: 70,
    step: 7.2,
    portrait: [12, 22],
    labelMm: 1.3,
    valueMm: 2.2,
  },
  TD3: {
    title: 'PASSPORT',
    left: 42,
    right: 88,
    step: 8.6,
    portrait: [16, 32],
    labelMm: 1.5,
    valueMm: undefined,
  },
} as const;

async function printedSide({ format, holder, style, birthPlace = 'SPRINGHAVEN' }: Page): Promise<Sheet> {
  const side = sheet(format);
  const { title, left, right, step, portrait, labelMm, valueMm = style.valueMm } = grounds[format];
  await drawPortrait(side, 4, portrait[0], portrait[1]);
  await printWithin(side, title, [4, left], 4, { font: 'bold', mm: 2.6 });
  await print(side, 'REPUBLIC OF UTOPIA', left, 3, { font: style.valueFont, mm: 2.4 });
  const labels = labelSets[style.labels];
  const fields = fieldsOf(holder, style, birthPlace);
  for (const { label, value, column, row } of fields) {
    const isBeside = column === 0 && fields.some((other) => other.column === 1 && other.row === row);
    const room = [column === 0 ? left : right, isBeside ? right : side.wide] as const;
    const y = 7.5 + row * step;
    await printWithin(side, labels[label] ?? '', room, y, { font: style.labelFont, mm: labelMm });
    await printWithin(side, value, room, y + 2.5, { font: style.valueFont, mm: valueMm });
  }
  return side;
}

/** The least distance of a text from what is to its right. */
const gapMm = 1.5;

/** No state prints a date across the next column, or beyond the edge of the document. So what is too long is printed smaller. */
async function printWithin(
  side: Sheet,
  text: string,
  [from, to]: readonly [from: number, to: number],
  y: number,
  look: Look & { mm: number },
): Promise<void> {
  const box = await print(side, text, from, y, look);
  const share = ((to - from - gapMm) * perMm) / (box.right - box.left);
  if (share >= 1) return;
  side.parts.pop();
  await print(side, text, from, y, { ...look, mm: share * look.mm });
}

function fieldsOf(holder: Holder, style: Style, birthPlace: string): Field[] {
  const fields = [
    holder.printedSurname,
    holder.printedGivenNames,
    holder.nationality,
    dateOf(holder.birth, style),
  ];
  const others = [holder.sex, birthPlace, dateOf('2024-03-05', style), dateOf(holder.expiry, style)];
  const values = [...fields, ...others, 'MINISTRY', holder.number];
  const places = style.columns
    ? [
        [0, 0],
        [0, 1],
        [0, 2],
        [0, 3],
        [1, 2],
        [1, 3],
        [0, 4],
        [1, 4],
        [0, 5],
        [1, 0],
      ]
    : [
        [0, 1],
        [0, 2],
        [1, 3],
        [0, 3],
        [1, 4],
        [0, 4],
        [0, 5],
        [1, 5],
        [1, 2],
        [1, 0],
      ];
  return values.flatMap((value, label): Field[] => {
    const [column = 0, row = 0] = places[label] ?? [];
    return value === '' ? [] : [{ label, value, column, row }];
  });
}

function dateOf(date: string, { dates }: Style): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return date === '' ? '' : (dateForms[dates]?.(year, Number(month), day) ?? '');
}

/** Draws a sheet of paper with lines of text, and a zone at its bottom if one is given. */
export async function drawPaper(
  lines: readonly string[],
  wide: number,
  high: number,
  zone?: string[],
): Promise<Drawing> {
  const paper: Sheet = { wide, high, parts: [] };
  for (const [index, line] of lines.entries()) await print(paper, line, 6, 6 + index * 6, { mm: 2.6 });
  if (zone !== undefined) await printZone(paper, zone);
  return sheetOf(paper, { busy: 0 });
}
