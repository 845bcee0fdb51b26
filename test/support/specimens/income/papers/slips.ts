import {
  amountOf,
  bsnText,
  dateOf,
  ibanText,
  type Notation,
  numberText,
  periodText,
  usual,
} from './notation.ts';
import type { Line, Slip, Total } from './payroll.ts';
import { type NameForm, nameForms } from './people.ts';
import { type Family, Pen, type Sheet } from './sheet.ts';
import { fitting } from './write.ts';

/** How one payroll program prints. */
export type Style = { notation: Notation; name: NameForm; family: Family };

/** The texts of a slip that all layouts use, in the notation of the style. */
function textsOf(slip: Slip, { notation, name }: Style) {
  const { employment, period, paidOn, totals, minimumHourlyCents, age } = slip;
  const { employer, employee } = employment;
  const amount = (cents: number) => amountOf(cents, notation);
  const day = (text: string) => dateOf(text, notation);
  return {
    ...{ employer, employee, amount, day, age },
    name: nameForms[name](employee),
    period: periodText(period, notation),
    paidOn: day(paidOn),
    bsn: bsnText(employee.bsn, notation),
    iban: ibanText(employee.iban, notation),
    hoursPerWeek: numberText(employment.hoursPerWeek * 100, notation),
    hourly: amount(employment.hourlyCents),
    minimum: minimumHourlyCents === undefined ? '' : amount(minimumHourlyCents),
    worked: numberText(slip.workedHours, notation),
    total: (which: Total) => amount(totals[which].cents),
    year: (which: Total) => amount(totals[which].yearCents),
    hours: ({ hours }: Line) => (hours === undefined ? '' : numberText(hours, notation)),
    rate: ({ rateCents, percent }: Line) =>
      rateCents !== undefined
        ? amount(rateCents)
        : percent !== undefined
          ? `${numberText(percent, notation)}%`
          : '',
  };
}

type Field = [label: string, value: string, id?: string];

/** Labels and values beside each other. A field without a value is left out. */
function fieldList(
  pen: Pen,
  x: number,
  y: number,
  wide: number,
  step: number,
  list: readonly Field[],
  mark = '',
): number {
  const shown = list.filter(([, value]) => value !== '');
  for (const [index, [label, value, id]] of shown.entries()) {
    pen.text(x, y + index * step, `${label}${mark}`);
    pen.text(x + wide, y + index * step, value, id === undefined ? {} : { id });
  }
  return y + shown.length * step;
}

function address(pen: Pen, x: number, y: number, lines: readonly string[], firstId: string): void {
  for (const [index, line] of lines.entries())
    pen.text(x, y + index * 12, line, index === 0 ? { id: firstId, face: 'bold' } : {});
}

const partsInOrder = ['gross', 'taxable', 'withheld', 'net'] as const;

