import type { Ground } from '../bsn/draw.ts';
import type { Format } from '../zone.ts';
import { visaOf, zoneOf } from '../zone.ts';
import { type Scene, type Surface, take } from './camera.ts';
import { drawLicenceBack, drawLicenceFront, type Licence, licenceOf } from './licence.ts';
import { drawPage, drawPaper, type Page, pageOf, styleOf } from './page.ts';
import { between, either, type Holder, holder, oneOf, type Random } from './people.ts';
import { type AlterationName, alterationNames, tamperedHolder } from './tampered.ts';

/** What should be said of a picture: that it passes, or that it does not. */
export type Wanted = 'passed' | 'not passed';
export type Kind = { wanted: Wanted; pictures(random: Random): Promise<Pictures> };
export type Pictures = { front: Buffer; back: Buffer | null };

type View = Omit<Scene, 'pieces'>;

/** Within three degrees, as on a table with some care. */
const steady = (random: Random): View => ({
  ...{ pitch: either(random, 0, 3), yaw: either(random, 0, 3), roll: either(random, 0, 3) },
  share: between(random, 0.66, 0.78),
});

const hand =
  (from: number, to: number) =>
  (random: Random): View => ({
    ...{ pitch: either(random, from, to), yaw: either(random, from, to), roll: either(random, from, to) },
    share: between(random, 0.62, 0.72),
  });

/** How a document with an altered print is photographed. */
const tamperedViews = { 'hand-held': hand(0, 9), flat: () => ({ share: 0.8, noise: 1 }) } as const;
type TamperedView = keyof typeof tamperedViews;
type TamperedName = `print: ${AlterationName | 'nothing altered'}, ${TamperedView}`;

const formatOf = (random: Random): Format => oneOf(random, ['TD3', 'TD3', 'TD3', 'TD2', 'TD1'] as const);

/** Takes both sides of a document, each in a view of its own. */
async function both(page: Page, random: Random, view: (random: Random) => View): Promise<Pictures> {
  const { front, back } = await drawPage(page);
  const shot = (drawing: typeof front) =>
    take({ pieces: [{ drawing, x: 0, y: 0 }], seed: 1 + Math.floor(1e6 * random()), ...view(random) });
  return { front: await shot(front), back: back && (await shot(back)) };
}

const genuine = (
  view: (random: Random) => View,
  made: (random: Random) => Page = (random) => pageOf(holder(random), formatOf(random), styleOf(random)),
): Kind => ({ wanted: 'passed', pictures: (random) => both(made(random), random, view) });

const passport = (random: Random, person: Holder = holder(random)): Page =>
  pageOf(person, 'TD3', styleOf(random));

const altered = (made: (random: Random) => Page): Kind => ({
  wanted: 'not passed',
  pictures: (random) => both(made(random), random, steady),
});

/** The same surname with one letter more, less, doubled or another. */
function withOtherLetter(random: Random, name: string): string {
  const at = 1 + Math.floor(random() * (name.replaceAll(/ .*/g, '').length - 1));
  const letter = name[at] ?? 'E';
  const other = oneOf(random, [letter + letter, '', letter === 'E' ? 'A' : 'E', `${letter}E`]);
  return name.slice(0, at) + other + name.slice(at + 1);
}

/** A document whose print does not bear out its zone: the surname has one letter that differs. */
function forged(random: Random): Page {
  const person = holder(random);
  return {
    ...passport(random, person),
    holder: { ...person, printedSurname: withOtherLetter(random, person.surname) },
  };
}

function otherCentury(random: Random): Page {
  const person = holder(random);
  const century = Number(person.birth.slice(0, 2));
  return {
    ...passport(random, person),
    holder: { ...person, birth: `${century + 1}${person.birth.slice(2)}` },
  };
}

async function withBeside(
  random: Random,
  page: Page,
  beside: readonly string[],
  zone?: string[],
): Promise<Pictures> {
  const { front } = await drawPage(page);
  const slip = await drawPaper(beside, zone ? 125 : 60, zone ? 30 : 8 + 6 * beside.length, zone);
  const pieces = [
    { drawing: front, x: 0, y: -12 },
    { drawing: slip, x: -20, y: zone ? 52 : 56, turn: either(random, 0, 2) },
  ];
  return { front: await take({ ...steady(random), share: 0.6, pieces }), back: null };
}

/** What the zone of a passport says, as lines of text. */
const linesOf = ({ surname, givenNames, number, birth, expiry }: Holder): string[] => {
  const printed = (date: string) => date.split('-').toReversed().join('.');
  return [surname, givenNames, number, printed(birth), printed(expiry)];
};

