import type { Content } from '#platform/pdf.ts';

const ink = '#1c2430';
const grey = '#5b6470';
const line = '#c9ced6';
const shade = '#f1f3f6';

export const muted = (text: string): Content => ({ text, color: grey });

export const strong = (text: string): Content => ({ text, bold: true });

/** A hash is small, so that its 64 digits fit into one line. */
export const hashText = (hash: string | null): Content => ({
  ...{ text: hash ?? 'none', fontSize: 6.8, color: grey },
});

/** Text of a partner, which may have a word that is longer than a line. */
export const freeText = (text: string) => ({
  text,
  wordBreak: /\S{50}/.test(text) ? ('break-all' as const) : ('normal' as const),
});

export const titleBlock = (title: string, subtitle: string, reference: string): Content => ({
  stack: [
    { text: title, fontSize: 20, bold: true, color: ink },
    {
      columns: [
        { ...freeText(subtitle), fontSize: 11 },
        { text: reference, fontSize: 9, color: grey, alignment: 'right', margin: [0, 2, 0, 0] },
      ],
    },
    { canvas: [{ type: 'line', x1: 0, y1: 6, x2: 499, y2: 6, lineWidth: 1.5, lineColor: ink }] },
  ],
  margin: [0, 0, 0, 12],
});

/** Stands out, for what a reader must not overlook. */
export const notice = (text: string): Content => ({
  table: { widths: ['*'], body: [[{ text, bold: true, fillColor: '#fff4d6', margin: [6, 5, 6, 5] }]] },
  layout: {
    hLineColor: () => '#d9a400',
    vLineColor: () => '#d9a400',
    hLineWidth: () => 0.7,
    vLineWidth: () => 0.7,
  },
  margin: [0, 0, 0, 10],
});

const headingOf = (name: string) => ({ text: name, fontSize: 12, bold: true, color: ink });

/** A heading and a short text or table below it, on one page. */
export const section = (name: string, content: Content): Content => ({
  stack: [{ ...headingOf(name), margin: [0, 0, 0, 4] }, content],
  unbreakable: true,
  margin: [0, 12, 0, 0],
});

export const paragraph = (text: string): Content => ({ text, margin: [0, 0, 0, 4], color: grey });

const thin = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0,
  hLineColor: () => line,
  paddingLeft: (column: number) => (column === 0 ? 4 : 6),
  paddingRight: () => 4,
  paddingTop: () => 3,
  paddingBottom: () => 3,
};

type Row = (string | Content)[];

/**
 * A heading and a table of any length. Both the heading and the names of the columns stand above the rows on each page. No row is broken
 * over two pages.
 */
export const tableSection = (
  name: string,
  widths: (number | '*' | 'auto')[],
  header: string[],
  rows: Row[],
): Content => ({
  table: {
    ...{ widths, headerRows: 2, keepWithHeaderRows: 1, dontBreakRows: true },
    body: [
      [
        { ...headingOf(name), colSpan: widths.length, margin: [-4, 0, 0, 1] },
        ...header.slice(1).map(() => ''),
      ],
      header.map((text) => ({ text, bold: true, fontSize: 8, color: grey, fillColor: shade })),
      ...rows,
    ],
  },
  layout: { ...thin, hLineWidth: (row: number) => (row === 0 ? 0 : 0.5) },
  margin: [0, 12, 0, 0],
});

/** Names with their values, one below the other. */
export const fields = (rows: [name: string, value: string | Content][]): Content => ({
  table: {
    ...{ widths: [118, '*'], dontBreakRows: true },
    body: rows.map(([name, value]) => [{ text: name, color: grey }, value]),
  },
  layout: thin,
});

/** The name of a value of the interface, as people read it. */
export const words = (name: string) => name.replaceAll('_', ' ');
export const sentence = (name: string) =>
  words(name.charAt(0).toUpperCase() + name.slice(1))
    .replace(/^Mrz\b/, 'MRZ')
    .replace(/^Eid\b/, 'eID');
