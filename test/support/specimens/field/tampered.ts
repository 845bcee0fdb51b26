import { between, type Holder, holder, oneOf, type Random } from './people.ts';

/** Who the zone of a document names, and what stands in its print. */
export type Tampered = { holder: Holder; printed: Holder };

/** Changes the print of a holder. Returns undefined if this holder has nothing that can be changed so. */
type Alteration = (person: Holder, random: Random) => Holder | undefined;

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const digits = Array.from('0123456789');

/** Changes of one field that a forger makes, each as small as it can be. */
const alterations = {
  'one letter of the surname': (person, random) => ({
    ...person,
    printedSurname: withOther(person.printedSurname, random),
  }),
  'one letter of a given name': (person, random) => ({
    ...person,
    printedGivenNames: withOther(person.printedGivenNames, random),
  }),
  'one digit of the number': (person, random) => changed(person, 'number', digits, digits, random),
  'the day of birth': (person, random) => ({ ...person, birth: otherDay(person.birth, random) }),
  'the month of birth': (person, random) => ({ ...person, birth: otherMonth(person.birth, random) }),
  'the year of birth': (person, random) => ({ ...person, birth: moved(person.birth, oneOf(random, years)) }),
  'the year of expiry': (person, random) => ({
    ...person,
    expiry: moved(person.expiry, oneOf(random, years)),
  }),
  'given names in another order': (person, random) => {
    const names = person.printedGivenNames.split(' ');
    const [first = 0, second = 0] = names.length < 2 ? [] : oneOf(random, pairsOf(names.length));
    const swapped = names
      .with(first, names[second] ?? '')
      .with(second, names[first] ?? '')
      .join(' ');
    return swapped === person.printedGivenNames ? undefined : { ...person, printedGivenNames: swapped };
  },
  'a name added': (person, random) => withAdded(person, ' ', random),
  'a name added behind a gap': (person, random) =>
    // A wider gap would run into the next column, and so into the value of another field.
    withAdded(person, ' '.repeat(Math.round(between(random, 3, 6))), random),
  'a given name left out': (person, random) => {
    const names = person.printedGivenNames.split(' ');
    const left = names.toSpliced(Math.floor(random() * names.length), 1).join(' ');
    return left === '' ? undefined : { ...person, printedGivenNames: left };
  },
  'I and J in a name': ofLetters('I', 'J'),
  'O and Q in a name': ofLetters('O', 'Q'),
  'E and F in a name': ofLetters('E', 'F'),
  'U and V in a name': ofLetters('U', 'V'),
  'C and G in a name': ofLetters('C', 'G'),
  'B and 8 in the number': (person, random) => changed(person, 'number', ['B', '8'], ['8', 'B'], random),
  '1 and 7 in number or year': ofDigits('1', '7'),
  '3 and 8 in number or year': ofDigits('3', '8'),
  '5 and 6 in number or year': ofDigits('5', '6'),
} satisfies Record<string, Alteration>;

export type AlterationName = keyof typeof alterations;
export const alterationNames = Object.keys(alterations) as AlterationName[];

/** Draws holders until one has what is to be changed. */
export function tamperedHolder(name: AlterationName, random: Random): Tampered {
  for (;;) {
    const person = holder(random);
    const printed = alterations[name](person, random);
    if (printed !== undefined) return { holder: person, printed };
  }
}

function withAdded(person: Holder, gap: string, random: Random): Holder {
  const [added = ''] = holder(random).givenNames.split(' ');
  const field = oneOf(random, ['printedSurname', 'printedGivenNames'] as const);
  return { ...person, [field]: `${person[field]}${gap}${added}` };
}

/** The field whose printed value is changed. */
type Changed = 'printedSurname' | 'printedGivenNames' | 'number' | 'birth' | 'expiry';

/**
 * Puts another sign in the place of one sign of a field. If `from` and `to` are as long and differ, a sign of `from` becomes the one at the
 * same place of `to`; else it becomes any other sign.
 */
function changed(
  person: Holder,
  field: Changed,
  from: readonly string[],
  to: readonly string[],
  random: Random,
  isPlace: (place: number) => boolean = () => true,
): Holder | undefined {
  const signs = Array.from(person[field]);
  const places = signs.flatMap((sign, place) => (from.includes(sign) && isPlace(place) ? [place] : []));
  if (places.length === 0) return undefined;
  const place = oneOf(random, places);
  const sign = signs[place] ?? '';
  const partner = to[from.indexOf(sign)] ?? sign;
  const other =
    partner === sign
      ? oneOf(
          random,
          to.filter((one) => one !== sign),
        )
      : partner;
  return { ...person, [field]: signs.with(place, other).join('') };
}

/** Another letter anywhere in a name, but for the spaces. */
function withOther(name: string, random: Random): string {
  const places = Array.from(name).flatMap((letter, place) => (letter === ' ' ? [] : [place]));
  const place = oneOf(random, places);
  const other = oneOf(
    random,
    letters.filter((letter) => letter !== name[place]),
  );
  return name.slice(0, place) + other + name.slice(place + 1);
}

/** One of two letters that look alike becomes the other, in one of the names. */
function ofLetters(one: string, other: string): Alteration {
  return (person, random) => {
    const field = oneOf(random, ['printedSurname', 'printedGivenNames'] as const);
    return changed(person, field, [one, other], [other, one], random);
  };
}

/** The same for digits, in the number or at the end of a year. Then every day stays one of the calendar. */
function ofDigits(one: string, other: string): Alteration {
  return (person, random) => {
    const field = oneOf(random, ['number', 'number', 'birth', 'expiry'] as const);
    const isPlace = (place: number) => field === 'number' || place === yearEnd;
    return changed(person, field, [one, other], [other, one], random, isPlace);
  };
}

/** The place of the last digit of the year in a day such as `2026-11-21`. */
const yearEnd = 3;
const years = [-10, -5, -2, -1, 1, 2, 5, 10] as const;

const moved = (date: string, by: number) => `${Number(date.slice(0, 4)) + by}${date.slice(4)}`;

function otherDay(date: string, random: Random): string {
  const day = Number(date.slice(8));
  return `${date.slice(0, 8)}${twoDigits(1 + ((day - 1 + Math.floor(1 + random() * 27)) % 28))}`;
}

function otherMonth(date: string, random: Random): string {
  const month = Number(date.slice(5, 7));
  return `${date.slice(0, 5)}${twoDigits(1 + ((month - 1 + Math.floor(1 + random() * 11)) % 12))}${date.slice(7)}`;
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

const pairsOf = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, first) =>
    Array.from({ length: count - first - 1 }, (_, more): [number, number] => [first, first + 1 + more]),
  ).flat();
