import { createHash } from 'node:crypto';
import { dayMs } from '#contract/time.ts';
import {
  caseOf,
  employerPaper,
  employmentOf,
  jobsOf,
  type MadeSlip,
  madeSlips,
  originOf,
  slipPaper,
  uwvPaper,
} from './clean.ts';
import { Dice } from './dice.ts';
import { amountOf, bsnText, dateOf, ibanText, month, periodText } from './notation.ts';
import { type Slip, type Total, yearOf } from './payroll.ts';
import { additionTo, type Objects, PdfFile, withEntry } from './pdf-file.ts';
import { bsnOf, employeeAt, employerAt, fullName, isBsn } from './people.ts';
import { changed, found, has, type Item, type Sheet, type Text } from './sheet.ts';
import { foreignSigner, type Identity, selfSigner, signed, trustedRoot, trustedSigner } from './signing.ts';
import { type LayoutName, layoutNames, layouts, slipSheet } from './slips.ts';
import { type Case, type Paper, type Planted, truthOf } from './truth.ts';
import {
  type Box,
  boxOf,
  informationOf,
  inWinAnsi,
  type Origin,
  pdfStream,
  pdfText,
  standardFonts,
  written,
} from './write.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Alterations of the file are shown by one of these, as the engine chooses. */
const file = ['file_integrity', 'revision_history'];

/** The slip with other amounts. The lines and totals that are not named stay. */
export function altered(slip: Slip, cents: Partial<Record<Total | 'salary', number>>, years = true): Slip {
  const more = (total: { cents: number; yearCents: number }, by = 0) => ({
    cents: total.cents + by,
    yearCents: total.yearCents + (years ? by : 0),
  });
  return {
    ...slip,
    lines: slip.lines.map((line) =>
      line.key === 'salary' ? { ...line, ...more(line, cents.salary) } : line,
    ),
    totals: Object.fromEntries(
      Object.entries(slip.totals).map(([name, total]) => [name, more(total, cents[name as Total])]),
    ) as Slip['totals'],
  };
}

/** A higher wage in all places, so that all sums still hold. */
const raised = (slip: Slip, by: number, years = true): Slip =>
  altered(slip, { salary: by, gross: by, taxable: by, net: by, socialWage: by, employerTotal: by }, years);

const ordinary = ['full time', 'part time', 'correction', 'overtime and bonus', 'car'] as const;

/** Some slips for a kind of fault. The seed and the kind decide which. */
function slipsFor(kind: string, count: number, from: readonly LayoutName[] = layoutNames): MadeSlip[] {
  const dice = new Dice(`slips for ${kind}`);
  const begin = dice.whole(0, from.length - 1);
  return Array.from({ length: count }, (_, index) => {
    const layout = from[(begin + index) % from.length] as LayoutName;
    const made = madeSlips(dice.pick(ordinary), layout, dice.whole(0, 40), 1)[0];
    if (made === undefined) throw new Error('no slip');
    return made;
  });
}

const standardLayouts = layoutNames.filter((name) =>
  ['Helvetica', 'Times', 'Courier'].includes(layouts[name].style.family),
);

type Change = { weight: Planted['weight']; by: readonly string[]; ids?: string[]; expected?: string };

const placeOf = (sheet: Sheet, id: string): { page: number; box: Box } => {
  const { item, page } = found(sheet, id);
  return { page, box: boxOf(sheet, item) };
};

/** A case of one paper with a fault. The place is that of the first id. */
function one(
  kind: string,
  made: MadeSlip,
  bytes: Buffer,
  { weight, by, ids = [], expected }: Change,
  sheet = made.sheet,
  rest: Partial<Case> = {},
): Case {
  const [id] = ids.filter((each) => has(sheet, each));
  const planted: Planted = { kind, paper: 0, weight, by };
  if (id !== undefined)
    Object.assign(planted, { place: placeOf(sheet, id), found: found(sheet, id).item.text });
  if (id !== undefined && has(made.sheet, id)) planted.expected = expected ?? found(made.sheet, id).item.text;
  const paper: Paper = { name: `${kind}: ${made.name}`, bytes, truth: truthOf(made.slip) };
  return caseOf(paper.name, [paper], { ...rest, planted: [planted] });
}

const later = (date: Date, days: number) => new Date(date.getTime() + days * dayMs + 3_723_000);

/** The document information of a file, with the traces that a program leaves which saves it again. */
const saved = (pdf: PdfFile, origin: Origin, changes: Partial<Origin>): Objects =>
  new Map([[pdf.reference('Info'), Buffer.from(informationOf({ ...origin, ...changes }))]]);

const withAll = (...changes: Objects[]): Objects => new Map(changes.flatMap((each) => [...each]));

/** The content of a page as it would be with another sheet. */
async function contentOf(made: MadeSlip, sheet: Sheet): Promise<{ pdf: PdfFile; content: Objects }> {
  const pdf = new PdfFile(await written(made.sheet, made.origin));
  const other = new PdfFile(await written(sheet, made.origin));
  const at = pdf.contentOf(0);
  return { pdf, content: new Map([[at, other.objects.get(other.contentOf(0)) ?? Buffer.alloc(0)]]) };
}

const idFor = (name: string) => Buffer.from(name.padEnd(16, '~').slice(-16)).toString('hex');

// Revisions and rewritten files.

/** The content of the page as it is with other amounts: added as a revision, or in a file that was written anew. */
async function editedAs(way: string, made: MadeSlip, sheet: Sheet, alone: boolean): Promise<Case[]> {
  const { pdf, content } = await contentOf(made, sheet);
  const ids = [alone ? 'net' : 'gross'];
  const traces = saved(pdf, made.origin, { modifiedAt: later(made.origin.createdAt, 9) });
  const edited = (how: string, bytes: Buffer, by: string) =>
    one(`${way}, ${how}`, made, bytes, { weight: 'alarm', by: [by], ids }, sheet);
  const revisions = [
    edited('added as a revision', pdf.appended(withAll(content, traces)), 'revision_history'),
    edited('added as a revision without a date', pdf.appended(content), 'revision_history'),
  ];
  if (!alone) return revisions;
  const id = idFor(made.name);
  return [
    ...revisions,
    edited('file rewritten', pdf.rewritten(content, { id }), 'arithmetic'),
    edited('file rewritten and packed', pdf.rewritten(content, { id, packed: true }), 'arithmetic'),
  ];
}

