import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import type PdfKit from 'pdfkit';
import type { Face, Family, Item, Sheet, Text } from './sheet.ts';

/** What a file says of itself. */
export type Origin = {
  /** Two programs that make the same page: a library, and a few lines of our own that leave fonts out of the file. */
  writer: 'pdfkit' | 'plain';
  producer: string;
  creator: string;
  createdAt: Date;
  modifiedAt?: Date;
  title?: string;
  /** Adds XMP metadata, which may say other than the document information. */
  xmp?: { producer: string; createdAt: Date; modifiedAt: Date };
};

/** The library that pdfmake brings along. */
const fromPdfmake = createRequire(import.meta.resolve('pdfmake/package.json'));
const PDFDocument: typeof PdfKit = fromPdfmake('pdfkit');

const roboto = (name: string) =>
  fileURLToPath(new URL(`./fonts/Roboto/Roboto-${name}.ttf`, import.meta.resolve('pdfmake/package.json')));
const dejavu = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/DejaVu${name}.ttf`));

/** The fonts of a family. A name without a path is one that every reader has. */
const fonts: Readonly<Record<Family, Readonly<Record<Face, string>>>> = {
  Helvetica: inside('Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique'),
  Times: inside('Times-Roman', 'Times-Bold', 'Times-Italic'),
  Courier: inside('Courier', 'Courier-Bold', 'Courier-Oblique'),
  Roboto: inside(roboto('Regular'), roboto('Medium'), roboto('Italic')),
  DejaVu: inside(dejavu('Sans'), dejavu('Sans-Bold'), dejavu('Sans-Oblique')),
  Condensed: inside(dejavu('SansCondensed'), dejavu('SansCondensed-Bold'), dejavu('SansCondensed-Oblique')),
  Serif: inside(dejavu('Serif'), dejavu('Serif-Bold'), dejavu('Serif-Italic')),
};

function inside(regular: string, bold: string, italic: string): Record<Face, string> {
  return { regular, bold, italic, mono: 'Courier', 'mono bold': 'Courier-Bold' };
}

const fontOf = (sheet: Sheet, { family, face }: Pick<Text, 'family' | 'face'>) =>
  fonts[family ?? sheet.family][face];

const ruler = new PDFDocument({ autoFirstPage: false });

const widthIn = (font: string, size: number, text: string) =>
  ruler.font(font).fontSize(size).widthOfString(text);

/** The largest size, up to one, at which a text is not wider than the room for it. */
export function fitting(family: Family, text: string, room: number, size: number): number {
  const wide = widthIn(fonts[family].regular, size, text);
  return wide <= room ? size : Math.floor(((size * room) / wide) * 10) / 10;
}

export type Box = { x: number; y: number; wide: number; high: number };

/** The rectangle of a text, in points from the upper left corner. */
export function boxOf(sheet: Sheet, item: Text): Box {
  const wide = widthIn(fontOf(sheet, item), item.size, item.text);
  const left = { left: item.x, center: item.x - wide / 2, right: item.x - wide }[item.align];
  return { x: left, y: item.y - item.size * 0.75, wide, high: item.size };
}

/** The name by which the pages of the plain writer know a font that is in no file. */
export const standardFonts = [
  ...['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Times-Roman', 'Times-Bold', 'Times-Italic'],
  ...['Courier', 'Courier-Bold', 'Courier-Oblique'],
];

/** The characters of code page 1252 from 0x80. Zero: there is none. */
const high = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

export function inWinAnsi(text: string): Buffer {
  return Buffer.from(
    [...text].map((character) => {
      const code = character.codePointAt(0) ?? 0;
      if (code < 0x80 || (code >= 0xa0 && code < 0x100)) return code;
      const place = high.indexOf(character);
      return place === -1 ? 0x3f : 0x80 + place;
    }),
  );
}

const figure = (value: number) => String(Number(value.toFixed(3)));

/** The operators that draw an item, with the origin in the lower left corner. */
export function operatorsOf(sheet: Sheet, item: Item): string {
  const up = (y: number) => figure(sheet.high - y);
  if (item.kind === 'line')
    return `q ${figure(item.wide)} w 0 G ${figure(item.x)} ${up(item.y)} m ${figure(item.toX)} ${up(item.toY)} l S Q`;
  if (item.kind === 'rect') {
    const frame = `${figure(item.x)} ${up(item.y + item.high)} ${figure(item.wide)} ${figure(item.high)} re`;
    return item.fill === undefined
      ? `q 0.5 w ${item.stroke ?? 0} G ${frame} S Q`
      : `q ${item.fill} g ${frame} f Q`;
  }
  const font = fontOf(sheet, item);
  const name = Math.max(0, standardFonts.indexOf(font)) + 1;
  const { x } = boxOf(sheet, item);
  const shown = `<${inWinAnsi(item.text).toString('hex')}> Tj`;
  return `BT ${item.grey} g /F${name} ${figure(item.size)} Tf ${item.mode ?? 0} Tr 1 0 0 1 ${figure(x)} ${up(item.y)} Tm ${shown} ET`;
}

export const pdfDate = (date: Date): string =>
  `(D:${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z)`;

/** A text as PDF writes it. */
export const pdfText = (text: string): string =>
  `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

export const pdfStream = (dictionary: string, content: Buffer | string, packed = true): Buffer => {
  const bytes = packed ? deflateSync(content) : Buffer.from(content);
  const filter = packed ? ' /Filter /FlateDecode' : '';
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${bytes.length}${filter} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
};

/** Puts objects together with a table of their places. The first object is the catalogue, the last is the document information. */
export function fileOf(objects: readonly (string | Buffer)[], id: string, version = '1.4'): Buffer {
  const parts: Buffer[] = [Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, 'latin1')];
  let at = parts[0]?.length ?? 0;
  const places = objects.map((object, index) => {
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    at += part.length;
    return at - part.length;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info ${size - 1} 0 R /ID [<${id}> <${id}>] >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

export const informationOf = ({ producer, creator, createdAt, modifiedAt, title }: Origin): string =>
  [
    `<< /Producer ${pdfText(producer)} /Creator ${pdfText(creator)} /CreationDate ${pdfDate(createdAt)}`,
    ...(modifiedAt === undefined ? [] : [`/ModDate ${pdfDate(modifiedAt)}`]),
    ...(title === undefined ? [] : [`/Title ${pdfText(title)}`]),
    '>>',
  ].join(' ');

export const xmpOf = ({ producer, createdAt, modifiedAt }: NonNullable<Origin['xmp']>): string =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><pdf:Producer>${producer}</pdf:Producer><xmp:CreateDate>${createdAt.toISOString()}</xmp:CreateDate><xmp:ModifyDate>${modifiedAt.toISOString()}</xmp:ModifyDate></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** An id of 16 bytes that follows from the document information, in hexadecimal. */
const idOf = ({ producer, createdAt, title = '' }: Origin): string =>
  Buffer.from(`${createdAt.getTime()}${title}${producer}`.padEnd(16, '.').slice(0, 16)).toString('hex');

function plain(sheet: Sheet, origin: Origin): Buffer {
  const count = sheet.pages.length;
  const pageAt = (page: number) => 5 + page * 2;
  const fontsAt = pageAt(count);
  const metadata = origin.xmp && pdfStream('/Type /Metadata /Subtype /XML', xmpOf(origin.xmp), false);
  const metadataAt = fontsAt + standardFonts.length;
  const pages = sheet.pages.flatMap((items, page) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${sheet.wide} ${sheet.high}] /Resources 3 0 R /Contents ${pageAt(page) + 1} 0 R >>`,
    pdfStream('', items.map((item) => operatorsOf(sheet, item)).join('\n')),
  ]);
  return fileOf(
    [
      `<< /Type /Catalog /Pages 2 0 R /Lang (nl-NL)${metadata ? ` /Metadata ${metadataAt} 0 R` : ''} >>`,
      `<< /Type /Pages /Count ${count} /Kids [${sheet.pages.map((_, page) => `${pageAt(page)} 0 R`).join(' ')}] >>`,
      `<< /ProcSet [/PDF /Text] /Font << ${standardFonts.map((_, index) => `/F${index + 1} ${fontsAt + index} 0 R`).join(' ')} >> >>`,
      '<< /Type /OutputIntents >>',
      ...pages,
      ...standardFonts.map(
        (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
      ),
      ...(metadata ? [metadata] : []),
      informationOf(origin),
    ],
    idOf(origin),
  );
}

/** The characters of figures come first into each font, so that a page with another amount has the same fonts. */
const figures = '0123456789.,-/€ ()';

async function byLibrary(sheet: Sheet, origin: Origin): Promise<Buffer> {
  const { producer, creator, createdAt, modifiedAt, title } = origin;
  const document = new PDFDocument({
    ...{ autoFirstPage: false, margin: 0, size: [sheet.wide, sheet.high], pdfVersion: '1.7' },
    info: {
      ...{ Producer: producer, Creator: creator, CreationDate: createdAt },
      ...(modifiedAt && { ModDate: modifiedAt }),
      ...(title !== undefined && { Title: title }),
    },
  });
  const parts: Buffer[] = [];
  document.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise<void>((resolve) => document.on('end', resolve));
  const primed = new Set<string>();
  for (const items of sheet.pages) {
    document.addPage();
    for (const item of items) draw(document, sheet, item, primed);
  }
  document.end();
  await ended;
  return Buffer.concat(parts);
}

const grey = (level: number) => {
  const hex = Math.round(level * 255)
    .toString(16)
    .padStart(2, '0');
  return `#${hex}${hex}${hex}`;
};

type Encoder = { encode(text: string): unknown };

function draw(document: PDFKit.PDFDocument, sheet: Sheet, item: Item, primed: Set<string>): void {
  if (item.kind === 'line') {
    document
      .lineWidth(item.wide)
      .strokeColor('#000000')
      .moveTo(item.x, item.y)
      .lineTo(item.toX, item.toY)
      .stroke();
  } else if (item.kind === 'rect') {
    document.lineWidth(0.5).rect(item.x, item.y, item.wide, item.high);
    if (item.fill === undefined) document.strokeColor(grey(item.stroke ?? 0)).stroke();
    else document.fillColor(grey(item.fill)).fill();
  } else {
    const font = fontOf(sheet, item);
    document.font(font).fontSize(item.size).fillColor(grey(item.grey));
    if (!primed.has(font)) (document as unknown as { _font: Encoder })._font.encode(figures);
    primed.add(font);
    const { x } = boxOf(sheet, item);
    if (item.mode === 3) document.addContent('3 Tr');
    document.text(item.text, x, item.y, { lineBreak: false, baseline: 'alphabetic' });
    if (item.mode === 3) document.addContent('0 Tr');
  }
}

/** Writes a sheet as a PDF. The same sheet and origin give the same bytes. The plain writer only has fonts that are in no file. */
export async function written(sheet: Sheet, origin: Origin): Promise<Buffer> {
  if (origin.writer === 'pdfkit') return byLibrary(sheet, origin);
  const family = ['Helvetica', 'Times', 'Courier'].includes(sheet.family) ? sheet.family : 'Helvetica';
  return plain({ ...sheet, family }, origin);
}
