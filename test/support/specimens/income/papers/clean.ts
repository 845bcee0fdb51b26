import { Dice } from './dice.ts';
import { fourWeeks, month, type Period } from './notation.ts';
import { type Employment, type Events, type Slip, yearOf } from './payroll.ts';
import { employeeAt, employerAt, fullName, nameForms } from './people.ts';
import type { Sheet } from './sheet.ts';
import { type LayoutName, layoutNames, layouts, slipSheet } from './slips.ts';
import {
  type Annual,
  annualLayouts,
  employerStatement,
  type InsuredJob,
  monthsOf,
  type Statement,
  uwvLayouts,
} from './statements.ts';
import { type Case, type Paper, type Truth, truthOf } from './truth.ts';
import { type Origin, written } from './write.ts';

/** The special circumstances of an employment. */
export const profiles = [
  ...[
    'full time',
    'part time',
    'hourly',
    'nineteen years old',
    'sick',
    'leaves in mid month',
    'began in mid month',
  ],
  ...['correction', 'car', 'ruling', 'director', 'overtime and bonus'],
] as const;
export type Profile = (typeof profiles)[number];

const firstYear = 2026;

const usualEmployment: Omit<Employment, 'employer' | 'employee' | 'hourlyCents' | 'salaryCents'> = {
  ...{ since: '2019-03-01', hoursPerWeek: 40, pensionRate: 780, franchiseCents: 1_884_000, wgaRate: 45 },
  ...{ taxCredit: true, zvw: 'by the employer', holidayPay: 'in May', travelCents: 0, associationCents: 0 },
};

const special: Readonly<Record<Profile, Partial<Employment> & { events?: Record<number, Events> }>> = {
  'full time': {},
  'part time': { hoursPerWeek: 24, travelCents: 6_120, associationCents: 350 },
  hourly: {
    holidayPay: 'each period',
    travelCents: 4_500,
    events: { 3: { hours: 14_350 }, 4: { hours: 15_225 }, 5: { hours: 13_900 } },
  },
  'nineteen years old': { hoursPerWeek: 18, pensionRate: 0, wgaRate: 0, since: '2024-10-01' },
  sick: { events: { 3: { sickHours: 1_600 }, 4: { sickHours: 8_000 }, 5: { sickHours: 4_050 } } },
  'leaves in mid month': { until: '2026-05-17' },
  'began in mid month': { since: '2026-03-16' },
  correction: {
    events: { 4: { correctionCents: -18_345 }, 5: { correctionCents: -2_199 } },
    associationCents: 500,
  },
  car: { car: { additionCents: 41_250, contributionCents: 7_500 } },
  ruling: { ruling30: true, pensionRate: 0 },
  director: { zvw: 'by the employee', wgaRate: 0, pensionRate: 0 },
  'overtime and bonus': {
    events: {
      3: { overtimeHours: 725, homeDays: 9 },
      4: { homeDays: 11 },
      5: { overtimeHours: 400, bonusCents: 75_000 },
    },
  },
};

/** An invented employment of this kind, and what happened in it. */
export function employmentOf(
  profile: Profile,
  index: number,
): { employment: Employment; events: Record<number, Events> } {
  const dice = new Dice(`employment ${profile} ${index}`);
  const { events = {}, ...own } = special[profile];
  const young = profile === 'nineteen years old';
  const hourlyCents = young
    ? dice.whole(1_050, 1_300)
    : dice.whole(profile === 'director' ? 4_200 : 1_720, profile === 'director' ? 5_900 : 3_480);
  const hoursPerWeek = own.hoursPerWeek ?? usualEmployment.hoursPerWeek;
  const employee = { ...employeeAt(index), ...(young && { birth: '2006-09-23' }) };
  const salary =
    profile === 'hourly' ? {} : { salaryCents: Math.round((hourlyCents * hoursPerWeek * 52) / 12) };
  return {
    employment: { ...usualEmployment, ...own, ...salary, employer: employerAt(index), employee, hourlyCents },
    events,
  };
}

/** All periods of a year up to one, and for each layout the kind of its periods. */
export function periodsUntil(layout: LayoutName, last: number, year = firstYear): Period[] {
  const make = layout === 'columnsWide' ? fourWeeks : month;
  return Array.from({ length: last }, (_, index) => make(year, index + 1));
}

const programs = [
  ['Loonwijzer 8.2 (build 4417)', 'Loonwijzer'],
  ['SalarisPlus Report Engine 5', 'SalarisPlus'],
  ['PDFKit', 'PayFiction Cloud'],
  ['Verzonnen Print Services 2.11', 'Personeel & Loon'],
] as const;