async function editedContents(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const made of slipsFor('net amount edited', 4)) {
    const sheet = slipSheet(altered(made.slip, { net: 50_000 }), made.layout);
    cases.push(...(await editedAs('net amount edited', made, sheet, true)));
  }
  for (const made of slipsFor('all amounts edited', 4)) {
    const sheet = slipSheet(raised(made.slip, 62_500), made.layout);
    cases.push(...(await editedAs('all amounts edited so that sums hold', made, sheet, false)));
  }
  return cases;
}

/** The revision that matters is followed by many that change nothing, so that a reader which looks at the last ones only is misled. */
async function buriedRevisions(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const made of slipsFor('buried revision', 2)) {
    const sheet = slipSheet(raised(made.slip, 47_100), made.layout);
    const { pdf, content } = await contentOf(made, sheet);
    let bytes = pdf.appended(content);
    for (let each = 1; each <= 15; each++) {
      const last = new PdfFile(bytes);
      bytes = last.appended(saved(last, made.origin, { modifiedAt: later(made.origin.createdAt, 0) }));
    }
    const change: Change = { weight: 'alarm', by: ['revision_history'], ids: ['gross'] };
    cases.push(one('all amounts edited, then 15 revisions that change nothing', made, bytes, change, sheet));
  }
  return cases;
}

/** The year's sums stayed those of the true wage, so that they no longer follow from the slip before. */
async function cumulatives(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const layout of ['dense', 'english', 'typewriter', 'boxes', 'bilingual'] as const) {
    const [before, made] = madeSlips('full time', layout, layout.length, 2);
    if (!before || !made) continue;
    const sheet = slipSheet(raised(made.slip, 40_000, false), layout);
    const papers = [
      await slipPaper(before),
      { ...(await slipPaper(made)), bytes: await written(sheet, made.origin) },
    ];
    const planted: Planted = {
      kind: 'year sums do not follow from the slip before',
      paper: 1,
      weight: 'alarm',
      by: ['arithmetic'],
    };
    cases.push(caseOf(`year sums: ${made.name}`, papers, { planted: [planted] }));
  }
  return cases;
}

async function sums(): Promise<Case[]> {
  const cases: Case[] = [];
  const kinds: [string, Planted['weight'], (slip: Slip) => Slip, string][] = [
    ['net off by one cent', 'doubt', (slip) => altered(slip, { net: 1 }), 'net'],
    ['net off by two cents', 'alarm', (slip) => altered(slip, { net: 2 }), 'net'],
    ['gross off by two cents', 'alarm', (slip) => altered(slip, { gross: 2 }), 'gross'],
    ['salary line edited alone', 'alarm', (slip) => altered(slip, { salary: 30_000 }), 'line:salary'],
    [
      'gross and net edited, the lines not',
      'alarm',
      (slip) => altered(slip, { gross: 25_000, net: 25_000 }),
      'gross',
    ],
    ['digits of the net swapped', 'alarm', (slip) => altered(slip, { net: 90_000 }), 'net'],
  ];
  for (const [kind, weight, change, id] of kinds)
    for (const made of slipsFor(kind, 4)) {
      const sheet = slipSheet(change(made.slip), made.layout);
      cases.push(
        one(kind, made, await written(sheet, made.origin), { weight, by: ['arithmetic'], ids: [id] }, sheet),
      );
    }
  return cases;
}

// Things that lie over the page.

/** The texts that a higher wage changes, with their old and new form. */
function differences(before: Sheet, after: Sheet): { item: Text; page: number; text: string }[] {
  return before.pages.flatMap((items, page) =>
    items.flatMap((item, place) => {
      const other = after.pages[page]?.[place];
      return item.kind === 'text' && other?.kind === 'text' && other.text !== item.text
        ? [{ item, page, text: other.text }]
        : [];
    }),
  );
}

const up = (sheet: Sheet, { x, y, wide, high }: Box, margin = 0) =>
  `${(x - margin).toFixed(2)} ${(sheet.high - y - high - margin).toFixed(2)} ${(wide + margin * 2).toFixed(2)} ${(high + margin * 2).toFixed(2)}`;

const standardFont = (name: string) =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;

/** A white box over each changed amount, and the new amount on it. */
function covering(made: MadeSlip, after: Sheet): { operators: string; fonts: Record<string, string> } {
  const name = standardFonts.includes(`${made.sheet.family}-Bold`) ? made.sheet.family : 'Helvetica';
  const fonts = { Zr: standardFont(name), Zb: standardFont(`${name}-Bold`) };
  const parts = differences(made.sheet, after).map(({ item, text }) => {
    const sheet = { ...made.sheet, family: name };
    const old = boxOf(made.sheet, item);
    const { x } = boxOf(sheet, { ...item, text });
    const white = `1 g ${up(made.sheet, old, 1)} re f`;
    const font = item.face === 'bold' ? 'Zb' : 'Zr';
    return `${white} BT 0 g /${font} ${item.size} Tf 1 0 0 1 ${x.toFixed(2)} ${(made.sheet.high - item.y).toFixed(2)} Tm <${inWinAnsi(text).toString('hex')}> Tj ET`;
  });
  return { operators: parts.join('\n'), fonts };
}