/** A table with columns for the period and for the year, as many programs print it. */
function dense(slip: Slip, style: Style): Sheet {
  const t = textsOf(slip, style);
  const pen = new Pen(style.family, 8);
  pen.text(40, 48, 'SALARISSPECIFICATIE', { size: 13, face: 'bold' });
  pen.right(555, 48, t.period, { size: 10, id: 'period' });
  address(pen, 40, 70, [t.employer.name, ...t.employer.address], 'employer');
  address(pen, 330, 110, [t.name, ...t.employee.address], 'name');
  fieldList(pen, 40, 160, 105, 11, [
    ['Personeelsnummer', t.employee.number],
    ['Geboortedatum', t.day(t.employee.birth)],
    ['Burgerservicenummer', t.bsn, 'bsn'],
    ['Datum in dienst', t.day(slip.employment.since)],
    ['Datum uit dienst', slip.employment.until ? t.day(slip.employment.until) : ''],
    ['Loonheffingennummer', t.employer.wageTaxNumber, 'wageTaxNumber'],
    ['Cao', t.employer.agreement],
  ]);
  fieldList(pen, 330, 160, 115, 11, [
    ['Uren per week', t.hoursPerWeek, 'hoursPerWeek'],
    ['Uurloon', t.hourly, 'hourly'],
    ['Min. uurloon (WML)', t.minimum, 'minimum'],
    ['Leeftijd', String(t.age)],
    ['Loonheffingskorting', slip.employment.taxCredit ? 'Ja' : 'Nee'],
    ['Tabel', slip.period.kind === 'month' ? 'Wit maand' : 'Wit 4-weken'],
    ['KvK-nummer', t.employer.kvk],
  ]);
  const columns = { hours: 290, rate: 365, period: 460, year: 553 };
  pen.box(38, 246, 519, 15, { fill: 0.88 });
  pen.text(42, 257, 'Omschrijving', { face: 'bold' });
  pen.right(columns.hours, 257, 'Aantal', { face: 'bold' });
  pen.right(columns.rate, 257, 'Tarief/%', { face: 'bold' });
  pen.right(columns.period, 257, 'Deze periode', { face: 'bold' });
  pen.right(columns.year, 257, 'Cumulatief', { face: 'bold' });
  let y = 274;
  const totalRow = (label: string, which: Total) => {
    pen.rule(columns.rate + 20, y - 9, 557);
    pen.text(42, y, label, { face: 'bold' });
    pen.right(columns.period, y, t.total(which), { face: 'bold', id: which });
    pen.right(columns.year, y, t.year(which), { face: 'bold', id: `${which}Year` });
    y += 17;
  };
  for (const part of partsInOrder) {
    for (const line of slip.lines.filter((each) => each.part === part)) {
      pen.text(42, y, `${line.code}  ${line.nl}`);
      pen.right(columns.hours, y, t.hours(line));
      pen.right(columns.rate, y, t.rate(line));
      pen.right(columns.period, y, t.amount(line.cents), { id: `line:${line.key}` });
      pen.right(columns.year, y, t.amount(line.yearCents), { id: `lineYear:${line.key}` });
      y += 12;
    }
    if (part === 'gross') totalRow('Bruto loon', 'gross');
    if (part === 'taxable') totalRow('Loon voor loonheffing', 'taxable');
  }
  totalRow('Netto loon', 'net');
  pen.text(42, y + 10, `Uit te betalen op ${t.paidOn} naar rekening ${t.iban}`, { id: 'iban' });
  pen.right(columns.period, y + 10, t.total('net'), { id: 'paid' });
  if (slip.reserve) reserveTable(pen, y + 40, slip.reserve, t.amount);
  pen.text(42, y + 76, `Loon SV ${t.total('socialWage')}   Werkgeversheffing Zvw ${t.total('zvwEmployer')}`);
  return pen.sheet;
}

function reserveTable(
  pen: Pen,
  y: number,
  { before, added, paid, after }: NonNullable<Slip['reserve']>,
  amount: (cents: number) => string,
): void {
  pen.text(42, y, 'Reservering vakantiegeld 8%', { face: 'bold' });
  const cells: [string, number][] = [
    ['Beginstand', before],
    ['Opbouw', added],
    ['Opgenomen', paid],
    ['Stand', after],
  ];
  for (const [index, [label, cents]] of cells.entries()) {
    pen.right(240 + index * 100, y, label);
    pen.right(240 + index * 100, y + 12, amount(cents), index === 1 ? { id: 'reserveAdded' } : {});
  }
}

