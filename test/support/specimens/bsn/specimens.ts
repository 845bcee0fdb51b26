import { randomFrom } from '../photograph.ts';
import { licenceLineOf } from '../zone.ts';
import {
  type Box,
  type Drawing,
  drawCode,
  drawPortrait,
  fontNames,
  type Look,
  print,
  printZone,
  type Sheet,
  sheetOf,
} from './draw.ts';
import { bsnFrom } from './numbers.ts';
import { placeOn, type Shot, shoot } from './shoot.ts';

export const kinds = [
  'passport of 2011',
  'passport of 2014',
  'passport with its back',
  'card of 2006',
  'card of 2021',
  'driving licence',
  'residence permit',
] as const;
export type Kind = (typeof kinds)[number];

/** How the number is printed. The later forms are harder to find. */
export const forms = [
  'plain',
  'grouped',
  'dotted',
  'spaced',
  'wide',
  'two lines',
  'upright',
  'tiny',
  'italic',
] as const;
export type Form = (typeof forms)[number];

export type BsnSpecimen = {
  name: string;
  kind: Kind;
  bsn: string;
  front: Buffer;
  back: Buffer | null;
  printed: Printed;
  /** Where the values on the front are that a reviewer needs, by their names. */
  values: Record<Value, Printed>;
  /** The angle at which it was photographed. */
  degrees: number;
};

export const values = ['portrait', 'number', 'surname', 'given names', 'birth', 'expiry'] as const;
export type Value = (typeof values)[number];

/** Where something is printed: on which side, and on which pixels of its photograph. */
export type Printed = { on: 'front' | 'back'; has(x: number, y: number): boolean };

const surnames = ['VAN DER ZEEBERG', 'NIEMANDSZOON', 'DE PROEFPERSOON', 'SPECIMEN', 'BOLSIUS'];
const givenNames = ['WILLEM ALOIS', 'LIESBETH', 'ARIE JAN PIET', 'ZOË', 'OLGA'];

/** Makes a specimen and photographs it. The same number makes the same pictures. */
export async function bsnSpecimen(
  index: number,
  chosen: { kind?: Kind; form?: Form; shot?: Shot } = {},
): Promise<BsnSpecimen> {
  const random = randomFrom(1 + index * 7919);
  for (let i = 0; i < 5; i++) random();
  const kind = chosen.kind ?? (kinds[index % kinds.length] as Kind);
  const form = chosen.form ?? (forms[(index + Math.floor(index / 63)) % forms.length] as Form);
  const bsn = bsnFrom(random);
  const person = {
    surname: surnames[Math.floor(random() * surnames.length)] ?? '',
    given: givenNames[Math.floor(random() * givenNames.length)] ?? '',
    number: numberOf(kind, random),
    random,
  };
  const { front, back, number, needed } = await drawnDocument(kind, form, bsn, person);
  const shot = chosen.shot ?? randomShot(index, random);
  const name = `${index} ${kind}, ${form}, ${Object.entries(shot)
    .map(
      ([key, value]) =>
        `${key} ${Array.isArray(value) ? value.map((each) => each.toFixed(2)) : typeof value === 'number' ? Math.round(value * 100) / 100 : value}`,
    )
    .join(' ')}`;
  return {
    name,
    kind,
    bsn,
    front: await shoot(front, shot),
    back: back && (await shoot(back, shot)),
    printed: printedOn(number.on, number.on === 'back' ? (back ?? front) : front, shot, number.boxes),
    values: mapped(needed, (box) => printedOn('front', front, shot, [box])),
    degrees: (shot.turn ?? 0) + (shot.tilt ?? 0),
  };
}

const mapped = <From, To>(all: Record<Value, From>, change: (from: From) => To): Record<Value, To> =>
  Object.fromEntries(values.map((value) => [value, change(all[value])])) as Record<Value, To>;

function numberOf(kind: Kind, random: () => number): string {
  const digits = String(Math.floor(random() * 1e6)).padStart(6, '0');
  return kind === 'driving licence' ? `4${digits}310` : `NW${digits.replace('0', 'K')}7`;
}

function printedOn(on: Printed['on'], sheet: Drawing, shot: Shot, boxes: readonly Box[]): Printed {
  const toSheet = placeOn(sheet, shot);
  const has = (x: number, y: number) => {
    const [across, down] = toSheet(x + 0.5, y + 0.5);
    return boxes.some(
      ({ left, top, right, bottom }) => across >= left && across < right && down >= top && down < bottom,
    );
  };
  return { on, has };
}

