export type Face = 'regular' | 'bold' | 'italic' | 'mono' | 'mono bold';

/** A text on its baseline. Coordinates are points from the upper left corner. */
export type Text = {
  kind: 'text';
  x: number;
  y: number;
  text: string;
  size: number;
  face: Face;
  align: 'left' | 'right' | 'center';
  grey: number;
  /** The name by which a fault finds it. */
  id?: string;
  /** Another font family than that of the paper. */
  family?: Family;
  /** 3 draws nothing that is seen, as the text behind a scanned page. */
  mode?: 0 | 3;
};
export type Rectangle = {
  kind: 'rect';
  x: number;
  y: number;
  wide: number;
  high: number;
  fill?: number;
  stroke?: number;
};
export type Rule = { kind: 'line'; x: number; y: number; toX: number; toY: number; wide: number };
export type Item = Text | Rectangle | Rule;

/** Font families. The first three are not inside the file. */
export const families = ['Helvetica', 'Times', 'Courier', 'Roboto', 'DejaVu', 'Condensed', 'Serif'] as const;
export type Family = (typeof families)[number];

export type Sheet = { pages: Item[][]; wide: number; high: number; family: Family };

type Look = Partial<Pick<Text, 'size' | 'face' | 'align' | 'grey' | 'id' | 'family' | 'mode'>>;

/** Writes on the last page of a sheet. */
export class Pen {
  readonly sheet: Sheet;
  constructor(family: Family, size = 9, wide = 595.28, high = 841.89) {
    this.sheet = { pages: [[]], wide, high, family };
    this.#size = size;
  }
  readonly #size: number;

  get #page(): Item[] {
    return this.sheet.pages.at(-1) as Item[];
  }

  text(x: number, y: number, text: string, look: Look = {}): void {
    if (text === '') return;
    this.#page.push({
      kind: 'text',
      x,
      y,
      text,
      size: this.#size,
      face: 'regular',
      align: 'left',
      grey: 0,
      ...look,
    });
  }

  right(x: number, y: number, text: string, look: Look = {}): void {
    this.text(x, y, text, { align: 'right', ...look });
  }

  rule(x: number, y: number, toX: number, toY = y, wide = 0.6): void {
    this.#page.push({ kind: 'line', x, y, toX, toY, wide });
  }

  box(
    x: number,
    y: number,
    wide: number,
    high: number,
    paint: { fill?: number; stroke?: number } = { stroke: 0 },
  ): void {
    this.#page.push({ kind: 'rect', x, y, wide, high, ...paint });
  }

  newPage(): void {
    this.sheet.pages.push([]);
  }
}

/** A copy in which the texts of some ids are others. Throws if an id is not there. */
export function changed(sheet: Sheet, texts: Record<string, string | Partial<Text>>): Sheet {
  const left = new Set(Object.keys(texts));
  const pages = sheet.pages.map((items) =>
    items.map((item): Item => {
      if (item.kind !== 'text' || item.id === undefined) return item;
      const other = texts[item.id];
      if (other === undefined) return item;
      left.delete(item.id);
      return { ...item, ...(typeof other === 'string' ? { text: other } : other) };
    }),
  );
  if (left.size > 0) throw new Error(`the sheet has no ${[...left].join(', ')}`);
  return { ...sheet, pages };
}

/** The text with this id, and its page. */
export function found(sheet: Sheet, id: string): { item: Text; page: number } {
  for (const [page, items] of sheet.pages.entries())
    for (const item of items) if (item.kind === 'text' && item.id === id) return { item, page };
  throw new Error(`the sheet has no ${id}`);
}

export const has = (sheet: Sheet, id: string): boolean =>
  sheet.pages.some((items) => items.some((item) => item.kind === 'text' && item.id === id));