/** Small labels above large values in boxes. */
function boxes(slip: Slip, style: Style): Sheet {
  const t = textsOf(slip, style);
  const pen = new Pen(style.family, 9);
  pen.text(36, 50, 'Loonstrook', { size: 18, face: 'bold' });
  pen.text(36, 68, t.employer.name, { id: 'employer' });
  pen.text(36, 80, t.employer.address.join(', '), { size: 7.5, grey: 0.35 });
  const cell = (column: number, row: number, label: string, value: string, id?: string) => {
    if (value === '') return;
    const [x, y] = [36 + column * 132, 100 + row * 38];
    pen.box(x, y, 126, 33, { stroke: 0.6 });
    pen.text(x + 5, y + 10, label, { size: 6.5, grey: 0.35 });
    const size = fitting(style.family, value, 116, 9.5);
    pen.text(x + 5, y + 26, value, id === undefined ? { size } : { size, id });
  };
  cell(0, 0, 'Naam werknemer', t.name, 'name');
  cell(1, 0, 'Periode', t.period, 'period');
  cell(2, 0, 'Betaaldatum', t.paidOn, 'paidOn');
  cell(3, 0, 'BSN', t.bsn, 'bsn');
  cell(0, 1, 'Contracturen per week', t.hoursPerWeek, 'hoursPerWeek');
  cell(1, 1, 'Bruto uurloon', t.hourly, 'hourly');
  cell(2, 1, 'Wettelijk minimumuurloon', t.minimum, 'minimum');
  cell(3, 1, 'Geboortedatum', t.day(t.employee.birth));
  cell(0, 2, 'Loonheffingennummer', t.employer.wageTaxNumber, 'wageTaxNumber');
  cell(1, 2, 'KvK', t.employer.kvk);
  cell(2, 2, 'In dienst sinds', t.day(slip.employment.since));
  cell(3, 2, 'Heffingskorting', slip.employment.taxCredit ? 'toegepast' : 'niet toegepast');
  let y = 240;
  const title = (text: string) => {
    pen.text(36, y, text, { face: 'bold', size: 10 });
    pen.rule(36, y + 4, 560);
    y += 18;
  };
  const sections = {
    gross: 'Bruto',
    taxable: 'Fiscaal',
    withheld: 'Inhoudingen',
    net: 'Netto vergoedingen en inhoudingen',
  };
  for (const part of partsInOrder) {
    const lines = slip.lines.filter((line) => line.part === part);
    if (lines.length === 0) continue;
    title(sections[part]);
    for (const line of lines) {
      pen.text(40, y, line.nl);
      pen.right(330, y, [t.hours(line), t.rate(line)].filter(Boolean).join(' x '));
      pen.right(555, y, t.amount(line.cents), { id: `line:${line.key}` });
      y += 13;
    }
    y += 8;
  }
  const big = (x: number, label: string, which: Total) => {
    pen.box(x, y, 126, 42, { fill: which === 'net' ? 0.85 : 0.95 });
    pen.text(x + 6, y + 12, label, { size: 7 });
    pen.text(x + 6, y + 31, t.total(which), { size: 13, face: 'bold', id: which });
  };
  big(36, 'Bruto loon', 'gross');
  big(168, 'Loon LH', 'taxable');
  big(300, 'Ingehouden loonheffing', 'tax');
  big(432, 'Netto uitbetaald', 'net');
  y += 64;
  pen.text(36, y, `Wij betalen dit bedrag op ${t.paidOn} op ${t.iban}.`, { id: 'iban' });
  y += 24;
  title('Cumulatief dit jaar');
  for (const [index, [label, which]] of (
    [
      ['Bruto loon', 'gross'],
      ['Loon LH', 'taxable'],
      ['Loonheffing', 'tax'],
      ['Netto', 'net'],
    ] as const
  ).entries()) {
    pen.text(36 + index * 132, y, label, { size: 7, grey: 0.35 });
    pen.text(36 + index * 132, y + 13, t.year(which), { id: `${which}Year` });
  }
  if (slip.reserve)
    pen.text(
      36,
      y + 40,
      `Opbouw vakantiegeld (8%) deze periode: ${t.amount(slip.reserve.added)}   saldo: ${t.amount(slip.reserve.after)}`,
    );
  return pen.sheet;
}

/** Typewriter letters, labels left with dots up to the value. */
function typewriter(slip: Slip, style: Style): Sheet {
  const t = textsOf(slip, { ...style });
  const pen = new Pen('Courier', 9);
  let y = 44;
  const plain = (text: string, id?: string) => {
    pen.text(40, y, text, id === undefined ? {} : { id });
    y += 12;
  };
  const row = (label: string, value: string, id?: string, yearValue = '', yearId?: string) => {
    if (value === '') return;
    pen.text(40, y, `${label} `.padEnd(34, '.'));
    pen.right(370, y, value, id === undefined ? {} : { id });
    pen.right(500, y, yearValue, yearId === undefined ? {} : { id: yearId });
    y += 12;
  };
  plain(t.employer.name, 'employer');
  for (const line of t.employer.address) plain(line);
  y += 12;
  pen.text(40, y, 'L O O N S P E C I F I C A T I E', { face: 'bold' });
  y += 18;
  pen.text(40, y, 'Tijdvak   :');
  pen.text(112, y, t.period, { id: 'period' });
  y += 12;
  pen.text(40, y, 'Werknemer :');
  pen.text(112, y, t.name, { id: 'name' });
  y += 12;
  for (const [label, value, id] of [
    ['BSN       :', t.bsn, 'bsn'],
    ['LH-nummer :', t.employer.wageTaxNumber, 'wageTaxNumber'],
    ['Geb.datum :', t.day(t.employee.birth), 'birth'],
    ['Uren/week :', t.hoursPerWeek, 'hoursPerWeek'],
    ['Uurloon   :', t.hourly, 'hourly'],
    ['WML/uur   :', t.minimum, 'minimum'],
    ['Uitbetaald:', t.paidOn, 'paidOn'],
    ['Rekening  :', t.iban, 'iban'],
  ] as const) {
    if (value === '') continue;
    pen.text(40, y, label);
    pen.text(112, y, value, { id });
    y += 12;
  }
  y += 10;
  pen.right(370, y, 'Bedrag');
  pen.right(500, y, 'T/m heden');
  y += 14;
  for (const part of partsInOrder) {
    for (const line of slip.lines.filter((each) => each.part === part))
      row(
        line.nl,
        t.amount(line.cents),
        `line:${line.key}`,
        t.amount(line.yearCents),
        `lineYear:${line.key}`,
      );
    if (part === 'gross') row('TOTAAL BRUTO', t.total('gross'), 'gross', t.year('gross'), 'grossYear');
    if (part === 'taxable')
      row('LOON LB/PH', t.total('taxable'), 'taxable', t.year('taxable'), 'taxableYear');
  }
  pen.rule(300, y - 8, 500);
  y += 4;
  row('NETTO', t.total('net'), 'net', t.year('net'), 'netYear');
  y += 12;
  if (slip.reserve) row('Opbouw vakantietoeslag 8%', t.amount(slip.reserve.added), 'reserveAdded');
  if (slip.reserve) row('Saldo vakantietoeslag', t.amount(slip.reserve.after));
  row('Loon Zvw / werkgeversheffing', t.total('zvwEmployer'));
  return pen.sheet;
}