const freeTexts = (made: MadeSlip, after: Sheet): string[] =>
  differences(made.sheet, after).map(({ item, text }) => {
    const [x = 0, y = 0, wide = 0, high = 0] = up(made.sheet, boxOf(made.sheet, item), 1)
      .split(' ')
      .map(Number);
    const rect = `[${x} ${y} ${x + wide} ${y + high}]`;
    return `<< /Type /Annot /Subtype /FreeText /F 4 /Rect ${rect} /Contents ${pdfText(text)} /DA (0 g /Helv ${item.size} Tf) /C [1 1 1] /BS << /W 0 >> /AP << /N ${'APPEARANCE'} 0 R >> >>`;
  });

/** Letters of 5 by 7 dots, a number for each row. */
const dots: Readonly<Record<string, number[]>> = {
  '0': [14, 17, 19, 21, 25, 17, 14],
  '1': [4, 12, 4, 4, 4, 4, 14],
  '2': [14, 17, 1, 2, 4, 8, 31],
  '3': [31, 2, 4, 2, 1, 17, 14],
  '4': [2, 6, 10, 18, 31, 2, 2],
  '5': [31, 16, 30, 1, 1, 17, 14],
  '6': [6, 8, 16, 30, 17, 17, 14],
  '7': [31, 1, 2, 4, 8, 8, 8],
  '8': [14, 17, 17, 14, 17, 17, 14],
  '9': [14, 17, 17, 15, 1, 2, 12],
  '.': [0, 0, 0, 0, 0, 12, 12],
  ',': [0, 0, 0, 0, 12, 4, 8],
  '-': [0, 0, 0, 31, 0, 0, 0],
  '€': [6, 9, 28, 8, 28, 9, 6],
};

/** A picture of an amount, black on white. */
function pictureOf(text: string): Buffer {
  const scale = 6;
  const [wide, high] = [text.length * 6 * scale, 9 * scale];
  const isInk = (x: number, y: number) => {
    const [column, row] = [Math.floor(x / scale), Math.floor(y / scale) - 1];
    const bits = dots[text[Math.floor(column / 6)] ?? '']?.[row] ?? 0;
    return (bits & (16 >> (column % 6))) !== 0;
  };
  const pixels = Buffer.alloc(wide * high);
  for (let place = 0; place < pixels.length; place++)
    pixels[place] = isInk(place % wide, Math.floor(place / wide)) ? 0 : 255;
  return pdfStream(
    `/Type /XObject /Subtype /Image /Width ${wide} /Height ${high} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    pixels,
  );
}

function pictures(made: MadeSlip, after: Sheet): { operators: string; images: Record<string, Buffer> } {
  const images: Record<string, Buffer> = {};
  const operators = differences(made.sheet, after).map(({ item, text }, index) => {
    images[`Zi${index}`] = pictureOf(text);
    const box = boxOf(made.sheet, item);
    const [x, y, wide, high] = up(made.sheet, box, 1).split(' ');
    return `q ${wide} 0 0 ${high} ${x} ${y} cm /Zi${index} Do Q`;
  });
  return { operators: operators.join('\n'), images };
}

async function overlays(): Promise<Case[]> {
  const cases: Case[] = [];
  const kinds = [
    'white box with new text',
    'free text annotation over an amount',
    'picture over an amount',
  ] as const;
  for (const kind of kinds)
    for (const made of slipsFor(kind, 3)) {
      const after = slipSheet(raised(made.slip, 71_200), made.layout);
      const pdf = new PdfFile(await written(made.sheet, made.origin));
      const additions = {
        'white box with new text': () => additionTo(pdf, 0, covering(made, after)),
        'free text annotation over an amount': () => annotated(pdf, made, after),
        'picture over an amount': () => additionTo(pdf, 0, pictures(made, after)),
      };
      const changes = additions[kind]();
      const change: Change = { weight: 'alarm', by: [...file, 'arithmetic'], ids: ['gross'] };
      cases.push(one(`${kind}, added as a revision`, made, pdf.appended(changes), change, after));
      cases.push(
        one(
          `${kind}, file rewritten`,
          made,
          pdf.rewritten(changes, { id: idFor(made.name), packed: true }),
          change,
          after,
        ),
      );
    }
  return cases;
}

/** Annotations with an appearance of their own: white, and the new amount. */
function annotated(pdf: PdfFile, made: MadeSlip, after: Sheet): Objects {
  const changed = differences(made.sheet, after);
  const drafts = freeTexts(made, after);
  const changes = additionTo(pdf, 0, { annotations: drafts });
  let next = Math.max(pdf.size, ...[...changes.keys()].map((number) => number + 1));
  for (const [index, { item, text }] of changed.entries()) {
    const { wide, high } = boxOf(made.sheet, item);
    const appearance = pdfStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 ${wide + 2} ${high + 2}] /Resources << /Font << /Helv ${standardFont('Helvetica')} >> >>`,
      `1 g 0 0 ${wide + 2} ${high + 2} re f BT 0 g /Helv ${item.size} Tf 1 ${high * 0.25} Td <${inWinAnsi(text).toString('hex')}> Tj ET`,
    );
    const at = pdf.size + index;
    changes.set(at, Buffer.from(String(changes.get(at)).replace('APPEARANCE', String(next))));
    changes.set(next++, appearance);
  }
  return changes;
}

async function coveredTexts(): Promise<Case[]> {
  const cases: Case[] = [];
  const cover = async (kind: string, made: MadeSlip, id: string, level: number, change: Change) => {
    const pdf = new PdfFile(await written(made.sheet, made.origin));
    const operators = `${level} g ${up(made.sheet, placeOf(made.sheet, id).box, 1)} re f`;
    const bytes = pdf.rewritten(additionTo(pdf, 0, { operators }), { id: idFor(made.name) });
    cases.push(one(kind, made, bytes, { ...change, ids: [id] }));
  };
  for (const made of slipsFor('covered deduction', 3))
    await cover('white box over a deduction, nothing on it', made, 'line:tax', 1, {
      weight: 'doubt',
      by: [...file, 'arithmetic', 'content_complete'],
    });
  for (const made of slipsFor(
    'covered number',
    3,
    layoutNames.filter((name) => name !== 'english'),
  ))
    await cover('harmless: the citizen service number is covered in black', made, 'bsn', 0, {
      weight: 'nothing',
      by: file,
    });
  return cases;
}