function randomShot(index: number, random: () => number): Shot {
  const shot: Shot = {
    turn: [0, 0, 90, 180, 270][index % 5] as number,
    tilt: (random() - 0.5) * 16,
    recede: random() < 0.4 ? random() * 0.15 : 0,
    share: 0.6 + random() * 0.2,
  };
  if (index % 4 === 1) shot.blur = 1 + random() * 0.5;
  if (index % 6 === 2) shot.quality = 50;
  if (index % 5 === 3) shot.noise = 8;
  if (index % 7 === 4) shot.light = 0.35;
  if (index % 8 === 5) shot.lamp = [0.3 + random() * 0.4, 0.3 + random() * 0.4];
  if (index % 3 === 0) shot.grey = true;
  return shot;
}

type Holder = { surname: string; given: string; number: string; random: () => number };

type Drawn = {
  front: Drawing;
  back: Drawing | null;
  number: { on: Printed['on']; boxes: Box[] };
  needed: Record<Value, Box>;
};

async function drawnDocument(kind: Kind, form: Form, bsn: string, holder: Holder): Promise<Drawn> {
  const busy = 0.5 + holder.random() * 1.8;
  const isPassport = kind.startsWith('passport');
  const [wide, high] = isPassport ? [125, 88] : [85.6, 54];
  const front: Sheet = { wide, high, parts: [] };
  const back: Sheet = { wide, high, parts: [] };
  const needed = await visualZone(front, holder, isPassport);
  if (kind === 'passport of 2011' || kind === 'passport of 2014') {
    const boxes = await printBsn(front, bsn, form, [78, 50], holder);
    await printZone(front, passportZone(holder, kind === 'passport of 2011' ? bsn : ''));
    return { front: await sheetOf(front, { busy }), back: null, number: { on: 'front', boxes }, needed };
  }
  const on = kind === 'card of 2006' ? 'front' : 'back';
  let boxes: Box[];
  if (kind === 'passport with its back') {
    await printZone(front, passportZone(holder, ''));
    boxes = await printBsn(back, bsn, form, [60, 40], holder);
    await drawCode(back, bsn, 'QRCode', 12, 12, 22);
    await print(back, 'Burgerservicenummer / Personal number', 60, 34, { mm: 1.5 });
  } else if (kind === 'card of 2006') {
    boxes = await printBsn(front, bsn, form, [30, 42], holder);
    await print(back, 'Gemeente Voorbeeldstad', 6, 6, { mm: 1.8 });
    await printZone(back, cardZone(holder, 'NLD', bsn));
  } else if (kind === 'card of 2021') {
    boxes = await printBsn(back, bsn, form, [34, 8], holder);
    await drawCode(back, bsn, 'QRCode', 6, 5, 20);
    await drawPortrait(back, 70, 5, 9, true);
    await printZone(back, cardZone(holder, 'NLD', ''));
  } else if (kind === 'residence permit') {
    boxes = await printBsn(back, bsn, form, [30, 8], holder);
    await print(back, 'VERBLIJFSTITEL', 6, 4, { mm: 1.8 });
    await printZone(back, cardZone(holder, 'UTO', bsn));
  } else {
    const line = licenceLineOf(holder.number, '6ZVW87B78NS84');
    boxes = await printBsn(back, bsn, form, [30, 8], holder);
    await drawCode(back, line, 'QRCode', 6, 4, 20);
    await drawCode(back, `NLD;${holder.number};${bsn};${holder.surname}`, 'PDF417', 8, 28, 60);
    await printZone(front, [line]);
  }
  return {
    front: await sheetOf(front, { busy }),
    back: await sheetOf(back, { busy }),
    number: { on, boxes },
    needed,
  };
}