/** Payments in the left column, deductions in the right one. */
function twoColumns(slip: Slip, style: Style): Sheet {
  const t = textsOf(slip, style);
  const pen = new Pen(style.family, 9);
  pen.right(555, 50, t.employer.name, { face: 'bold', size: 12, id: 'employer' });
  pen.right(555, 63, t.employer.address.join('  '), { size: 7.5 });
  pen.text(40, 100, 'Aan', { grey: 0.4 });
  address(pen, 40, 114, [t.name, ...t.employee.address], 'name');
  pen.text(300, 100, 'Salarisstrook over', { grey: 0.4 });
  pen.text(300, 114, t.period, { face: 'bold', id: 'period' });
  fieldList(
    pen,
    300,
    128,
    120,
    12,
    [
      ['Betaald op', t.paidOn, 'paidOn'],
      ['BSN', t.bsn, 'bsn'],
      ['Contracturen p/w', t.hoursPerWeek, 'hoursPerWeek'],
      ['Uurloon', t.hourly, 'hourly'],
      ['Wettelijk minimumloon p/u', t.minimum, 'minimum'],
      ['LH-nr', t.employer.wageTaxNumber, 'wageTaxNumber'],
    ],
    ':',
  );
  const left = slip.lines.filter(({ part, cents }) => part === 'gross' || (part === 'net' && cents > 0));
  const right = slip.lines.filter(({ part, cents }) => part === 'withheld' || (part === 'net' && cents < 0));
  pen.box(38, 222, 252, 16, { fill: 0.9 });
  pen.box(303, 222, 252, 16, { fill: 0.9 });
  pen.text(42, 234, 'Betalingen', { face: 'bold' });
  pen.text(307, 234, 'Inhoudingen', { face: 'bold' });
  const rows = Math.max(left.length, right.length);
  for (let index = 0; index < rows; index++) {
    const y = 254 + index * 14;
    const [pays, takes] = [left[index], right[index]];
    if (pays) {
      pen.text(42, y, pays.nl);
      pen.right(200, y, t.hours(pays), { size: 7.5, grey: 0.3 });
      pen.right(287, y, t.amount(pays.cents), { id: `line:${pays.key}` });
    }
    if (takes) {
      pen.text(307, y, takes.nl);
      pen.right(465, y, t.rate(takes), { size: 7.5, grey: 0.3 });
      pen.right(552, y, t.amount(-takes.cents), { id: `line:${takes.key}` });
    }
  }
  const y = 262 + rows * 14;
  const total = (lines: readonly Line[]) => lines.reduce((all, { cents }) => all + cents, 0);
  pen.rule(42, y, 287);
  pen.rule(307, y, 552);
  pen.text(42, y + 13, 'Totaal betalingen', { face: 'bold' });
  pen.right(287, y + 13, t.amount(total(left)), { face: 'bold', id: 'payments' });
  pen.text(307, y + 13, 'Totaal inhoudingen', { face: 'bold' });
  pen.right(552, y + 13, t.amount(-total(right)), { face: 'bold', id: 'deductions' });
  pen.box(303, y + 28, 252, 22, { stroke: 0 });
  pen.text(307, y + 43, 'Netto te ontvangen', { face: 'bold', size: 11 });
  pen.right(552, y + 43, t.total('net'), { face: 'bold', size: 11, id: 'net' });
  pen.text(307, y + 64, 'op IBAN');
  pen.right(552, y + 64, t.iban, { id: 'iban' });
  pen.text(42, y + 43, 'Brutoloon');
  pen.right(287, y + 43, t.total('gross'), { id: 'gross' });
  pen.text(42, y + 57, 'Belastbaar loon');
  pen.right(287, y + 57, t.total('taxable'), { id: 'taxable' });
  for (const [index, line] of slip.lines.filter(({ part }) => part === 'taxable').entries()) {
    pen.text(42, y + 71 + index * 13, `waarvan ${line.nl}`);
    pen.right(287, y + 71 + index * 13, t.amount(line.cents), { id: `line:${line.key}` });
  }
  pen.text(42, y + 112, 'Jaartotalen', { face: 'bold' });
  fieldList(pen, 42, y + 127, 150, 13, [
    ['Brutoloon', t.year('gross'), 'grossYear'],
    ['Belastbaar loon', t.year('taxable'), 'taxableYear'],
    ['Loonheffing', t.year('tax'), 'taxYear'],
    ['Nettoloon', t.year('net'), 'netYear'],
  ]);
  if (slip.reserve)
    fieldList(pen, 307, y + 127, 150, 13, [
      ['Vakantiegeld opgebouwd 8%', t.amount(slip.reserve.added), 'reserveAdded'],
      ['Vakantiegeld saldo', t.amount(slip.reserve.after)],
    ]);
  return pen.sheet;
}

