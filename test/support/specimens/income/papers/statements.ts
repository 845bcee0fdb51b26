import { amountOf, bsnText, dateOf, month, type Notation, numberText, usual } from './notation.ts';
import { type Employee, type Employer, nameForms } from './people.ts';
import { Pen, type Sheet } from './sheet.ts';

/** A job on a UWV statement: its wage for social insurance by month. */
export type InsuredJob = {
  employer: Employer;
  since: string;
  until?: string;
  months: { start: string; end: string; socialWageCents: number; hours: number }[];
};

const day = (text: string) => dateOf(text, { date: 'dashes' });
const amount = (cents: number) => amountOf(cents, usual);

type Insured = { employee: Employee; issuedOn: string; jobs: readonly InsuredJob[]; withBsn: boolean };

/** Blocks for each employer, a line for each month. */
function uwvBlocks({ employee, issuedOn, jobs, withBsn }: Insured): Sheet {
  const pen = new Pen('Helvetica', 9);
  pen.text(40, 54, 'Verzekeringsbericht', { size: 18, face: 'bold' });
  pen.text(40, 70, 'Overzicht van uw arbeidsverleden volgens de polisadministratie van UWV');
  pen.text(40, 96, 'Naam');
  pen.text(180, 96, nameForms.initials(employee), { id: 'name' });
  pen.text(40, 109, 'Geboortedatum');
  pen.text(180, 109, day(employee.birth));
  if (withBsn) {
    pen.text(40, 122, 'Burgerservicenummer');
    pen.text(180, 122, employee.bsn, { id: 'bsn' });
  }
  pen.text(40, 135, 'Datum bericht');
  pen.text(180, 135, day(issuedOn), { id: 'issuedOn' });
  let y = 166;
  for (const [index, { employer, since, until, months }] of jobs.entries()) {
    if (y + months.length * 12 + 70 > 800) {
      pen.newPage();
      y = 60;
    }
    pen.text(40, y, 'Werkgever', { face: 'bold' });
    pen.text(180, y, employer.name, { face: 'bold', id: `employer:${index}` });
    pen.text(40, y + 13, 'Loonheffingennummer');
    pen.text(180, y + 13, employer.wageTaxNumber);
    pen.text(40, y + 26, 'Periode dienstverband');
    pen.text(180, y + 26, `${day(since)} t/m ${until === undefined ? 'heden' : day(until)}`);
    y += 44;
    pen.text(40, y, 'Van', { grey: 0.4 });
    pen.text(130, y, 'Tot en met', { grey: 0.4 });
    pen.right(330, y, 'Aantal uren', { grey: 0.4 });
    pen.right(460, y, 'SV-loon', { grey: 0.4 });
    y += 14;
    for (const { start, end, hours, socialWageCents } of months.toReversed()) {
      pen.text(40, y, day(start));
      pen.text(130, y, day(end));
      pen.right(330, y, numberText(hours, usual));
      pen.right(460, y, `€ ${amount(socialWageCents)}`, { id: `wage:${index}:${start.slice(0, 7)}` });
      y += 12;
    }
    y += 18;
  }
  return pen.sheet;
}

/** One table over all employers. */
function uwvTable({ employee, issuedOn, jobs, withBsn }: Insured): Sheet {
  const pen = new Pen('Roboto', 8, 841.89, 595.28);
  pen.text(36, 40, 'UWV', { size: 16, face: 'bold' });
  pen.text(90, 40, 'Digitaal verzekeringsbericht', { size: 12 });
  pen.right(805, 40, `Aangemaakt op ${day(issuedOn)}`, { id: 'issuedOn' });
  pen.text(
    36,
    62,
    `${nameForms.titled(employee)}   geboren ${day(employee.birth)}${withBsn ? `   BSN ${employee.bsn}` : ''}`,
    { id: 'name' },
  );
  const heads: [number, string][] = [
    [36, 'Werkgever'],
    [300, 'Loonheffingennr.'],
    [400, 'Aangiftetijdvak'],
  ];
  for (const [x, label] of heads) pen.text(x, 86, label, { face: 'bold' });
  pen.right(640, 86, 'Verloonde uren', { face: 'bold' });
  pen.right(740, 86, 'Sv-loon (EUR)', { face: 'bold' });
  pen.rule(36, 90, 805);
  let y = 104;
  for (const [index, { employer, months }] of jobs.entries())
    for (const { start, end, hours, socialWageCents } of months) {
      if (y > 560) {
        pen.newPage();
        y = 50;
      }
      pen.text(36, y, employer.name, { id: `employer:${index}` });
      pen.text(300, y, employer.wageTaxNumber);
      pen.text(400, y, `${day(start)} - ${day(end)}`);
      pen.right(640, y, numberText(hours, usual));
      pen.right(740, y, amount(socialWageCents), { id: `wage:${index}:${start.slice(0, 7)}` });
      y += 11.5;
    }
  return pen.sheet;
}