async function visualZone(
  on: Sheet,
  { surname, given, number }: Holder,
  isPassport: boolean,
): Promise<Record<Value, Box>> {
  const portrait = await drawPortrait(on, 4, isPassport ? 14 : 11, isPassport ? 32 : 22);
  const left = isPassport ? 42 : 30;
  const step = isPassport ? 9 : 6;
  await print(on, 'KONINKRIJK DER NEDERLANDEN', left, 3, { mm: 2 });
  const numberAt = await print(on, number, isPassport ? 95 : 62, 7, { mm: 2.4 });
  const field = async (label: string, value: string, index: number): Promise<Box> => {
    await print(on, label, left, 9 + index * step, { mm: 1.1 });
    return print(on, value, left, 11.4 + index * step, { mm: 2.2 });
  };
  return {
    portrait,
    number: numberAt,
    surname: await field('Naam / Surname', surname, 0),
    'given names': await field('Voornamen / Given names', given, 1),
    birth: await field('Geboortedatum / Date of birth', '10 MEI/MAY 1965', 2),
    expiry: await field('Geldig tot / Date of expiry', '09 MRT/MAR 2031', 3),
  };
}

/** Prints the number at a place in millimetres, in the given form. Returns where its digits are. */
async function printBsn(
  on: Sheet,
  bsn: string,
  form: Form,
  [left, top]: readonly [number, number],
  { random }: Holder,
): Promise<Box[]> {
  const font = fontNames[Math.floor(random() * fontNames.length)] ?? 'sans';
  const parts = [bsn.slice(0, 4), bsn.slice(4, 6), bsn.slice(6)];
  const look: Look = { font, mm: 2.2 + random() * 0.8 };
  await print(on, 'BSN', left, top - 2.4, { mm: 1.2 });
  const boxes: Box[] = [];
  const digits = async (...what: [text: string, left: number, top: number, look: Look]) =>
    void boxes.push(await print(on, ...what));
  if (form === 'plain') await digits(bsn, left, top, look);
  if (form === 'grouped')
    await digits(`${bsn.slice(0, 3)} ${bsn.slice(3, 6)} ${bsn.slice(6)}`, left, top, look);
  if (form === 'dotted') await digits(parts.join('.'), left, top, look);
  if (form === 'spaced') await digits(bsn, left, top, { ...look, mm: 2, spacing: 0.6 });
  if (form === 'wide') await digits(bsn, left, top, { ...look, mm: 1.8, spacing: 1.6 });
  if (form === 'two lines') {
    await digits(bsn.slice(0, 5), left, top, look);
    await digits(bsn.slice(5), left, top + 4, look);
  }
  if (form === 'upright') await digits(bsn, left + 12, Math.max(top - 8, 1), { ...look, mm: 2, turned: 270 });
  if (form === 'tiny') await digits(bsn, left, top, { ...look, mm: 0.7 });
  if (form === 'italic') {
    for (const [index, digit] of Array.from(bsn).entries())
      await digits(digit, left + index * 2.1 + random() * 0.4, top + random() * 0.9, {
        ...{ font: 'italic', mm: 2.2 + random() * 0.6, turned: Math.round((random() - 0.5) * 24) },
      });
  }
  return boxes;
}

const filled = (text: string, width: number) => text.padEnd(width, '<').slice(0, width);
const plain = (name: string) => name.replaceAll('Ë', 'E').replaceAll(' ', '<');
const digited = (text: string) => `${text}${checkDigit(text)}`;

function checkDigit(text: string): number {
  const values = [...text].map((character) => (character === '<' ? 0 : Number.parseInt(character, 36)));
  return values.reduce((sum, value, index) => sum + value * ([7, 3, 1][index % 3] ?? 0), 0) % 10;
}

function passportZone({ surname, given, number }: Holder, bsn: string): string[] {
  const [no, birth, expiry, optional] = [filled(number, 9), '650510', '310309', filled(bsn, 14)].map(digited);
  const composite = checkDigit(`${no}${birth}${expiry}${optional}`);
  return [
    filled(`P<NLD${plain(surname)}<<${plain(given)}`, 44),
    `${no}NLD${birth}M${expiry}${optional}${composite}`,
  ];
}

function cardZone({ surname, given, number }: Holder, nationality: string, bsn: string): string[] {
  const [no, birth, expiry] = [filled(number, 9), '650510', '310309'].map(digited);
  const first = filled(bsn, 15);
  const second = filled('', 11);
  const composite = checkDigit(`${no}${first}${birth}${expiry}${second}`);
  return [
    `I<NLD${no}${first}`,
    `${birth}M${expiry}${nationality}${second}${composite}`,
    filled(`${plain(surname)}<<${plain(given)}`, 30),
  ];
}