/** A landscape slip with a column for hours, a gross column, a table wage column and a net column: each amount stands in its column. */
function columnsWide(slip: Slip, style: Style): Sheet {
  const t = textsOf(slip, style);
  const pen = new Pen(style.family, 8.5, 841.89, 595.28);
  const long = slip.period.kind === '4 weeks';
  pen.text(36, 44, `${long ? 'Loonstrook 4 weken' : 'Loonstrook'}  `, { size: 12, face: 'bold' });
  pen.text(200, 44, t.employer.name, { size: 12, id: 'employer' });
  pen.right(805, 44, t.employer.address.join(', '));
  pen.rule(36, 50, 805);
  const cells: Field[] = [
    ['Werknemer', t.name, 'name'],
    ['Pers.nr.', t.employee.number],
    ['BSN', t.bsn, 'bsn'],
    ['Verloningsperiode', t.period, 'period'],
    ['Datum betaling', t.paidOn, 'paidOn'],
  ];
  cells.forEach(([label, value, id], index) => {
    if (value === '') return;
    const x = [36, 250, 330, 430, 680][index] ?? 36;
    pen.text(x, 66, label, { size: 7, grey: 0.4 });
    pen.text(x, 78, value, id === undefined ? {} : { id });
  });
  const second: Field[] = [
    ['Uren p.w.', t.hoursPerWeek, 'hoursPerWeek'],
    ['Uurloon', t.hourly, 'hourly'],
    ['WML', t.minimum, 'minimum'],
    ['LH-nummer', t.employer.wageTaxNumber, 'wageTaxNumber'],
    ['Rekening', t.iban, 'iban'],
    ['In dienst', t.day(slip.employment.since)],
  ];
  second.forEach(([label, value, id], index) => {
    if (value === '') return;
    const x = [36, 120, 200, 280, 430, 680][index] ?? 36;
    pen.text(x, 98, label, { size: 7, grey: 0.4 });
    pen.text(x, 110, value, id === undefined ? {} : { id });
  });
  const at = { hours: 320, rate: 400, gross: 500, taxable: 600, net: 700, year: 803 };
  pen.box(34, 124, 771, 16, { fill: 0.9 });
  for (const [key, label] of [
    ['hours', 'Uren'],
    ['rate', 'Uurloon/%'],
    ['gross', 'Bruto'],
    ['taxable', 'Tabelloon'],
    ['net', 'Netto'],
    ['year', 'Cumulatief'],
  ] as const)
    pen.right(at[key], 135, label, { face: 'bold' });
  pen.text(38, 135, 'Component', { face: 'bold' });
  let y = 156;
  for (const part of partsInOrder)
    for (const line of slip.lines.filter((each) => each.part === part)) {
      pen.text(38, y, line.nl);
      pen.right(at.hours, y, t.hours(line));
      pen.right(at.rate, y, t.rate(line));
      const column = { gross: at.gross, taxable: at.taxable, withheld: at.net, net: at.net }[part];
      pen.right(column, y, t.amount(line.cents), { id: `line:${line.key}` });
      pen.right(at.year, y, t.amount(line.yearCents), { id: `lineYear:${line.key}` });
      y += 13;
    }
  pen.rule(36, y - 4, 805);
  y += 9;
  pen.text(38, y, 'Totaal bruto / loon LH / netto', { face: 'bold' });
  pen.right(at.gross, y, t.total('gross'), { face: 'bold', id: 'gross' });
  pen.right(at.taxable, y, t.total('taxable'), { face: 'bold', id: 'taxable' });
  pen.right(at.net, y, t.total('net'), { face: 'bold', id: 'net' });
  y += 24;
  const bottom: [string, Total][] = [
    ['Bruto', 'gross'],
    ['Loon LH', 'taxable'],
    ['LH', 'tax'],
    ['Netto', 'net'],
  ];
  pen.text(38, y, long ? 'Cumulatief t/m deze periode' : 'Cumulatieven', { face: 'bold' });
  bottom.forEach(([label, which], index) => {
    pen.right(320 + index * 100, y, label);
    pen.right(320 + index * 100, y + 12, t.year(which), { id: `${which}Year` });
  });
  y += 36;
  if (slip.reserve) {
    pen.text(38, y, 'Reservering vakantietoeslag 8%');
    pen.right(at.gross, y, t.amount(slip.reserve.added), { id: 'reserveAdded' });
    pen.text(520, y, 'Saldo');
    pen.right(at.net, y, t.amount(slip.reserve.after));
  }
  return pen.sheet;
}