// Type.

async function type(): Promise<Case[]> {
  const cases: Case[] = [];
  const looks: [string, (item: Text) => Partial<Text>][] = [
    [
      'an amount in bold where others are not',
      ({ face }) => ({ face: face === 'bold' ? 'regular' : 'bold' }),
    ],
    [
      'an amount of another font family',
      (item) => ({ family: item.family === 'Times' ? 'Helvetica' : 'Times' }),
    ],
    ['an amount of another size', ({ size }) => ({ size: size + 1.3 })],
  ];
  for (const [kind, look] of looks)
    for (const made of slipsFor(kind, 3)) {
      const after = slipSheet(raised(made.slip, 33_300), made.layout);
      const { item } = found(after, 'line:salary');
      const sheet = changed(after, {
        'line:salary': look({ ...item, family: item.family ?? made.sheet.family }),
      });
      cases.push(
        one(
          kind,
          made,
          await written(sheet, made.origin),
          { weight: 'doubt', by: file, ids: ['line:salary'] },
          sheet,
        ),
      );
    }
  for (const made of slipsFor('digits of an amount', 4)) {
    const after = slipSheet(raised(made.slip, 100_000), made.layout);
    const sheet = withOtherDigit(after, 'net', made.sheet.family === 'Times' ? 'Helvetica' : 'Times');
    cases.push(
      one(
        'a digit of the net in another font',
        made,
        await written(sheet, made.origin),
        { weight: 'alarm', by: file, ids: ['net'] },
        after,
      ),
    );
  }
  return cases;
}

/** The first digit of a text is drawn with another font. */
function withOtherDigit(sheet: Sheet, id: string, family: Text['family'] & string): Sheet {
  const { item } = found(sheet, id);
  const { x } = boxOf(sheet, item);
  const place = item.text.search(/\d/);
  const pieces = [item.text.slice(0, place), item.text.slice(place, place + 1), item.text.slice(place + 1)];
  let at = x;
  const items = pieces.filter(Boolean).map((text, index): Text => {
    const isDigit = text === pieces[1] && index <= 1;
    const piece: Text = { ...item, text, x: at, align: 'left' };
    if (isDigit) piece.family = family as NonNullable<Text['family']>;
    at += boxOf(sheet, { ...item, text }).wide;
    return piece;
  });
  return {
    ...sheet,
    pages: sheet.pages.map((all) => all.flatMap((each): Item[] => (each === item ? items : [each]))),
  };
}

/** The amounts are pictures, and a text that is not seen says another amount. */
async function hiddenTexts(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const made of slipsFor('hidden text', 3)) {
    const seen = slipSheet(raised(made.slip, 88_000), made.layout);
    const hidden = differences(made.sheet, seen);
    const sheet = {
      ...made.sheet,
      pages: made.sheet.pages.map((items) =>
        items.map(
          (item): Item => (hidden.some((each) => each.item === item) ? { ...(item as Text), mode: 3 } : item),
        ),
      ),
    };
    const pdf = new PdfFile(await written(sheet, made.origin));
    const bytes = pdf.rewritten(additionTo(pdf, 0, pictures(made, seen)), { id: idFor(made.name) });
    cases.push(
      one('a hidden text says other than the picture', made, bytes, {
        weight: 'alarm',
        by: file,
        ids: ['gross'],
      }),
    );
  }
  return cases;
}

/** A field of a form with another amount over the printed one. */
async function formFields(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const made of slipsFor('form field', 3)) {
    const pdf = new PdfFile(await written(made.sheet, made.origin));
    const { page, box } = placeOf(made.sheet, 'net');
    const [x = 0, y = 0, wide = 0, high = 0] = up(made.sheet, box, 1).split(' ').map(Number);
    const text = amountOf(made.slip.totals.net.cents + 45_000, layouts[made.layout].style.notation);
    const field = `<< /Type /Annot /Subtype /Widget /FT /Tx /T (netto) /V ${pdfText(text)} /F 4 /Rect [${x} ${y} ${x + wide} ${y + high}] /DA (/Helv ${found(made.sheet, 'net').item.size} Tf 0 g) /MK << /BG [1 1 1] >> >>`;
    const changes = additionTo(pdf, page, { annotations: [field] });
    const form = `<< /Fields [${pdf.size} 0 R] /NeedAppearances true /DR << /Font << /Helv ${standardFont('Helvetica')} >> >> /DA (/Helv 9 Tf 0 g) >>`;
    changes.set(
      pdf.reference('Root'),
      Buffer.from(withEntry(pdf.text(pdf.reference('Root')), 'AcroForm', form), 'latin1'),
    );
    const change: Change = { weight: 'alarm', by: file, ids: ['net'] };
    cases.push(one('a form field over an amount, added as a revision', made, pdf.appended(changes), change));
    cases.push(
      one(
        'a form field over an amount, file rewritten',
        made,
        pdf.rewritten(changes, { id: idFor(made.name) }),
        change,
      ),
    );
  }
  return cases;
}

// What a file says of itself.

