import { html, type Markup, type Value } from '../pages/markup.ts';

/** A row of a table: what it shows in each column. */
export type Row = {
  cells: readonly Value[];
  /** True if the row is about something that is over. */
  isOver?: boolean;
};

type Table = {
  /** What the rows are, in a word or two. */
  label: string;
  /** The names of the columns. A column without a name is left out, with its cells. */
  columns: readonly (string | undefined)[];
  /** The place of the column that names a row. Undefined: none does. */
  names?: number | undefined;
};

/**
 * A table. On a narrow screen each row is a card that repeats the names of its columns, because a table there would be cut at the edge. The
 * roles are written out: a browser that draws a row as a card takes them away.
 */
export function table({ label, columns, names }: Table, rows: readonly Row[]): Markup {
  const shown = columns.flatMap((name, place) => (name === undefined ? [] : [{ name, place }]));
  const cell = (row: Row, { name, place }: (typeof shown)[number]) =>
    place === names
      ? html`<th scope="row" role="rowheader" data-column=${name}>${row.cells[place]}</th>`
      : html`<td role="cell" data-column=${name}>${row.cells[place]}</td>`;
  return html`
    <div class="table" role="region" aria-label=${label} tabindex="0">
      <table role="table">
        <thead role="rowgroup"><tr role="row">${shown.map(({ name }) => html`<th scope="col" role="columnheader">${name}</th>`)}</tr></thead>
        <tbody role="rowgroup">
          ${rows.map((row) => html`<tr role="row" class=${row.isOver ? 'over' : undefined}>${shown.map((each) => cell(row, each))}</tr>`)}
        </tbody>
      </table>
    </div>
  `;
}