/** Documents and photographs by kind. Each is made from a seed alone. */
export const kinds = {
  'flat scan': genuine(() => ({ share: 0.8, noise: 1 })),
  'steady, within 3 degrees': genuine(steady),
  'hand-held, within 9 degrees': genuine(hand(2, 9)),
  'hand-held, 9 to 15 degrees': genuine(hand(9, 15)),
  'about the long edge, 10 to 25': genuine((random) => ({
    pitch: either(random, 10, 25),
    roll: either(random, 0, 3),
  })),
  'about the short edge, 6 to 25': genuine((random) => ({
    yaw: either(random, 6, 25),
    roll: either(random, 0, 3),
    share: 0.66,
  })),
  'in the plane, 12 to 20': genuine((random) => ({ roll: either(random, 12, 20), share: 0.64 })),
  'on its side': genuine((random) => ({ ...steady(random), roll: either(random, 87, 93) })),
  'bent, 0.4 to 3 mm': genuine((random) => ({ ...steady(random), bend: either(random, 0.4, 3) })),
  'newer document code': genuine(steady, (random) => {
    const page = passport(random);
    return { ...page, zone: zoneOf(page.holder, 'TD3', oneOf(random, ['PD', 'PP', 'PO', 'PS', 'PE', 'PN'])) };
  }),
  'without an expiry': genuine(steady, (random) =>
    pageOf({ ...holder(random), expiry: '' }, 'TD2', styleOf(random)),
  ),
  'accents in print': genuine(steady, (random) => passport(random, holder(random, true))),
  'one letter of the surname': altered(forged),
  'the surname as a place': altered((random) => {
    const page = forged(random);
    return { ...page, birthPlace: page.holder.surname };
  }),
  'one letter of a given name': altered((random) => {
    const person = holder(random);
    const printedGivenNames = withOtherLetter(random, person.givenNames);
    return { ...passport(random, person), holder: { ...person, printedGivenNames } };
  }),
  'another century': altered(otherCentury),
  'text beside bears out the zone': {
    wanted: 'not passed',
    pictures: (random) => {
      const page = forged(random);
      return withBeside(random, page, linesOf(page.holder));
    },
  },
  'another zone beside': {
    wanted: 'not passed',
    pictures: (random) => {
      const page = passport(random);
      return withBeside(random, { ...page, zone: zoneOf(holder(random), 'TD3') }, [], page.zone);
    },
  },
  'sheet of paper': {
    wanted: 'not passed',
    pictures: async (random) => {
      const page = passport(random);
      const drawing = await drawPaper(linesOf(page.holder), 125, 88, page.zone);
      return { front: await take({ ...steady(random), pieces: [{ drawing, x: 0, y: 0 }] }), back: null };
    },
  },
  'two passports': {
    wanted: 'not passed',
    pictures: async (random) => {
      const [first, second] = [await drawPage(passport(random)), await drawPage(passport(random))];
      const pieces = [
        { drawing: first.front, x: 0, y: -46 },
        { drawing: second.front, x: either(random, 0, 6), y: 46 },
      ];
      return { front: await take({ ...steady(random), share: 0.46, pieces }), back: null };
    },
  },
  'photograph of a screen': recaptured(desktop),
  'photograph of a copy': recaptured((random) => ({ kind: 'copy', steep: between(random, 12, 60) })),
  'sheet of paper with labels': {
    wanted: 'not passed',
    pictures: async (random) => {
      const page = passport(random);
      const labels = ['Surname', 'Given names', 'Passport No.', 'Date of birth', 'Date of expiry'];
      const lines = linesOf(page.holder).map((line, index) => `${labels[index]}: ${line}`);
      const drawing = await drawPaper(lines, 125, 88, page.zone);
      return { front: await take({ ...steady(random), pieces: [{ drawing, x: 0, y: 0 }] }), back: null };
    },
  },
  'photograph of a print in dots': recaptured((random) => ({
    ...{ kind: 'print', pitch: between(random, 0.18, 0.4), turn: between(random, 0, 90) },
    colours: random() < 0.5,
  })),
  'photograph of a screen, not sharp': recaptured(desktop, 0.8, 1.4),
  'photograph of a phone': recaptured((random) => screen(random, 0.05, 0.1)),
  'any colours and focus': genuine(anyhow(0.3, 1.4), (random) =>
    grounded(random, { tint: between(random, 4, 14) }),
  ),
  'fine lines under the print': genuine(anyhow(0.3, 1.4), (random) => {
    const [mm, strength, wind] = [between(random, 0.25, 0.6), between(random, 5, 25), between(random, 1, 6)];
    return grounded(random, { tint: between(random, 4, 14), lines: { mm, strength, wind } });
  }),
  'visa of 44 places, whose print bears it out': altered((random) => visa(random, 44)),
  'visa of 36 places, whose print bears it out': altered((random) => visa(random, 36)),
  'driving licence, within 3 degrees': licence(steady),
  'driving licence, within 9 degrees': licence(hand(2, 9)),
  'driving licence, 9 to 20 degrees': licence(hand(9, 20)),
  'driving licence on its side, bent': licence((random) => ({
    ...{ ...steady(random), roll: either(random, 87, 93) },
    bend: either(random, 0.2, 1),
  })),
  'driving licence, another number in print': licence(steady, (made, random) => ({
    ...made,
    printedNumber: licenceOf(random, made).number,
  })),
  'driving licence, a wrong check digit': licence(steady, (made) => ({
    ...made,
    line: `${made.line.slice(0, -1)}${(Number(made.line.slice(-1)) + 4) % 10}`,
  })),
  ...tamperedPrints(),
  'driving licence, another number in its code': licence(steady, (made, random) => ({
    ...made,
    code: licenceOf(random, made).line,
  })),
} satisfies Record<string, Kind>;