async function origins(): Promise<Case[]> {
  const cases: Case[] = [];
  const producers = [
    ...[
      'Adobe Photoshop 25.4',
      'iLovePDF',
      'Sejda 5.3 (www.sejda.com)',
      'PDFescape Online',
      'Canva',
      'GIMP 2.10',
    ],
    ...[
      'Smallpdf.com',
      'Adobe Acrobat Pro 24.1 Paper Capture',
      'Microsoft® Word 2021',
      'PDF-XChange Editor 10.1',
    ],
  ];
  for (const [index, made] of slipsFor('producer', producers.length).entries()) {
    const producer = producers[index] ?? '';
    const bytes = await written(made.sheet, { ...made.origin, producer, creator: producer });
    cases.push(
      one('the producer is an editor', made, bytes, { weight: 'doubt', by: file, expected: producer }),
    );
  }
  for (const made of slipsFor('modified later', 4)) {
    const modifiedAt = later(made.origin.createdAt, 23);
    cases.push(
      one(
        'modified weeks after it was made',
        made,
        await written(made.sheet, { ...made.origin, modifiedAt }),
        { weight: 'doubt', by: file },
      ),
    );
  }
  for (const made of slipsFor('metadata differ', 3, standardLayouts)) {
    const xmp = {
      producer: 'Sejda 5.3',
      createdAt: later(made.origin.createdAt, 30),
      modifiedAt: later(made.origin.createdAt, 31),
    };
    const bytes = await written(made.sheet, { ...made.origin, writer: 'plain', xmp });
    cases.push(one('the two kinds of metadata differ', made, bytes, { weight: 'doubt', by: file }));
  }
  for (const made of slipsFor('made before the period', 3)) {
    const createdAt = new Date('2025-11-03T09:00:00Z');
    cases.push(
      one(
        'the file was made months before its period',
        made,
        await written(made.sheet, { ...made.origin, createdAt }),
        { weight: 'doubt', by: [...file, 'period'] },
      ),
    );
  }
  return cases;
}

async function activeContents(): Promise<Case[]> {
  const cases: Case[] = [];
  const openAction = (kind: string, value: string, weight: Planted['weight']) => ({
    ...{ kind, name: 'OpenAction', value, weight },
  });
  const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';
  const actions: { kind: string; name: string; value: string; weight: Planted['weight'] }[] = [
    openAction('JavaScript when opened', script, 'alarm'),
    openAction('a program is launched', '<< /S /Launch /F (cmd.exe) >>', 'alarm'),
    openAction('harmless: opens at its first page', '[PAGE 0 R /Fit]', 'nothing'),
    {
      kind: 'JavaScript by name',
      name: 'Names',
      value: `<< /JavaScript << /Names [(a) ${script}] >> >>`,
      weight: 'alarm',
    },
    {
      ...{ kind: 'a program is embedded', name: 'Names', weight: 'alarm' },
      value:
        '<< /EmbeddedFiles << /Names [(a.exe) << /Type /Filespec /F (a.exe) /EF << /F NEW 0 R >> >>] >> >>',
    },
  ];
  for (const { kind, name, value, weight } of actions)
    for (const made of slipsFor(kind, 2)) {
      const pdf = new PdfFile(await written(made.sheet, made.origin));
      const root = pdf.reference('Root');
      const own = value.replace('PAGE', String(pdf.pages[0])).replace('NEW', String(pdf.size));
      const changes: Objects = new Map([[root, Buffer.from(withEntry(pdf.text(root), name, own), 'latin1')]]);
      if (value.includes('NEW')) changes.set(pdf.size, pdfStream('/Type /EmbeddedFile', 'MZ, nothing else'));
      const bytes = pdf.rewritten(changes, { id: idFor(made.name) });
      cases.push(one(kind, made, bytes, { weight, by: ['file_integrity'] }));
    }
  return cases;
}

// Changes that are no fault.

async function harmless(): Promise<Case[]> {
  const cases: Case[] = [];
  const nothing: Change = { weight: 'nothing', by: [...file, 'duplicate'] };
  for (const made of slipsFor('harmless', 4)) {
    const bytes = await written(made.sheet, made.origin);
    const pdf = new PdfFile(bytes);
    const traces = saved(pdf, made.origin, { modifiedAt: later(made.origin.createdAt, 0) });
    cases.push(one('harmless: a revision of the metadata only', made, pdf.appended(traces), nothing));
    const again: Objects = new Map([
      [pdf.contentOf(0), pdf.objects.get(pdf.contentOf(0)) ?? Buffer.alloc(0)],
    ]);
    cases.push(
      one('harmless: a revision with the same content of the page', made, pdf.appended(again), nothing),
    );
    const root = pdf.reference('Root');
    const outline: Objects = new Map([
      [root, Buffer.from(pdf.text(root).replace('<<', '<< /PageMode /UseNone'), 'latin1')],
    ]);
    cases.push(one('harmless: a revision of the catalogue only', made, pdf.appended(outline), nothing));
    cases.push(
      one(
        'harmless: rewritten and packed, nothing changed',
        made,
        pdf.rewritten(new Map(), { id: idFor(made.name), packed: true }),
        nothing,
      ),
    );
    const [x = 0, y = 0, wide = 0, high = 0] = [40, 20, 120, 12];
    const link = `<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [${x} ${y} ${x + wide} ${y + high}] /A << /S /URI /URI (https://loon.example/hulp) >> >>`;
    cases.push(
      one(
        'harmless: a link at the foot',
        made,
        pdf.rewritten(additionTo(pdf, 0, { annotations: [link] }), { id: idFor(made.name) }),
        nothing,
      ),
    );
  }
  return cases;
}

// Signatures.