/** Hourly paid work through an agency: the label stands below its value in the head. */
function hourlyPaid(slip: Slip, style: Style): Sheet {
  const t = textsOf(slip, style);
  const pen = new Pen(style.family, 9);
  pen.box(0, 0, 595.28, 78, { fill: 0.92 });
  pen.text(36, 36, t.employer.name, { size: 14, face: 'bold', id: 'employer' });
  pen.text(
    36,
    52,
    `${t.employer.address.join(' - ')}   KvK ${t.employer.kvk}   LHnr ${t.employer.wageTaxNumber}`,
    { size: 7.5 },
  );
  pen.text(36, 68, 'Loonspecificatie flexkracht', { size: 9 });
  const below = (x: number, y: number, value: string, label: string, id: string) => {
    if (value === '') return;
    pen.text(x, y, value, { id, size: fitting(style.family, value, 175, 9) });
    pen.rule(x, y + 3, x + 150, y + 3, 0.3);
    pen.text(x, y + 11, label, { size: 6.5, grey: 0.45 });
  };
  below(36, 104, t.name, 'naam flexkracht', 'name');
  below(220, 104, t.period, 'tijdvak', 'period');
  below(410, 104, t.paidOn, 'betaaldatum', 'paidOn');
  below(36, 132, t.bsn, 'burgerservicenummer', 'bsn');
  below(220, 132, t.hourly, 'bruto uurloon', 'hourly');
  below(410, 132, t.minimum, 'wettelijk minimumuurloon', 'minimum');
  below(36, 160, t.hoursPerWeek, 'overeengekomen uren per week', 'hoursPerWeek');
  below(220, 160, t.iban, 'bankrekening', 'iban');
  below(410, 160, t.day(t.employee.birth), 'geboortedatum', 'birth');
  let y = 204;
  const head = (text: string) => {
    pen.text(36, y, text, { face: 'bold' });
    pen.right(330, y, 'uren', { grey: 0.4 });
    pen.right(430, y, 'tarief', { grey: 0.4 });
    pen.right(555, y, 'bedrag', { grey: 0.4 });
    y += 15;
  };
  const printed = (lines: readonly Line[]) => {
    for (const line of lines) {
      pen.text(44, y, line.nl);
      pen.right(330, y, t.hours(line));
      pen.right(430, y, t.rate(line));
      pen.right(555, y, t.amount(line.cents), { id: `line:${line.key}` });
      y += 13;
    }
  };
  const sumRow = (label: string, which: Total) => {
    pen.rule(440, y - 8, 557);
    pen.text(44, y + 3, label, { face: 'bold' });
    pen.right(555, y + 3, t.total(which), { face: 'bold', id: which });
    y += 24;
  };
  head('Brutoloon');
  printed(slip.lines.filter(({ part }) => part === 'gross'));
  sumRow('Totaal brutoloon', 'gross');
  const fiscal = slip.lines.filter(({ part }) => part === 'taxable');
  if (fiscal.length > 0) {
    head('Alleen voor de loonheffing');
    printed(fiscal);
    y += 8;
  }
  head('Af');
  printed(slip.lines.filter(({ part, cents }) => part === 'withheld' || (part === 'net' && cents < 0)));
  y += 8;
  head('Bij');
  printed(slip.lines.filter(({ part, cents }) => part === 'net' && cents > 0));
  sumRow('Nettoloon', 'net');
  pen.text(36, y, 'Jaar tot en met dit tijdvak', { face: 'bold' });
  y += 14;
  for (const [label, which] of [
    ['brutoloon', 'gross'],
    ['loon loonheffing', 'taxable'],
    ['loonheffing', 'tax'],
    ['nettoloon', 'net'],
  ] as const) {
    pen.text(44, y, label);
    pen.right(240, y, t.year(which), { id: `${which}Year` });
    y += 12;
  }
  if (slip.reserve) {
    y += 8;
    pen.text(36, y, 'Reserveringen', { face: 'bold' });
    pen.text(44, y + 13, 'vakantiegeld 8%');
    pen.right(240, y + 13, t.amount(slip.reserve.added), { id: 'reserveAdded' });
    pen.text(270, y + 13, 'saldo');
    pen.right(400, y + 13, t.amount(slip.reserve.after));
  }
  return pen.sheet;
}

