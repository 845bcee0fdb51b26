import { type Canvas, canvas, type Lettering, ocrb, sans, write } from './canvas.ts';
import type { Person } from './people.ts';
import { type Format, zoneOf } from './zone.ts';

export type Specimen = {
  format: Format;
  /** The person whose data the visual zone shows. */
  person: Person;
  /** The text of the machine-readable zone, if it should differ from the right text. */
  zone?: string[];
};

/** The scale of all drawings: 12 pixels are a millimetre, so a character of the zone is about 30 pixels wide. */
const perMm = 12;
const sizesMm = { TD1: [85.6, 54], TD2: [105, 74], TD3: [125, 88] } as const;
const pitchMm = 2.54;
const lineDistanceMm = 6.35;
const letterings = { zone: await ocrb(), print: await sans() };

/** Draws both sides of a TD1 card. Of TD2 and TD3 it draws the one side with the zone, and `back` is null. */
export function drawn({ format, person, zone = zoneOf(person, format) }: Specimen): {
  front: Canvas;
  back: Canvas | null;
} {
  const front = blank(format);
  writeVisualZone(front, person, format);
  const back = format === 'TD1' ? blank(format) : null;
  if (back !== null) writeAt(back, 'Republic of Utopia   authority Springhaven', 5, 6, 2.2);
  writeZone(back ?? front, zone);
  return { front, back };
}

/** Draws light paper with fine waves, like the paper of documents. */
function blank(format: Format): Canvas {
  const [wide, high] = sizesMm[format];
  return canvas(Math.round(wide * perMm), Math.round(high * perMm), (x, y) => {
    const waves = Math.sin(x / 9 + 4 * Math.sin(y / 70)) + Math.sin(y / 7 + 5 * Math.sin(x / 90));
    return Math.round(208 + 7 * waves);
  });
}

function writeAt(on: Canvas, text: string, leftMm: number, topMm: number, heightMm: number): void {
  print(on, letterings.print, text, leftMm, topMm, heightMm);
}

function print(
  on: Canvas,
  lettering: Lettering,
  text: string,
  leftMm: number,
  topMm: number,
  heightMm: number,
) {
  write(on, text, leftMm * perMm, topMm * perMm, { lettering, height: heightMm * perMm, dark: 35 });
}

function writeZone(on: Canvas, zone: readonly string[]): void {
  const glyphMm = (pitchMm * 62) / 48;
  const leftMm = on.width / perMm / 2 - (pitchMm * (zone[0] ?? '').length) / 2;
  const lastTopMm = on.height / perMm - 8;
  zone.forEach((line, index) => {
    const topMm = lastTopMm - (zone.length - 1 - index) * lineDistanceMm;
    print(on, letterings.zone, line, leftMm, topMm, glyphMm);
  });
}

const months = [
  ...['JAN/JAN', 'FEB/FEB', 'MRT/MAR', 'APR/APR', 'MEI/MAY', 'JUN/JUN'],
  ...['JUL/JUL', 'AUG/AUG', 'SEP/SEP', 'OKT/OCT', 'NOV/NOV', 'DEC/DEC'],
];

/** The forms in which issuing states print dates. The document of each person has one of them. */
const dateForms: readonly ((year: string, month: string, day: string) => string)[] = [
  (year, month, day) => `${day} ${months[Number(month) - 1]} ${year}`,
  (year, month, day) => `${day}.${month}.${year}`,
  (year, month, day) => `${day} ${month} ${year}`,
  (year, month, day) => `${day} ${months[Number(month) - 1]?.slice(4)} ${year.slice(2)}`,
  (year, month, day) => `${year}-${month}-${day}`,
];

function writeVisualZone(on: Canvas, person: Person, format: Format): void {
  const dateForm = dateForms[person.surname.length % dateForms.length] ?? dateForms[0];
  const printed = (date: string) => {
    const [year = '', month = '', day = ''] = date.split('-');
    return dateForm?.(year, month, day) ?? '';
  };
  portrait(on);
  const leftMm = format === 'TD3' ? 42 : 32;
  writeAt(on, 'UTOPIA', leftMm, 3, 4);
  writeAt(on, 'Number', on.width / perMm - 32, 3, 2);
  writeAt(on, person.number, on.width / perMm - 32, 5.5, 3.4);
  const fields: [string, string][] = [
    ['Surname', person.surname],
    ['Given names', person.givenNames],
    ['Nationality', person.nationality],
    ['Date of birth', printed(person.birth)],
    ['Date of expiry', printed(person.expiry)],
  ];
  const stepMm = format === 'TD3' ? 9.5 : 7.6;
  fields.forEach(([label, value], index) => {
    writeAt(on, label, leftMm, 10 + index * stepMm, 2);
    writeAt(on, value, leftMm, 12.6 + index * stepMm, 3.4);
  });
}

/** Draws a grey shape in the place of a face. */
function portrait(on: Canvas): void {
  const [left, top, wide, high] = [4, 12, 24, 30].map((mm) => mm * perMm) as [number, number, number, number];
  for (let y = top; y < top + high; y++)
    for (let x = left; x < left + wide; x++) {
      const away = Math.hypot((x - left - wide / 2) / wide, (y - top - high / 2) / high);
      on.pixels[y * on.width + x] = away < 0.3 ? 150 : 185;
    }
}