async function signatures(): Promise<Case[]> {
  const cases: Case[] = [];
  const anchors = [trustedRoot().certificate];
  const broken: Change = { weight: 'alarm', by: ['digital_signature'] };
  for (const made of slipsFor('signatures', 3)) {
    const bytes = await written(made.sheet, made.origin);
    const at = later(made.origin.createdAt, 0);
    const by = (signer: Identity, more = {}) => signed(bytes, { signer, at, ...more });
    const good = by(trustedSigner());
    const add = (kind: string, of: Buffer, change: Change, sheet?: Sheet) =>
      cases.push(one(kind, made, of, change, sheet, { anchors }));
    const nothing: Change = { weight: 'nothing', by: [...file, 'digital_signature'] };
    add('harmless: a good signature', good, nothing);
    add('harmless: a good signature (CAdES)', by(trustedSigner(), { cades: true }), nothing);
    add('harmless: a good certification', by(trustedSigner(), { permission: 1 }), nothing);
    add('harmless: two good signatures', signedTwice(good, at), nothing);
    add('harmless: validation data were added after signing', validated(good), nothing);
    const inContent = Buffer.from(good);
    const place = good.indexOf('/CreationDate (D:2026') + '/CreationDate (D:'.length;
    inContent.write('2025', place);
    add('a byte changed after signing', inContent, broken);
    const inPage = Buffer.from(good);
    const box = inPage.indexOf('/MediaBox [0 0 ') + '/MediaBox [0 0 '.length;
    inPage.write(inPage[box] === 0x35 ? '6' : '9', box);
    add('a byte of the page changed after signing', inPage, broken);
    add('signed by an authority that nobody trusts', by(foreignSigner()), {
      weight: 'doubt',
      by: ['digital_signature'],
    });
    add('signed by itself', by(selfSigner()), { weight: 'doubt', by: ['digital_signature'] });
    const after = slipSheet(raised(made.slip, 55_000), made.layout);
    const signedFile = new PdfFile(good);
    const { content } = await contentOf(made, after);
    add(
      'an amount changed by a revision after signing',
      signedFile.appended(content),
      { weight: 'alarm', by: [...file, 'digital_signature'], ids: ['gross'] },
      after,
    );
    add(
      'a white box added by a revision after signing',
      signedFile.appended(additionTo(signedFile, 0, covering(made, after))),
      { weight: 'alarm', by: [...file, 'digital_signature'], ids: ['gross'] },
      after,
    );
    add('bytes appended after signing', Buffer.concat([good, Buffer.from('\n% nothing\n')]), {
      weight: 'doubt',
      by: [...file, 'digital_signature'],
    });
    add('the range leaves out more than the signature', wideGap(good), broken);
    add('the signature is all zeros', emptied(good), broken);
  }
  return cases;
}

function signedTwice(bytes: Buffer, at: Date): Buffer {
  return signed(bytes, { signer: trustedSigner(), at: later(at, 0) });
}

/** Certificates for later validation, which many programs add after they signed. */
function validated(good: Buffer): Buffer {
  const pdf = new PdfFile(good);
  const root = pdf.reference('Root');
  const store = withEntry(pdf.text(root), 'DSS', `<< /Type /DSS /Certs [${pdf.size} 0 R] >>`);
  return pdf.appended(
    new Map([
      [root, Buffer.from(store, 'latin1')],
      [pdf.size, pdfStream('', trustedRoot().certificate)],
    ]),
  );
}

/** The range begins its second part later, so that a piece of the file is signed by nobody. */
function wideGap(good: Buffer): Buffer {
  const copy = Buffer.from(good);
  const at = copy.indexOf('/ByteRange [0 ');
  const [, first = '', second = '', length = ''] =
    /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(copy.toString('latin1')) ?? [];
  const pad = (value: number) => String(value).padStart(10, '0');
  copy.write(
    `/ByteRange [0 ${pad(Number(first))} ${pad(Number(second) + 40)} ${pad(Number(length) - 40)}]`,
    at,
  );
  return copy;
}

function emptied(good: Buffer): Buffer {
  const copy = Buffer.from(good);
  const begin = copy.indexOf('/Contents <30') + '/Contents <'.length;
  copy.fill('0', begin, copy.indexOf('>', begin));
  return copy;
}

// The words.

/** A slip of the last periods until May 2026, with other texts. */
async function reworded(
  kind: string,
  made: MadeSlip,
  texts: Parameters<typeof changed>[1],
  change: Change,
  rest: Partial<Case> = {},
): Promise<Case> {
  const sheet = changed(made.sheet, texts);
  return one(
    kind,
    made,
    await written(sheet, made.origin),
    { ...change, ids: Object.keys(texts) },
    sheet,
    rest,
  );
}

async function periods(): Promise<Case[]> {
  const cases: Case[] = [];
  const period: Change = { weight: 'alarm', by: ['period'] };
  for (const made of slipsFor('too old', 3)) {
    const bytes = await written(made.sheet, made.origin);
    cases.push(
      one('the period is seven months old', made, bytes, period, made.sheet, { today: '2026-12-20' }),
    );
    cases.push(
      one('the period ends in the future', made, bytes, period, made.sheet, { today: '2026-03-20' }),
    );
  }
  for (const made of slipsFor('ends before', 3, ['dense', 'bilingual', 'columnsWide'])) {
    const { notation } = layouts[made.layout].style;
    const { start, end } = made.slip.period;
    const text = `${dateOf(end, notation)} t/m ${dateOf(start, notation)}`;
    cases.push(await reworded('the period ends before it begins', made, { period: text }, period));
  }
  for (const made of slipsFor('other month', 3, [
    'boxes',
    'typewriter',
    'twoColumns',
    'hourlyPaid',
    'english',
  ])) {
    const { notation } = layouts[made.layout].style;
    const text = dateOf('2026-02-24', notation);
    cases.push(
      await reworded(
        'paid months before its period',
        made,
        { paidOn: text },
        { weight: 'doubt', by: ['period'] },
      ),
    );
  }
  for (const made of slipsFor('same month', 2, ['boxes', 'english', 'twoColumns'])) {
    const [first, second] = [made, madeSlips('full time', made.layout, 11, 2)[0]];
    if (!second) continue;
    const { notation } = layouts[made.layout].style;
    const sheet = changed(first.sheet, { period: periodText(month(2026, 2), notation) });
    cases.push(
      one(
        'paid in another month than the period says',
        first,
        await written(sheet, first.origin),
        { weight: 'doubt', by: ['period'], ids: ['period'] },
        sheet,
      ),
    );
  }
  return cases;
}