/** The slip of an international employer. */
function english(slip: Slip, style: Style): Sheet {
  const t = textsOf(slip, style);
  const pen = new Pen(style.family, 9);
  pen.text(40, 52, 'PAYSLIP', { size: 16, face: 'bold' });
  pen.right(555, 46, t.employer.name, { face: 'bold', id: 'employer' });
  pen.right(555, 58, t.employer.address.join(', '), { size: 8 });
  fieldList(pen, 40, 84, 110, 13, [
    ['Employee name', t.name, 'name'],
    ['Employee ID', t.employee.number],
    ['Date of birth', t.day(t.employee.birth)],
    ['Citizen service number', t.bsn, 'bsn'],
    ['Bank account', t.iban, 'iban'],
    ['Contract hours per week', t.hoursPerWeek, 'hoursPerWeek'],
  ]);
  fieldList(pen, 345, 84, 110, 13, [
    ['Pay period', t.period, 'period'],
    ['Payment date', t.paidOn, 'paidOn'],
    ['Hourly wage', t.hourly, 'hourly'],
    ['Statutory minimum wage', t.minimum, 'minimum'],
    ['Wage tax number', t.employer.wageTaxNumber, 'wageTaxNumber'],
    ['Start date', t.day(slip.employment.since)],
  ]);
  let y = 186;
  const table = (label: string, parts: readonly string[]) => {
    pen.box(38, y - 11, 519, 16, { fill: 0.9 });
    pen.text(42, y, label, { face: 'bold' });
    pen.right(430, y, 'This period', { face: 'bold' });
    pen.right(553, y, 'Year to date', { face: 'bold' });
    y += 18;
    for (const line of slip.lines.filter(({ part }) => parts.includes(part))) {
      pen.text(42, y, line.en);
      pen.right(320, y, t.hours(line) || t.rate(line), { grey: 0.35 });
      pen.right(430, y, t.amount(line.cents), { id: `line:${line.key}` });
      pen.right(553, y, t.amount(line.yearCents), { id: `lineYear:${line.key}` });
      y += 13;
    }
    y += 4;
  };
  const totalRow = (label: string, which: Total) => {
    pen.text(42, y, label, { face: 'bold' });
    pen.right(430, y, t.total(which), { face: 'bold', id: which });
    pen.right(553, y, t.year(which), { face: 'bold', id: `${which}Year` });
    y += 22;
  };
  table('Earnings', ['gross']);
  totalRow('Gross pay', 'gross');
  if (slip.lines.some(({ part }) => part === 'taxable')) table('Taxable items (not paid)', ['taxable']);
  totalRow('Taxable wage', 'taxable');
  table('Deductions', ['withheld']);
  table('Net allowances and deductions', ['net']);
  totalRow('Net pay', 'net');
  if (slip.reserve)
    pen.text(
      42,
      y,
      `Holiday allowance accrued (8%): ${t.amount(slip.reserve.added)}, balance ${t.amount(slip.reserve.after)}`,
    );
  pen.text(42, y + 14, `Employer healthcare levy (Zvw): ${t.total('zvwEmployer')}`);
  return pen.sheet;
}

