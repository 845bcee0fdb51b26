import { Dice } from './dice.ts';

/** An invented person, as a payroll knows one. */
export type Employee = {
  givenNames: string;
  initials: string;
  /** Dutch name prefix, such as "van der". Empty if there is none. */
  prefix: string;
  surname: string;
  title: 'Dhr.' | 'Mw.';
  birth: string;
  bsn: string;
  iban: string;
  number: string;
  address: [string, string];
};

/** An invented employer. */
export type Employer = {
  name: string;
  address: [string, string];
  kvk: string;
  /** Loonheffingennummer: nine digits that hold the 11-test, L, two digits. */
  wageTaxNumber: string;
  agreement: string;
};

/** True if nine digits hold the 11-test of a citizen service number. */
export function isBsn(digits: string): boolean {
  if (!/^\d{9}$/.test(digits)) return false;
  const sum = [9, 8, 7, 6, 5, 4, 3, 2, -1].reduce(
    (total, weight, i) => total + weight * Number(digits[i]),
    0,
  );
  return sum % 11 === 0;
}

/** Numbers that begin with 9999 belong to no person: they are for tests. */
export function bsnOf(dice: Dice): string {
  for (;;) {
    const digits = `9999${String(dice.whole(0, 99_999)).padStart(5, '0')}`;
    if (isBsn(digits)) return digits;
  }
}

function numberOf(dice: Dice): string {
  for (;;) {
    const digits = `85${String(dice.whole(0, 9_999_999)).padStart(7, '0')}`;
    if (isBsn(digits)) return digits;
  }
}

/** The remainder of ISO 13616: 1 for a right IBAN. */
export function ibanRemainder(iban: string): number {
  const moved = `${iban.slice(4)}${iban.slice(0, 4)}`;
  const digits = [...moved].map((each) => Number.parseInt(each, 36).toString()).join('');
  return Number(BigInt(digits) % 97n);
}

/** These bank codes belong to no bank. */
const banks = ['FICT', 'NEPB', 'ZZZB'] as const;

export function ibanOf(dice: Dice): string {
  const account = `${dice.pick(banks)}0${String(dice.whole(0, 999_999_999)).padStart(9, '0')}`;
  const check = 98 - ibanRemainder(`NL00${account}`);
  return `NL${String(check).padStart(2, '0')}${account}`;
}

type Given = Pick<Employee, 'givenNames' | 'initials' | 'prefix' | 'surname' | 'title' | 'birth'>;

const given: readonly Given[] = [
  named('Willemijn Aleida', 'W.A.', 'van der', 'Zeeberg', 'Mw.', '1988-02-14'),
  named('Joris Pieter', 'J.P.', "van 't", 'Hoogeveld', 'Dhr.', '1979-11-30'),
  named('Zoë Annabel', 'Z.A.', '', 'Kwakkelstein', 'Mw.', '1996-07-03'),
  named('Fatima', 'F.', '', 'El Nepahi', 'Mw.', '1991-01-19'),
  named('Théo Gerrit', 'Th.G.', 'de', 'Bråtmeijer-van Ophuizen', 'Dhr.', '1984-05-25'),
  named('Marieke Louise', 'M.L.', 'ten', 'Verzonnen', 'Mw.', '1972-09-08'),
  named('Sjoerd IJsbrand', 'S.IJ.', 'in den', 'IJzendoorn', 'Dhr.', '2001-12-21'),
  named('Günther Émile', 'G.É.', '', 'Façadenmüller', 'Dhr.', '1966-03-17'),
  named('Lotte', 'L.', 'op de', 'Denkbeeld-Kwiatk', 'Mw.', '2005-10-02'),
  named('Radmila Jovana', 'R.J.', '', 'Izmišljena', 'Mw.', '1993-06-11'),
  named('Daan Sebastiaan Olivier', 'D.S.O.', 'van', 'Nergenshuizen', 'Dhr.', '1999-04-27'),
  named('Priya', 'P.', '', 'Kalpanika', 'Mw.', '1990-08-30'),
];

function named(
  givenNames: string,
  initials: string,
  prefix: string,
  surname: string,
  title: Given['title'],
  birth: string,
): Given {
  return { givenNames, initials, prefix, surname, title, birth };
}

const streets = ['Verzonnenlaan', 'Nergenskade', 'Droomplein', 'Fabelstraat', 'Papieren Singel'];
const towns = ['Nergenshuizen', 'Fictiedam', 'Zandkasteel', 'Oud-Verzinsel'];

const addressOf = (dice: Dice): [string, string] => [
  `${dice.pick(streets)} ${dice.whole(1, 240)}`,
  `${dice.whole(1000, 9999)} ${dice.pick(['ZA', 'XB', 'QE', 'VV'])}  ${dice.pick(towns)}`,
];

export const employees: readonly Employee[] = given.map((each, index) => {
  const dice = new Dice(`employee ${index}`);
  return {
    ...each,
    ...{ bsn: bsnOf(dice), iban: ibanOf(dice), number: String(dice.whole(1001, 98_999)).padStart(6, '0') },
    address: addressOf(dice),
  };
});

const firms = [
  ['Bakkerij De Gulden Korenaar B.V.', 'Cao Ambachtelijke broodmakers (fictief)'],
  ['Stichting Zorggroep Wolkenveld', 'Cao Zorg Wolkenveld'],
  ['Van Klinkhamer Metaaltechniek B.V.', 'Cao Kleinmetaal (fictief)'],
  ['Gemeente Nergenshuizen', 'Cao Nergenshuizen'],
  ['Flexkracht Zuiderlicht Uitzendorganisatie B.V.', 'Cao Flexwerkers (fictief)'],
  ['Quillfeather Analytics Europe B.V.', 'No collective agreement'],
  ['Supermarkt Het Volle Mandje V.O.F.', 'Cao Mandjes'],
  ['Transportbedrijf Gebr. Denkema & Zn. B.V.', 'Cao Vervoer (fictief)'],
  ['Óskarsdottir Interim Holding B.V.', 'Geen cao'],
] as const;

export const employers: readonly Employer[] = firms.map(([name, agreement], index) => {
  const dice = new Dice(`employer ${index}`);
  return {
    ...{ name, agreement, address: addressOf(dice), kvk: String(dice.whole(10_000_000, 89_999_999)) },
    wageTaxNumber: `${numberOf(dice)}L0${dice.whole(1, 9)}`,
  };
});

export const employeeAt = (index: number): Employee => employees[index % employees.length] as Employee;
export const employerAt = (index: number): Employer => employers[index % employers.length] as Employer;

/** The whole name as an identity document has it. */
export const fullName = ({ givenNames, prefix, surname }: Employee): string =>
  [givenNames, prefix, surname].filter(Boolean).join(' ');

/** The forms in which payroll programs print a name. */
export const nameForms = {
  initials: ({ initials, prefix, surname }: Employee) =>
    [initials, prefix, surname].filter(Boolean).join(' '),
  titled: ({ title, initials, prefix, surname }: Employee) =>
    [title, initials, prefix, surname].filter(Boolean).join(' '),
  surnameFirst: ({ initials, prefix, surname }: Employee) =>
    `${surname}, ${[initials, prefix].filter(Boolean).join(' ')}`,
  full: fullName,
  firstName: ({ givenNames, prefix, surname }: Employee) =>
    [givenNames.split(' ')[0], prefix, surname].filter(Boolean).join(' '),
} as const;
export type NameForm = keyof typeof nameForms;