async function numbers(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const made of slipsFor('iban', 5)) {
    const { iban } = made.slip.employment.employee;
    const wrong = `${iban.slice(0, -1)}${(Number(iban.at(-1)) + 1) % 10}`;
    const { notation } = layouts[made.layout].style;
    const text = found(made.sheet, 'iban').item.text.replace(
      ibanText(iban, notation),
      ibanText(wrong, notation),
    );
    cases.push(
      await reworded(
        'the IBAN has a wrong check digit',
        made,
        { iban: text },
        { weight: 'alarm', by: ['bank_account'] },
      ),
    );
  }
  for (const made of slipsFor(
    'bsn',
    3,
    layoutNames.filter((name) => name !== 'english'),
  )) {
    const { bsn } = made.slip.employment.employee;
    const wrong = `${bsn.slice(0, -1)}${(Number(bsn.at(-1)) + 1) % 10}`;
    if (isBsn(wrong)) throw new Error('still a number');
    const text = bsnText(wrong, layouts[made.layout].style.notation);
    cases.push(
      await reworded(
        'the citizen service number fails its test',
        made,
        { bsn: text },
        { weight: 'doubt', by: ['citizen_service_number', 'content_complete'] },
      ),
    );
  }
  for (const made of slipsFor(
    'wage tax number',
    3,
    layoutNames.filter((name) => name !== 'hourlyPaid'),
  ))
    cases.push(
      await reworded(
        'the wage tax number has a wrong form',
        made,
        { wageTaxNumber: '12345678L1' },
        { weight: 'doubt', by: ['content_complete', 'file_integrity', 'bank_account'] },
      ),
    );
  return cases;
}

async function people(): Promise<Case[]> {
  const cases: Case[] = [];
  const names: Change = { weight: 'alarm', by: ['name_match'] };
  for (const made of slipsFor('other name', 4)) {
    const bytes = await written(made.sheet, made.origin);
    const other = employeeAt(made.name.length + 3);
    const linkedName =
      other.bsn === made.slip.employment.employee.bsn
        ? fullName(employeeAt(made.name.length + 4))
        : fullName(other);
    cases.push(
      one(
        'another name than that of the linked person',
        made,
        bytes,
        { ...names, ids: ['name'] },
        made.sheet,
        { linkedName },
      ),
    );
    const { givenNames, surname, prefix } = made.slip.employment.employee;
    const plain = `${givenNames} ${prefix} ${surname}`
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toUpperCase()
      .replace(/\s+/g, ' ');
    cases.push(
      one(
        'harmless: the linked name is in capitals without marks',
        made,
        bytes,
        { weight: 'nothing', by: ['name_match'], ids: ['name'] },
        made.sheet,
        { linkedName: plain },
      ),
    );
  }
  for (const [index, layout] of (['dense', 'bilingual', 'typewriter'] as const).entries()) {
    const [first, second] = madeSlips('full time', layout, index + 20, 2);
    if (!first || !second) continue;
    const bsn = bsnText(bsnOf(new Dice(`other ${index}`)), layouts[layout].style.notation);
    const sheet = changed(second.sheet, { bsn });
    const papers = [
      await slipPaper(first),
      { ...(await slipPaper(second)), bytes: await written(sheet, second.origin) },
    ];
    const planted: Planted = {
      kind: 'the citizen service number differs from the other slip',
      paper: 1,
      weight: 'doubt',
      by: ['citizen_service_number', 'name_match', 'content_complete'],
    };
    cases.push(
      caseOf(`other number: ${second.name}`, papers, {
        planted: [{ ...planted, place: placeOf(sheet, 'bsn'), found: bsn }],
      }),
    );
    const [own] = madeSlips('full time', layout, index + 20, 1);
    const [foreign] = madeSlips('full time', layout, index + 21, 2);
    if (own && foreign)
      cases.push(
        caseOf(`two persons: ${own.name}`, [await slipPaper(own), await slipPaper(foreign)], {
          planted: [
            { kind: 'the second slip is of another person', paper: 1, weight: 'alarm', by: ['name_match'] },
          ],
        }),
      );
  }
  return cases;
}

async function wages(): Promise<Case[]> {
  const cases: Case[] = [];
  const pays = async (
    kind: string,
    layout: LayoutName,
    index: number,
    hourlyCents: number,
    texts: Record<string, string>,
    change: Change,
  ) => {
    const { employment, events } = employmentOf('hourly', index);
    const slip = yearOf(
      { ...employment, hourlyCents },
      Array.from({ length: 5 }, (_, at) => month(2026, at + 1)),
      events,
    ).at(-1);
    if (!slip) return;
    const name = `${kind}, ${layout}`;
    const made: MadeSlip = {
      name,
      slip,
      layout,
      sheet: slipSheet(slip, layout),
      origin: originOf(name, slip.paidOn, 'pdfkit'),
    };
    cases.push(await reworded(kind, made, texts, change));
  };
  for (const [index, layout] of (['hourlyPaid', 'dense', 'english', 'boxes'] as const).entries()) {
    await pays(
      'the wage is below the minimum',
      layout,
      index,
      1_120,
      {},
      { weight: 'alarm', by: ['legal_minimum'] },
    );
    const minimum = amountOf(1_095, layouts[layout].style.notation);
    await pays(
      'the wage and the printed minimum are below the law',
      layout,
      index + 4,
      1_100,
      { minimum },
      { weight: 'alarm', by: ['legal_minimum'] },
    );
  }
  for (const made of slipsFor('hours', 3, ['dense', 'boxes', 'english'])) {
    const hourly = amountOf(made.slip.employment.hourlyCents + 400, layouts[made.layout].style.notation);
    cases.push(
      await reworded(
        'the hourly wage does not give the salary',
        made,
        { hourly },
        { weight: 'doubt', by: ['arithmetic', 'legal_minimum'] },
      ),
    );
  }
  for (const made of slipsFor('holiday pay', 3, ['dense', 'typewriter', 'columnsWide'])) {
    const half = amountOf(
      Math.round((made.slip.reserve?.added ?? 0) / 2),
      layouts[made.layout].style.notation,
    );
    cases.push(
      await reworded(
        'four percent holiday pay',
        made,
        { reserveAdded: half },
        { weight: 'doubt', by: ['legal_minimum', 'arithmetic'] },
      ),
    );
  }
  return cases;
}