export const uwvLayouts = { uwvBlocks, uwvTable } as const;

/** The months of a job on a UWV statement. */
export const monthsOf = (
  year: number,
  numbers: readonly number[],
  wageCents: (number: number) => number,
  hours = 17333,
) =>
  numbers.map((number) => {
    const { start, end } = month(year, number);
    return { start, end, hours, socialWageCents: wageCents(number) };
  });

/** What an annual statement says. */
export type Annual = {
  employee: Employee;
  employer: Employer;
  year: number;
  issuedOn: string;
  taxableCents: number;
  taxCents: number;
  workingCreditCents: number;
  zvwCents: number;
  netCents?: number;
};

const bsnIn = (employee: Employee, bsn: Notation['bsn']) => bsnText(employee.bsn, { ...usual, bsn });

/** A letter with labels left and amounts right. */
function annualLetter({
  employee,
  employer,
  year,
  issuedOn,
  taxableCents,
  taxCents,
  workingCreditCents,
  zvwCents,
}: Annual): Sheet {
  const pen = new Pen('Times', 10);
  pen.text(60, 60, employer.name, { face: 'bold', id: 'employer' });
  pen.text(60, 73, employer.address.join(', '));
  pen.text(60, 120, `Jaaropgave ${year}`, { size: 16, face: 'bold', id: 'year' });
  pen.text(60, 150, nameForms.titled(employee), { id: 'name' });
  for (const [index, line] of employee.address.entries()) pen.text(60, 163 + index * 13, line);
  const rows: [string, string, string?][] = [
    ['Burgerservicenummer', bsnIn(employee, 'plain'), 'bsn'],
    ['Geboortedatum', day(employee.birth)],
    ['Loonheffingennummer', employer.wageTaxNumber, 'wageTaxNumber'],
    ['Tijdvak', `01-01-${year} t/m 31-12-${year}`, 'period'],
    ['Loon loonbelasting/volksverzekeringen', amount(taxableCents), 'taxable'],
    ['Ingehouden loonbelasting/premie volksverzekeringen', amount(taxCents), 'tax'],
    ['Verrekende arbeidskorting', amount(workingCreditCents), 'credit'],
    ['Werkgeversheffing Zorgverzekeringswet', amount(zvwCents), 'zvw'],
    ['Loonheffingskorting toegepast', `Ja, met ingang van 01-01-${year}`],
  ];
  for (const [index, [label, value, id]] of rows.entries()) {
    pen.text(60, 230 + index * 18, label);
    pen.right(520, 230 + index * 18, value, id === undefined ? {} : { id });
  }
  pen.text(60, 430, `Nergenshuizen, ${day(issuedOn)}`, { id: 'issuedOn' });
  pen.text(60, 460, 'Bewaar deze opgave bij uw administratie voor de aangifte inkomstenbelasting.', {
    size: 8,
  });
  return pen.sheet;
}

/** Numbered boxes, labels above. */
function annualBoxes({
  employee,
  employer,
  year,
  issuedOn,
  taxableCents,
  taxCents,
  workingCreditCents,
  zvwCents,
}: Annual): Sheet {
  const pen = new Pen('DejaVu', 8.5);
  pen.box(36, 36, 523, 26, { fill: 0.2 });
  pen.text(44, 54, `JAAROPGAAF ${year}`, { size: 14, face: 'bold', grey: 1, id: 'year' });
  const cells: [string, string, string?][] = [
    ['1  Inhoudingsplichtige', employer.name, 'employer'],
    ['2  Loonheffingennummer', employer.wageTaxNumber, 'wageTaxNumber'],
    ['3  Werknemer', nameForms.surnameFirst(employee), 'name'],
    ['4  BSN / sofinummer', bsnIn(employee, 'dots'), 'bsn'],
    ['5  Fiscaal loon', `€ ${amount(taxableCents)}`, 'taxable'],
    ['6  Ingehouden loonheffing', `€ ${amount(taxCents)}`, 'tax'],
    ['7  Arbeidskorting', `€ ${amount(workingCreditCents)}`, 'credit'],
    ['8  Werkgeversheffing Zvw', `€ ${amount(zvwCents)}`, 'zvw'],
    ['9  Datum in dienst / uit dienst', `01-01-${year} / -`],
    ['10  Datum opgave', day(issuedOn), 'issuedOn'],
  ];
  for (const [index, [label, value, id]] of cells.entries()) {
    const [x, y] = [36 + (index % 2) * 264, 80 + Math.floor(index / 2) * 46];
    pen.box(x, y, 259, 40, { stroke: 0.5 });
    pen.text(x + 6, y + 12, label, { size: 7, grey: 0.3 });
    pen.text(x + 6, y + 30, value, id === undefined ? { size: 9.5 } : { size: 9.5, id });
  }
  return pen.sheet;
}

