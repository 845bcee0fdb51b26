import { inflateSync } from 'node:zlib';
import { TooComplex } from './too-complex.ts';

/**
 * What the bytes of a file say outside of its streams: the keys and values of its objects. Packed objects are unpacked. PDFium does not
 * tell all of this.
 */
export type Structure = {
  text: string;
  isLinearized: boolean;
  /** Where the states of the file end, from the first to the last. */
  ends: number[];
};

/** Where the first object of a file stands. */
const firstBytes = 1_024;
/** The most bytes that one stream may have when it is unpacked, and all of them. A page of print has far less. */
const unpackedMax = 8_000_000;
const allUnpackedMax = 60_000_000;

/**
 * Throws `TooComplex` if the file would unpack to more than any paper has. PDFium cannot be stopped once it has begun to unpack or to
 * paint, so this is asked before.
 */
export function structureOf(bytes: Buffer): Structure {
  const parts: string[] = [];
  const ends: number[] = [];
  let unpacked = 0;
  let from = 0;
  for (const { start, end } of streamsOf(bytes)) {
    const before = bytes.subarray(from, start).toString('latin1');
    parts.push(before);
    ends.push(...endsIn(before, from));
    from = end;
    const dictionary = dictionaryIn(before);
    if (isPictureOrFont(dictionary)) continue;
    const content = unpackedAs(dictionary, bytes.subarray(start, end));
    unpacked += content.length;
    if (unpacked > allUnpackedMax) throw new TooComplex();
    if (packsObjects(dictionary)) parts.push(content.toString('latin1'));
  }
  const rest = bytes.subarray(from).toString('latin1');
  parts.push(rest);
  ends.push(...endsIn(rest, from));
  const text = plainNames(parts.join('\n'));
  if (tinySteps.test(text)) throw new TooComplex();
  return {
    ...{ ends, text },
    isLinearized: /\/Linearized\b/.test(bytes.subarray(0, firstBytes).toString('latin1')),
  };
}

/** A state ends with the place of its table. The mark behind it may be missing, since readers do without. */
const endsIn = (text: string, from: number): number[] =>
  [...text.matchAll(/\bstartxref\s{1,9}\d{1,12}(?:\s{1,9}%%EOF)?/g)].map(
    ({ 0: found, index }) => from + index + found.length,
  );

function* streamsOf(bytes: Buffer): Generator<{ start: number; end: number }> {
  for (let from = 0; ; ) {
    const at = startOfStream(bytes, from);
    if (at < 0) return;
    const start = at + 'stream'.length + lineEnd(bytes, at + 'stream'.length);
    const end = bytes.indexOf('endstream', start);
    if (end < 0) return;
    yield { start, end };
    from = end + 'endstream'.length;
  }
}

const spaces = 16;

/** The word can stand in names and texts too, such as that of a font. A stream begins behind a dictionary, on a line of its own. */
function startOfStream(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf('stream', from); at >= 0; at = bytes.indexOf('stream', at + 1)) {
    const next = bytes[at + 'stream'.length];
    const before = bytes.subarray(Math.max(from, at - spaces), at).toString('latin1');
    if ((next === 13 || next === 10) && before.trimEnd().endsWith('>>')) return at;
  }
  return -1;
}

const lineEnd = (bytes: Buffer, at: number) => (bytes[at] === 13 && bytes[at + 1] === 10 ? 2 : 1);

const dictionaryMax = 20_000;

/** The dictionary of a stream stands just before it. */
function dictionaryIn(before: string): string {
  const last = before.slice(-dictionaryMax);
  return plainNames(last.slice(last.lastIndexOf(' obj') + 1));
}

const packsObjects = (dictionary: string) => /\/Type\s*\/ObjStm\b/.test(dictionary);
/** These may be large. Pictures are asked for their size before they are painted. */
const isPictureOrFont = (dictionary: string) =>
  /\/Subtype\s*\/(?:Image|Type1C|CIDFontType0C|OpenType)\b|\/Length1\b/.test(dictionary);
/** A pattern with steps this small is painted millions of times. */
const tinySteps = /\/[XY]Step\s*[+-]?0?\.0/;
/** No writer packs a stream more often. */
const packedMax = 2;

function unpackedAs(dictionary: string, bytes: Buffer): Buffer {
  if (bytes.length > unpackedMax) throw new TooComplex();
  const times = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0;
  if (times > packedMax) throw new TooComplex();
  let content = bytes;
  for (let time = 0; time < times; time++) content = inflated(content);
  return content;
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: unpackedMax });
  } catch (error) {
    if (error instanceof RangeError) throw new TooComplex();
    return Buffer.alloc(0);
  }
}

/** A name may be written with codes, such as `/J#53` for `/JS`. */
const plainNames = (text: string) =>
  text.replace(/#([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

export type Active = { javascript: boolean; launch: boolean; embeddedFiles: boolean; remote: boolean };

/** What the file could do beyond being shown. PDFium runs nothing of it. */
export const activeIn = ({ text }: Structure): Active => ({
  javascript: /\/S\s*\/JavaScript\b|\/JS\s*[(<\d]|\/Names\s*\/JavaScript\b|\/JavaScript\s+\d+ \d+ R/.test(
    text,
  ),
  launch: /\/S\s*\/Launch\b/.test(text),
  embeddedFiles: /\/Type\s*\/EmbeddedFile\b|\/EF\s*<<|\/Subtype\s*\/FileAttachment\b/.test(text),
  remote: /\/S\s*\/(?:SubmitForm|ImportData|GoToR|GoToE|RichMediaExecute)\b|\/XFA\s*[[(<\d]/.test(text),
});