async function missing(): Promise<Case[]> {
  const cases: Case[] = [];
  const without = (sheet: Sheet, ids: string[]): Sheet => ({
    ...sheet,
    pages: sheet.pages.map((items) =>
      items.filter((item) => item.kind !== 'text' || item.id === undefined || !ids.includes(item.id)),
    ),
  });
  for (const id of ['employer', 'name', 'period', 'gross', 'net', 'hoursPerWeek', 'minimum'])
    for (const made of slipsFor(`without ${id}`, 2)) {
      const bytes = await written(without(made.sheet, [id]), made.origin);
      cases.push(
        one(`without its ${id}`, made, bytes, {
          weight: 'doubt',
          by: ['content_complete', 'period', 'arithmetic', 'name_match'],
        }),
      );
    }
  return cases;
}

async function twice(): Promise<Case[]> {
  const cases: Case[] = [];
  const duplicate = (kind: string, weight: Planted['weight'], paper = 1): Planted => ({
    kind,
    paper,
    weight,
    by: ['duplicate'],
  });
  for (const made of slipsFor('twice', 3)) {
    const paper = await slipPaper(made);
    const kinds = [
      'the same file twice',
      'the same file came with another check',
      'the same paper, saved again with another id',
    ] as const;
    cases.push(
      caseOf(`${kinds[0]}: ${made.name}`, [paper, { ...paper }], { planted: [duplicate(kinds[0], 'alarm')] }),
    );
    cases.push(
      caseOf(`${kinds[1]}: ${made.name}`, [paper], {
        known: [sha256(paper.bytes)],
        planted: [duplicate(kinds[1], 'doubt', 0)],
      }),
    );
    const again = new PdfFile(paper.bytes).rewritten(new Map(), { id: idFor('saved again'), packed: true });
    cases.push(
      caseOf(`${kinds[2]}: ${made.name}`, [paper, { ...paper, bytes: again }], {
        planted: [duplicate(kinds[2], 'doubt')],
      }),
    );
  }
  return cases;
}

async function others(): Promise<Case[]> {
  const cases: Case[] = [];
  const both = ['arithmetic', 'content_complete', 'period', 'name_match', 'legal_minimum'];
  for (const [index, layout] of (['uwvBlocks', 'uwvTable'] as const).entries()) {
    const all = madeSlips('full time', 'dense', index + 30, 5);
    const [last] = all.slice(-1);
    const slips = all.map(({ slip }) => slip);
    if (!last) continue;
    const slip = await slipPaper(last);
    const jobs = jobsOf(slips, index + 30);
    const plant = async (kind: string, weight: Planted['weight'], changedJobs: typeof jobs) =>
      cases.push(
        caseOf(`${kind}, ${layout}`, [slip, await uwvPaper(slips, layout, index + 30, changedJobs)], {
          planted: [{ kind, paper: 1, weight, by: both }],
        }),
      );
    await plant(
      'UWV names another employer than the slip',
      'doubt',
      jobs.map((job, at) => (at === 0 ? { ...job, employer: employerAt(index + 33) } : job)),
    );
    await plant(
      'UWV has a lower wage than the slip',
      'doubt',
      jobs.map((job, at) =>
        at === 0
          ? {
              ...job,
              months: job.months.map((each) => ({
                ...each,
                socialWageCents: Math.round(each.socialWageCents * 0.7),
              })),
            }
          : job,
      ),
    );
    await plant(
      'UWV lacks months of the job',
      'doubt',
      jobs.map((job, at) =>
        at === 0 ? { ...job, months: job.months.filter((_, place) => place !== 1 && place !== 2) } : job,
      ),
    );
    const stranger = await uwvPaper(slips, layout, index + 30);
    cases.push(
      caseOf(`UWV of another person, ${layout}`, [stranger], {
        linkedName: fullName(employeeAt(index + 35)),
        planted: [{ kind: 'UWV is of another person', paper: 0, weight: 'alarm', by: ['name_match'] }],
      }),
    );
  }
  for (const index of [3, 5]) {
    const { employment } = employmentOf('full time', index);
    const [made] = madeSlips('full time', 'bilingual', index, 1);
    if (!made) continue;
    const statement = await employerPaper({ ...employment, salaryCents: (employment.salaryCents ?? 0) * 2 });
    cases.push(
      caseOf(`employer statement of twice the wage, ${index}`, [await slipPaper(made), statement], {
        planted: [
          { kind: 'the employer states twice the wage of the slip', paper: 1, weight: 'doubt', by: both },
        ],
      }),
    );
    const wrong = await employerPaper(employment, { thirteenthCents: 250_000 });
    const old = await employerPaper(employment, { issuedOn: '2025-06-02' });
    cases.push(
      caseOf(`old employer statement, ${index}`, [old], {
        planted: [
          { kind: 'the statement of the employer is a year old', paper: 0, weight: 'doubt', by: ['period'] },
        ],
      }),
    );
    cases.push(
      caseOf(`harmless: employer statement with a 13th month, ${index}`, [wrong], {
        planted: [
          {
            kind: 'harmless: a statement with a 13th month',
            paper: 0,
            weight: 'nothing',
            by: ['arithmetic'],
          },
        ],
      }),
    );
  }
  return cases;
}

/** All groups of planted cases by their name. A group is made only when it is asked for. */
export const plantedGroups = {
  editedContents,
  buriedRevisions,
  cumulatives,
  sums,
  overlays,
  coveredTexts,
  type,
  hiddenTexts,
  formFields,
  origins,
  activeContents,
  harmless,
  signatures,
  periods,
  numbers,
  people,
  wages,
  missing,
  twice,
  others,
} as const;

/** Cases with faults, and with changes that only look like faults. */
export async function plantedCases(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const make of Object.values(plantedGroups)) cases.push(...(await make()));
  return cases;
}
