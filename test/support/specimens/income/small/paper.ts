import { fileURLToPath } from 'node:url';
import pdfmake from 'pdfmake';
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js';

/** Small papers for unit tests, made with pdfmake. They are of invented persons and employers. */

const folder = fileURLToPath(new URL('./fonts/Roboto/', import.meta.resolve('pdfmake/package.json')));
pdfmake.setLocalAccessPolicy((path) => path.startsWith(folder) || path.startsWith('Courier'));
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setFonts({
  Roboto: { normal: `${folder}Roboto-Regular.ttf`, bold: `${folder}Roboto-Medium.ttf` },
  Courier: { normal: 'Courier', bold: 'Courier-Bold' },
});

export async function paperOf(
  content: Content[],
  changes: Partial<TDocumentDefinitions> = {},
): Promise<Buffer> {
  const made = new Date('2026-05-25T09:00:00Z');
  const definition: TDocumentDefinitions = {
    info: { title: 'paper', producer: 'Loonbureau 4.1', creationDate: made, modDate: made },
    ...{ pageSize: 'A4', compress: false, defaultStyle: { font: 'Roboto', fontSize: 9 }, content },
    ...changes,
  };
  return Buffer.from(await pdfmake.createPdf(definition).getBuffer());
}

/** What a slip says. The sums of the usual one hold. */
export const usual = {
  title: 'Salarisspecificatie',
  employer: 'Kwekerij De Linde B.V.',
  name: 'J.M. van der Berg',
  period: '01-05-2026 t/m 31-05-2026',
  iban: 'NL91 ABNA 0417 1643 00',
  birth: '12-03-1990',
  hourly: '20,00',
  salary: '3.466,67',
  overtime: '120,00',
  gross: '3.586,67',
  tax: '812,33',
  pension: '180,10',
  travel: '90,20',
  net: '2.684,44',
  yearGross: '17.933,35',
  yearNet: '13.422,20',
};
export type Slip = typeof usual;

const right = (text: string): Content => ({ text, alignment: 'right' });
const plainTable = (body: Content[][], widths: (string | number)[]): Content => ({
  table: { widths, body },
  layout: 'noBorders',
  margin: [0, 4, 0, 4],
});

/** Layouts by the place of labels and amounts. */
export const layouts: Record<string, (slip: Slip) => Content[]> = {
  'labels to the left': (slip) => [
    ...headOf(slip),
    plainTable(
      [
        ['', right('Bedrag'), right('Cumulatief')],
        ['Salaris', right(slip.salary), right('17.333,35')],
        ['Overwerk', right(slip.overtime), right('600,00')],
        [{ text: 'Brutoloon', bold: true }, right(slip.gross), right(slip.yearGross)],
        ['Loonheffing', right(`${slip.tax}-`), right('4.061,65-')],
        ['Pensioenpremie', right(`${slip.pension}-`), right('900,50-')],
        ['Reiskosten', right(slip.travel), right('451,00')],
        [{ text: 'Nettoloon', bold: true }, right(slip.net), right(slip.yearNet)],
      ],
      ['*', 80, 80],
    ),
  ],
  'labels above': (slip) => [
    ...headOf(slip),
    plainTable(
      [
        ['Salaris', 'Overwerk', 'Loonheffing', 'Pensioenpremie', 'Reiskosten'].map((text) => right(text)),
        [slip.salary, slip.overtime, slip.tax, slip.pension, slip.travel].map((text) => right(text)),
      ],
      ['*', '*', '*', '*', '*'],
    ),
    {
      columns: [
        [{ text: 'Bruto', fontSize: 7 }, slip.gross],
        [{ text: 'Netto', fontSize: 7 }, slip.net],
      ],
      margin: [0, 20, 0, 0],
    },
  ],
  'two columns': (slip) => [
    ...headOf(slip),
    plainTable(
      [
        ['Betalingen', '', 'Inhoudingen', ''],
        ['Salaris', right(slip.salary), 'Loonheffing', right(slip.tax)],
        ['Overwerk', right(slip.overtime), 'Pensioenpremie', right(slip.pension)],
        ['Reiskosten', right(slip.travel), '', ''],
      ],
      ['*', 70, '*', 70],
    ),
    plainTable(
      [
        ['Brutoloon', right(slip.gross)],
        ['Netto te betalen', right(slip.net)],
      ],
      ['*', 80],
    ),
  ],
  'hours and rate': (slip) => [
    ...headOf(slip),
    plainTable(
      [
        ['Omschrijving', right('Uren'), right('Tarief'), right('Bedrag')],
        ['Salaris', '', '', right(slip.salary)],
        ['Overuren', right('6,00'), right('20,00'), right(slip.overtime)],
        ['Totaal bruto', '', '', right(slip.gross)],
        ['LH', '', '', right(`-${slip.tax}`)],
        ['Pensioen', '', '', right(`-${slip.pension}`)],
        ['Reiskosten', '', '', right(slip.travel)],
        ['Netto', '', '', right(slip.net)],
      ],
      ['*', 60, 60, 80],
    ),
  ],
  english: (slip) => {
    const t = (text: string) => text.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
    return [
      { text: 'Payslip', fontSize: 14 },
      plainTable(
        [
          ['Employer', slip.employer, 'Pay period', 'May 2026'],
          ['Employee', slip.name, 'Bank account', slip.iban],
          ['Hourly wage', t(slip.hourly), 'Hours per week', '40.00'],
          ['Date of birth', slip.birth, 'Minimum wage', '14.71'],
        ],
        ['*', '*', '*', '*'],
      ),
      plainTable(
        [
          ['Earnings', right('Amount')],
          ['Salary', right(t(slip.salary))],
          ['Overtime', right(t(slip.overtime))],
          ['Gross pay', right(t(slip.gross))],
          ['Wage tax', right(`(${t(slip.tax)})`)],
          ['Pension', right(`(${t(slip.pension)})`)],
          ['Travel expenses', right(t(slip.travel))],
          ['Net pay', right(t(slip.net))],
        ],
        ['*', 80],
      ),
    ];
  },
};
function headOf(slip: Slip): Content[] {
  return [
    { text: slip.title, fontSize: 14 },
    plainTable(
      [
        ['Werkgever', slip.employer, 'Periode', slip.period],
        ['Werknemer', slip.name, 'IBAN', slip.iban],
        ['Uurloon', slip.hourly, 'Uren per week', '40,00'],
        ['Geboortedatum', slip.birth, 'Minimumloon', '14,71'],
      ],
      [80, '*', 80, '*'],
    ),
  ];
}

export const slipOf = (
  layout: string,
  changes: Partial<Slip> = {},
  definition: Partial<TDocumentDefinitions> = {},
) => {
  const make = layouts[layout];
  if (make === undefined) throw new Error(`no layout ${layout}`);
  return paperOf(make({ ...usual, ...changes }), definition);
};