/** Documents of which one value in print is not that of the zone, and first documents of which nothing was altered. */
function tamperedPrints(): Record<TamperedName, Kind> {
  const views = Object.entries<(random: Random) => View>(tamperedViews);
  const made = views.map(([name, view]): [string, Kind] => [
    `print: nothing altered, ${name}`,
    genuine(view),
  ]);
  for (const alteration of alterationNames)
    for (const [name, view] of views)
      made.push([
        `print: ${alteration}, ${name}`,
        { wanted: 'not passed', pictures: (random) => both(tamperedPage(alteration, random), random, view) },
      ]);
  return Object.fromEntries(made) as Record<TamperedName, Kind>;
}

function tamperedPage(alteration: AlterationName, random: Random): Page {
  const { holder: person, printed } = tamperedHolder(alteration, random);
  return { ...pageOf(person, formatOf(random), styleOf(random)), holder: printed };
}

function visa(random: Random, places: 44 | 36): Page {
  const page = pageOf(holder(random), places === 44 ? 'TD3' : 'TD2', styleOf(random));
  return { ...page, zone: visaOf(page.holder, places) };
}

function licence(
  view: (random: Random) => View,
  altered: (made: Licence, random: Random) => Licence = (made) => made,
): Kind {
  return {
    wanted: 'not passed',
    pictures: async (random) => {
      const made = altered(licenceOf(random, holder(random, random() < 0.2)), random);
      const [front, back] = [await drawLicenceFront(made), await drawLicenceBack(made)];
      const shot = (drawing: typeof front) =>
        take({ pieces: [{ drawing, x: 0, y: 0 }], seed: 1 + Math.floor(1e6 * random()), ...view(random) });
      return { front: await shot(front), back: await shot(back) };
    },
  };
}

function grounded(random: Random, ground: Partial<Ground>): Page {
  const page = pageOf(holder(random), formatOf(random), styleOf(random));
  return { ...page, style: { ...page.style, ...ground } };
}

/** A hand, and any noise and compression. */
function anyhow(blurFrom: number, blurTo: number) {
  return (random: Random): View => ({
    ...hand(0, oneOf(random, [3, 9, 15]))(random),
    ...{ blur: between(random, blurFrom, blurTo), noise: between(random, 0.5, 4) },
    quality: Math.round(between(random, 40, 95)),
  });
}

function screen(random: Random, from: number, to: number): Surface {
  const [turn, contrast] = [either(random, 0, 8), between(random, 0.15, 0.5)];
  return { kind: 'screen', pitch: between(random, from, to), turn, contrast };
}

/** A screen of 85 to 160 pixels an inch. */
function desktop(random: Random): Surface {
  return screen(random, 0.16, 0.3);
}

function recaptured(surface: (random: Random) => Surface, blurFrom = 0.3, blurTo = 0.75): Kind {
  const page = (random: Random) => grounded(random, { tint: between(random, 4, 14) });
  return {
    wanted: 'not passed',
    pictures: (random) =>
      both(page(random), random, (r) => ({ ...anyhow(blurFrom, blurTo)(r), surface: surface(r) })),
  };
}

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as KindName[];