/** Dutch and English labels on one line. */
function bilingual(slip: Slip, style: Style): Sheet {
  const t = textsOf(slip, style);
  const pen = new Pen(style.family, 8.5);
  pen.text(40, 46, 'Salarisspecificatie / Payslip', { size: 13, face: 'bold' });
  pen.text(40, 62, t.employer.name, { id: 'employer' });
  pen.text(40, 74, `${t.employer.address.join(', ')}  KvK / CoC ${t.employer.kvk}`, { size: 7.5 });
  const y1 = fieldList(pen, 40, 98, 190, 12.5, [
    ['Naam / Name', t.name, 'name'],
    ['Geboortedatum / Date of birth', t.day(t.employee.birth)],
    ['BSN / Citizen service number', t.bsn, 'bsn'],
    ['Periode / Period', t.period, 'period'],
    ['Betaaldatum / Payment date', t.paidOn, 'paidOn'],
    ['Contracturen per week / Contract hours', t.hoursPerWeek, 'hoursPerWeek'],
    ['Uurloon / Hourly wage', t.hourly, 'hourly'],
    ['Minimumloon / Minimum wage', t.minimum, 'minimum'],
    ['Loonheffingennummer / Wage tax number', t.employer.wageTaxNumber, 'wageTaxNumber'],
    ['IBAN', t.iban, 'iban'],
  ]);
  let y = y1 + 16;
  pen.rule(40, y - 10, 555);
  pen.right(440, y, 'Bedrag / Amount', { face: 'bold' });
  pen.right(553, y, 'Cumulatief / YTD', { face: 'bold' });
  y += 15;
  const row = (label: string, value: string, id: string, yearValue: string, yearId: string, bold = false) => {
    pen.text(40, y, label, { face: bold ? 'bold' : 'regular' });
    pen.right(440, y, value, { id, face: bold ? 'bold' : 'regular' });
    pen.right(553, y, yearValue, { id: yearId, face: bold ? 'bold' : 'regular' });
    y += 13;
  };
  for (const part of partsInOrder) {
    for (const line of slip.lines.filter((each) => each.part === part))
      row(
        `${line.nl} / ${line.en}`,
        t.amount(line.cents),
        `line:${line.key}`,
        t.amount(line.yearCents),
        `lineYear:${line.key}`,
      );
    if (part === 'gross')
      row('Bruto loon / Gross salary', t.total('gross'), 'gross', t.year('gross'), 'grossYear', true);
    if (part === 'taxable')
      row(
        'Fiscaal loon / Taxable wage',
        t.total('taxable'),
        'taxable',
        t.year('taxable'),
        'taxableYear',
        true,
      );
  }
  row('Netto loon / Net salary', t.total('net'), 'net', t.year('net'), 'netYear', true);
  if (slip.reserve)
    row(
      'Reservering vakantiegeld 8% / Holiday allowance reserve',
      t.amount(slip.reserve.added),
      'reserveAdded',
      '',
      '',
    );
  return pen.sheet;
}

const make = (
  of: (slip: Slip, style: Style) => Sheet,
  notation: Partial<Notation>,
  name: NameForm,
  family: Family,
) => ({ of, style: { notation: { ...usual, ...notation }, name, family } satisfies Style });

/** The layouts, each with the style of its program. */
export const layouts = {
  dense: make(dense, {}, 'surnameFirst', 'Helvetica'),
  boxes: make(
    boxes,
    { amount: 'euro sign', negative: 'before', period: 'name', date: 'words', bsn: 'dots' },
    'titled',
    'Roboto',
  ),
  typewriter: make(
    typewriter,
    { amount: 'dutch without dots', period: 'iso', iban: 'plain' },
    'initials',
    'Courier',
  ),
  twoColumns: make(twoColumns, { negative: 'slashed', period: 'name', bsn: 'spaces' }, 'titled', 'Times'),
  columnsWide: make(columnsWide, { negative: 'before' }, 'surnameFirst', 'Condensed'),
  hourlyPaid: make(
    hourlyPaid,
    { amount: 'euro sign', negative: 'slashed', period: 'number' },
    'initials',
    'DejaVu',
  ),
  english: make(
    english,
    { amount: 'english', negative: 'bracketed', period: 'english', date: 'iso', bsn: 'absent' },
    'full',
    'Helvetica',
  ),
  bilingual: make(bilingual, { negative: 'before', date: 'slashes', iban: 'plain' }, 'firstName', 'Serif'),
} as const;
export type LayoutName = keyof typeof layouts;
export const layoutNames = Object.keys(layouts) as LayoutName[];

export const slipSheet = (slip: Slip, layout: LayoutName): Sheet =>
  layouts[layout].of(slip, layouts[layout].style);