export function originOf(name: string, at: string, writer: Origin['writer']): Origin {
  const [producer, creator] = new Dice(`program ${name}`).pick(programs);
  return {
    writer,
    producer,
    creator,
    createdAt: new Date(`${at}T06:14:${10 + (name.length % 50)}Z`),
    title: name,
  };
}

/** A slip with everything of which it was made, so that it can be made again with a fault. */
export type MadeSlip = { name: string; slip: Slip; layout: LayoutName; sheet: Sheet; origin: Origin };

/** The slips of the last periods of this employment. */
export function madeSlips(
  profile: Profile,
  layout: LayoutName,
  index: number,
  count: number,
  last = 5,
): MadeSlip[] {
  const { employment, events } = employmentOf(profile, index);
  const { hourlyCents, hoursPerWeek, salaryCents } = employment;
  const fourWeekly = layout === 'columnsWide' && salaryCents !== undefined;
  const own = fourWeekly ? { ...employment, salaryCents: hourlyCents * hoursPerWeek * 4 } : employment;
  const slips = yearOf(own, periodsUntil(layout, last), events).slice(-count);
  const writer =
    index % 3 === 2 && ['Helvetica', 'Times', 'Courier'].includes(layouts[layout].style.family)
      ? 'plain'
      : 'pdfkit';
  return slips.map((slip) => {
    const name = `${profile}, ${layout}, ${slip.period.year}-${slip.period.number}`;
    return {
      name,
      slip,
      layout,
      sheet: slipSheet(slip, layout),
      origin: originOf(name, slip.paidOn, writer),
    };
  });
}

export const slipPaper = async ({ name, slip, sheet, origin }: MadeSlip): Promise<Paper> => ({
  name,
  bytes: await written(sheet, origin),
  truth: truthOf(slip),
});

export const usualToday = '2026-06-12';

export const caseOf = (name: string, papers: Paper[], rest: Partial<Case> = {}): Case => ({
  ...{ name, papers, today: usualToday, linkedName: papers[0]?.truth.person ?? null },
  ...{ known: [], anchors: [], planted: [] },
  ...rest,
});

/** One slip in each layout for three kinds of employment each, so that all kinds come. */
async function singles(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const [row, layout] of layoutNames.entries())
    for (let column = 0; column < 3; column++) {
      const profile = profiles[(row * 3 + column) % profiles.length] as Profile;
      const [made] = madeSlips(profile, layout, row + column * 3, 1);
      if (made) cases.push(caseOf(made.name, [await slipPaper(made)]));
    }
  return cases;
}

async function series(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const [index, layout] of layoutNames.entries()) {
    const profile =
      (
        [
          'full time',
          'hourly',
          'car',
          'overtime and bonus',
          'part time',
          'correction',
          'ruling',
          'director',
        ] as const
      )[index] ?? 'full time';
    const papers: Paper[] = [];
    for (const made of madeSlips(profile, layout, index + 4, 3)) papers.push(await slipPaper(made));
    cases.push(caseOf(`three slips, ${profile}, ${layout}`, papers));
  }
  return cases;
}

/** The slip of December with a thirteenth month, and that of January, in which all cumulatives begin anew. */
async function overNewYear(): Promise<Case> {
  const { employment } = employmentOf('full time', 7);
  const own = { ...employment, thirteenthMonth: 12 };
  const papers: Paper[] = [];
  for (const slip of [
    yearOf(own, periodsUntil('dense', 12, 2025)).at(-1),
    yearOf(own, periodsUntil('dense', 1, 2026)).at(-1),
  ]) {
    if (!slip) continue;
    const name = `over new year, ${slip.period.year}-${slip.period.number}`;
    papers.push(
      await slipPaper({
        name,
        slip,
        layout: 'dense',
        sheet: slipSheet(slip, 'dense'),
        origin: originOf(name, slip.paidOn, 'plain'),
      }),
    );
  }
  return caseOf('13th month, over new year', papers, { today: '2026-02-03' });
}

/** The job of a slip as UWV knows it, and a small one beside it that ended. */
export function jobsOf(slips: readonly Slip[], index: number): InsuredJob[] {
  const [{ employment } = { employment: employmentOf('full time', index).employment }] = slips;
  const wages = new Map(slips.map(({ period, totals }) => [period.number, totals.socialWage.cents]));
  const hours = Math.round((employment.hoursPerWeek * 5_200) / 12);
  const yearBefore = Math.round(([...wages.values()][0] ?? 0) * 0.97);
  return [
    {
      ...{ employer: employment.employer, since: employment.since },
      months: [
        ...monthsOf(firstYear - 1, [7, 8, 9, 10, 11, 12], () => yearBefore, hours),
        ...monthsOf(firstYear, [...wages.keys()], (number) => wages.get(number) ?? 0, hours),
      ],
    },
    {
      ...{ employer: employerAt(index + 4), since: '2024-02-01', until: '2025-09-30' },
      months: monthsOf(firstYear - 1, [7, 8, 9], (number) => 51_000 + number * 317, 3_200),
    },
  ];
}

