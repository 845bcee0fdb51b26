import { inflateSync } from 'node:zlib';

/** The streams of a PDF, in clear. */
export function streamsOf(pdf: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let from = pdf.indexOf('stream\n'); from !== -1; from = pdf.indexOf('stream\n', from)) {
    const begin = from + 'stream\n'.length;
    const end = pdf.indexOf('endstream', begin);
    try {
      found.push(inflateSync(pdf.subarray(begin, end)));
    } catch {
      found.push(pdf.subarray(begin, end));
    }
    from = end + 'endstream'.length;
  }
  return found;
}

/** A font's map from its glyphs to letters. */
type Letters = Map<string, string>;

/**
 * Everything that is printed on the pages of a PDF of ours, in the order in which it is drawn, without white space: a line break inside
 * a cell says nothing.
 */
export function printedIn(pdf: Buffer): string {
  const objects = objectsOf(pdf);
  const fonts = fontsOf(objects);
  return [...objects.values()]
    .map(({ stream }) => stream?.toString('latin1') ?? '')
    .filter((text) => / Tf\n/.test(text) && text.includes('BT\n'))
    .map((text) => drawnBy(text, fonts))
    .join('')
    .replace(/\s/g, '');
}

type PdfObject = { dictionary: string; stream: Buffer | undefined };

function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const text = pdf.toString('latin1');
  const found = [...text.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)];
  return new Map(
    found.map(([, id = '', content = ''], _) => {
      const dictionary = content.split('stream\n')[0] ?? '';
      return [id, { dictionary, stream: streamsOf(Buffer.from(content, 'latin1'))[0] }];
    }),
  );
}

/** The fonts by the names that the pages give them. */
function fontsOf(objects: Map<string, PdfObject>): Map<string, Letters> {
  const dictionaries = [...objects.values()].map(({ dictionary }) => dictionary);
  const named = dictionaries.flatMap((text) => [...text.matchAll(/\/(F\d+) (\d+) 0 R/g)]);
  return new Map(
    named.map(([, name = '', id = '']) => {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.dictionary ?? '')?.[1] ?? '';
      return [name, lettersIn(String(objects.get(map)?.stream ?? ''))];
    }),
  );
}

function lettersIn(map: string): Letters {
  const letters: Letters = new Map();
  for (const [, first = '', list = ''] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi))
    for (const [index, [, units = '']] of [...list.matchAll(/<([0-9a-f ]*)>/gi)].entries())
      letters.set(glyph(Number.parseInt(first, 16) + index), inUtf16(units.replaceAll(' ', '')));
  return letters;
}

const glyph = (number: number): string => number.toString(16).padStart(4, '0');

const inUtf16 = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');

/** Follows the choices of fonts and the texts of a page. */
function drawnBy(page: string, fonts: Map<string, Letters>): string {
  let letters: Letters = new Map();
  let drawn = '';
  for (const [, font, array] of page.matchAll(/\/(F\d+) [\d.]+ Tf|(\[[^\]]*\]) TJ/g)) {
    if (font !== undefined) letters = fonts.get(font) ?? new Map();
    for (const [, glyphs = ''] of (array ?? '').matchAll(/<([0-9a-f]+)>/gi))
      drawn += (glyphs.match(/.{4}/g) ?? [])
        .map((each) => letters.get(each.toLowerCase()) ?? '\ufffd')
        .join('');
  }
  return drawn;
}