export const annualLayouts = { annualLetter, annualBoxes } as const;

/** What an employer states to a lender. */
export type Statement = {
  employee: Employee;
  employer: Employer;
  issuedOn: string;
  since: string;
  function: string;
  permanent: boolean;
  until?: string;
  yearlyCents: number;
  thirteenthCents: number;
  hoursPerWeek: number;
};

/** The form that lenders know, with ticked boxes. */
export function employerStatement(it: Statement): Sheet {
  const pen = new Pen('Helvetica', 9);
  pen.text(40, 50, 'WERKGEVERSVERKLARING', { size: 14, face: 'bold' });
  let y = 78;
  const head = (text: string) => {
    pen.box(38, y - 11, 519, 15, { fill: 0.88 });
    pen.text(42, y, text, { face: 'bold' });
    y += 17;
  };
  const row = (label: string, value: string, id?: string) => {
    pen.text(42, y, label);
    pen.text(270, y, value, id === undefined ? {} : { id });
    pen.rule(268, y + 2, 555, y + 2, 0.3);
    y += 15;
  };
  const tick = (on: boolean) => (on ? '[X]' : '[  ]');
  const holiday = Math.round(it.yearlyCents * 0.08);
  head('Gegevens werkgever');
  row('Naam werkgever', it.employer.name, 'employer');
  row('Adres werkgever', it.employer.address[0]);
  row('Postcode en woonplaats', it.employer.address[1]);
  row('Inschrijfnummer KvK', it.employer.kvk, 'kvk');
  head('Gegevens werknemer');
  row('Naam werknemer', nameForms.titled(it.employee), 'name');
  row('Adres', it.employee.address.join(', '));
  row('Geboortedatum', day(it.employee.birth));
  row('Datum in dienst', day(it.since));
  row('Functie', it.function);
  head('Aard van het dienstverband');
  row(`${tick(it.permanent)} vast, voor onbepaalde tijd`, '');
  row(`${tick(!it.permanent)} voor bepaalde tijd, tot`, it.until === undefined ? '' : day(it.until));
  row('Proeftijd verstreken', `${tick(true)} ja   ${tick(false)} nee`);
  row('Gemiddeld aantal uren per week', numberText(it.hoursPerWeek * 100, usual), 'hoursPerWeek');
  head('Inkomen');
  row('1. Bruto jaarsalaris', `€ ${amount(it.yearlyCents)}`, 'yearly');
  row('2. Vakantietoeslag (8%)', `€ ${amount(holiday)}`, 'holiday');
  row('3. Vaste 13e maand', `€ ${amount(it.thirteenthCents)}`, 'thirteenth');
  row('4. Provisie', `€ ${amount(0)}`);
  row('Totaal bruto inkomen', `€ ${amount(it.yearlyCents + holiday + it.thirteenthCents)}`, 'total');
  head('Leningen en loonbeslag');
  row('Onderhandse lening verstrekt', `${tick(false)} ja   ${tick(true)} nee`);
  row('Loonbeslag of looncessie', `${tick(false)} ja   ${tick(true)} nee`);
  head('Ondertekening');
  row('Plaats en datum', `Nergenshuizen, ${day(it.issuedOn)}`, 'issuedOn');
  row('Naam ondertekenaar', 'mw. B. Verzonnen-Tekenaar');
  row('Telefoon voor verificatie', '000 - 000 00 00');
  pen.text(42, y + 14, 'Aldus naar waarheid ingevuld namens de werkgever', { size: 8, grey: 0.3 });
  return pen.sheet;
}