export type UwvLayout = keyof typeof uwvLayouts;

export async function uwvPaper(
  slips: readonly Slip[],
  layout: UwvLayout,
  index: number,
  jobs = jobsOf(slips, index),
): Promise<Paper> {
  const employee = slips[0]?.employment.employee ?? employeeAt(index);
  const issuedOn = '2026-06-03';
  const sheet = uwvLayouts[layout]({ employee, issuedOn, jobs, withBsn: index % 2 === 0 });
  const name = `UWV, ${layout}, ${index}`;
  const months = jobs.flatMap((job) => job.months).toSorted((a, b) => a.start.localeCompare(b.start));
  return {
    name,
    bytes: await written(sheet, {
      ...originOf(name, issuedOn, 'pdfkit'),
      producer: 'Fictieve Documentstraat 3',
      creator: 'Berichten',
    }),
    truth: {
      ...{
        type: 'uwv_statement',
        employer: jobs[0]?.employer.name ?? '',
        person: fullName(employee),
        issuedOn,
      },
      ...(index % 2 === 0 && { bsn: employee.bsn }),
      ...{ periodStart: months[0]?.start ?? '', periodEnd: months.at(-1)?.end ?? '' },
    },
  };
}

async function statements(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const [index, layout] of (['uwvBlocks', 'uwvTable', 'uwvBlocks', 'uwvTable'] as const).entries()) {
    const all = madeSlips(
      index % 2 ? 'part time' : 'full time',
      index < 2 ? 'dense' : 'bilingual',
      index + 2,
      5,
    );
    const last = all.at(-1);
    const uwv = await uwvPaper(
      all.map(({ slip }) => slip),
      layout,
      index + 2,
    );
    if (last) cases.push(caseOf(`slip and UWV, ${layout}, ${index}`, [await slipPaper(last), uwv]));
  }
  for (const [index, layout] of (['annualLetter', 'annualBoxes'] as const).entries()) {
    const { employment } = employmentOf(index ? 'part time' : 'full time', index + 5);
    const year = yearOf(employment, periodsUntil('dense', 12, 2025)).at(-1);
    if (year) cases.push(caseOf(`annual statement, ${layout}`, [await annualPaper(year, layout)]));
  }
  const { employment } = employmentOf('full time', 3);
  cases.push(caseOf('employer statement', [await employerPaper(employment)]));
  return cases;
}

export async function annualPaper(
  { employment, totals }: Slip,
  layout: keyof typeof annualLayouts,
): Promise<Paper> {
  const { employee, employer } = employment;
  const annual: Annual = {
    ...{ employee, employer, year: 2025, issuedOn: '2026-02-12' },
    ...{ taxableCents: totals.taxable.yearCents, taxCents: totals.tax.yearCents },
    ...{ workingCreditCents: 523_100, zvwCents: totals.zvwEmployer.yearCents },
  };
  const name = `annual statement, ${layout}`;
  const truth: Truth = {
    ...{ type: 'annual_statement', employer: employer.name, person: fullName(employee), bsn: employee.bsn },
    ...{
      issuedOn: annual.issuedOn,
      periodStart: '2025-01-01',
      periodEnd: '2025-12-31',
      grossCents: annual.taxableCents,
    },
  };
  return {
    name,
    bytes: await written(annualLayouts[layout](annual), originOf(name, annual.issuedOn, 'pdfkit')),
    truth,
  };
}

export async function employerPaper(
  employment: Employment,
  changes: Partial<Statement> = {},
): Promise<Paper> {
  const { employee, employer, since, hoursPerWeek, salaryCents = 0 } = employment;
  const statement: Statement = {
    ...{
      employee,
      employer,
      since,
      hoursPerWeek,
      issuedOn: '2026-06-02',
      function: 'Adviseur verzinsels',
      permanent: true,
    },
    ...{ yearlyCents: salaryCents * 12, thirteenthCents: 0 },
    ...changes,
  };
  const name = `employer statement, ${nameForms.initials(employee)}`;
  const truth: Truth = {
    ...{
      type: 'employer_statement',
      employer: employer.name,
      person: fullName(employee),
      issuedOn: statement.issuedOn,
    },
    hoursPerWeek,
  };
  return {
    name,
    bytes: await written(employerStatement(statement), originOf(name, statement.issuedOn, 'plain')),
    truth,
  };
}

/** Cases without any fault. Every alarm about them is a false one. */
export async function cleanCases(): Promise<Case[]> {
  return [...(await singles()), ...(await series()), await overNewYear(), ...(await statements())];
}
