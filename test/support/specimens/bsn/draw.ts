import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type OverlayOptions } from 'sharp';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';
import { canvas, ocrb, write } from '../canvas.ts';

/** The scale of all drawings: 12 pixels are a millimetre. */
export const perMm = 12;

/** A side of a document that is drawn from parts. Its sides are in millimetres. */
export type Sheet = { wide: number; high: number; parts: OverlayOptions[] };

const fonts = {
  sans: ['DejaVu Sans', 'DejaVuSans.ttf'],
  bold: ['DejaVu Sans Bold', 'DejaVuSans-Bold.ttf'],
  serif: ['DejaVu Serif', 'DejaVuSerif.ttf'],
  mono: ['DejaVu Sans Mono', 'DejaVuSansMono.ttf'],
  condensed: ['DejaVu Sans Condensed', 'DejaVuSansCondensed.ttf'],
  italic: ['DejaVu Serif Italic', 'DejaVuSerif-Italic.ttf'],
} as const;
export type Font = keyof typeof fonts;
export const fontNames = Object.keys(fonts) as Font[];

export type Look = {
  font?: Font /** The height of a digit. */;
  mm?: number;
  spacing?: number;
  turned?: number;
};

/** A rectangle of a sheet, in pixels. */
export type Box = { left: number; top: number; right: number; bottom: number };

/**
 * Writes text from its upper left corner. The place and the height of a digit are in millimetres. Returns where the text is.
 */
export async function print(
  on: Sheet,
  text: string,
  left: number,
  top: number,
  { font = 'sans', mm = 2.4, spacing = 0, turned = 0 }: Look = {},
): Promise<Box> {
  const [family, file] = fonts[font];
  const size = (mm * perMm) / 0.73;
  const letterSpacing = spacing === 0 ? '' : ` letter_spacing="${Math.round(spacing * mm * perMm * 1024)}"`;
  const input = await sharp({
    text: {
      text: `<span foreground="#1c2430"${letterSpacing}>${text.replaceAll('<', '&lt;')}</span>`,
      font: `${family} ${Math.max(1, Math.round(size))}`,
      fontfile: fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${file}`)),
      dpi: 72,
      rgba: true,
    },
  })
    .png()
    .toBuffer();
  const placed = turned === 0 ? input : await sharp(input).rotate(turned).png().toBuffer();
  const at = { left: Math.round(left * perMm), top: Math.round(top * perMm) };
  on.parts.push({ input: placed, ...at });
  const { width, height } = await sharp(placed).metadata();
  return { ...at, right: at.left + width, bottom: at.top + height };
}

const pitchMm = 2.54;
const lineDistanceMm = 6.35;
const zoneLettering = await ocrb();

/** Writes a machine-readable zone at the bottom. */
export async function printZone(on: Sheet, lines: readonly string[]): Promise<void> {
  const glyphMm = (pitchMm * 62) / 48;
  const wide = Math.ceil(pitchMm * (lines[0] ?? '').length * perMm) + 40;
  const high = Math.ceil(((lines.length - 1) * lineDistanceMm + glyphMm) * perMm) + 8;
  const area = canvas(wide, high, () => 255);
  lines.forEach((line, index) => {
    const ink = { lettering: zoneLettering, height: glyphMm * perMm, dark: 30 };
    write(area, line, 4, 2 + index * lineDistanceMm * perMm, ink);
  });
  const rgba = Buffer.alloc(wide * high * 4, 30);
  for (const [index, grey] of area.pixels.entries()) rgba[4 * index + 3] = 255 - grey;
  const input = await sharp(rgba, { raw: { width: wide, height: high, channels: 4 } })
    .png()
    .toBuffer();
  const top = (on.high - 8 + glyphMm) * perMm - high;
  on.parts.push({ input, left: Math.round((on.wide * perMm - wide + 36) / 2), top: Math.round(top) });
}

const face = readFileSync(join(import.meta.dirname, 'face.svg'));

/** Draws the invented portrait. Returns where it is. */
export async function drawPortrait(
  on: Sheet,
  left: number,
  top: number,
  wide: number,
  grey = false,
): Promise<Box> {
  const drawn = sharp(face).resize({ width: Math.round(wide * perMm) });
  const { data: input, info } = await (grey ? drawn.greyscale() : drawn)
    .png()
    .toBuffer({ resolveWithObject: true });
  const at = { left: Math.round(left * perMm), top: Math.round(top * perMm) };
  on.parts.push({ input, ...at });
  return { ...at, right: at.left + info.width, bottom: at.top + info.height };
}

const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

/** Draws a barcode. */
export async function drawCode(
  on: Sheet,
  text: string,
  format: 'QRCode' | 'PDF417' | 'Aztec' | 'Code128',
  left: number,
  top: number,
  wide: number,
): Promise<void> {
  const { image } = await writeBarcode(text, { format, scale: 4, addQuietZones: true });
  if (image === null) throw new Error('no code was drawn');
  const input = await sharp(Buffer.from(await image.arrayBuffer()))
    .resize({ width: Math.round(wide * perMm), kernel: 'nearest' })
    .png()
    .toBuffer();
  on.parts.push({ input, left: Math.round(left * perMm), top: Math.round(top * perMm) });
}

/**
 * What is under the print. `busy` is the strength of the guilloche. `tint` is how much the colour changes across the sheet, without a change
 * of its brightness. `lines` are fine lines that wind: their distance in millimetres, their strength, and how much they wind.
 */
export type Ground = { busy: number; tint?: number; lines?: { mm: number; strength: number; wind: number } };

/** Draws the sheet in colour. */
export async function sheetOf({ wide, high, parts }: Sheet, ground: Ground): Promise<Drawing> {
  const [width, height] = [Math.round(wide * perMm), Math.round(high * perMm)];
  const paper = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lay(paper, 3 * (y * width + x), x, y, ground);
  const { data } = await sharp(paper, { raw: { width, height, channels: 3 } })
    .composite(parts)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width, height };
}

function lay(paper: Buffer, at: number, x: number, y: number, { busy, tint = 0, lines }: Ground): void {
  const waves = Math.sin(x / 9 + 4 * Math.sin(y / 70)) + Math.sin(y / 7 + 5 * Math.sin(x / 90));
  const fine = Math.sin((x + y) / 5 + 6 * Math.sin(x / 60));
  const [warm, cold] = [tint * Math.sin(x / 160 + y / 300), tint * Math.sin(y / 130 - x / 400)];
  const line =
    lines === undefined
      ? 0
      : lines.strength *
        Math.sin((2 * Math.PI * y) / (lines.mm * perMm) + lines.wind * Math.sin(x / 55) + x / 40);
  paper[at] = 214 + busy * (7 * waves + 3 * fine) + warm + line;
  paper[at + 1] = 214 + busy * 6 * waves - 0.51 * warm - 0.19 * cold + line;
  paper[at + 2] = 224 + busy * (4 * waves - 3 * fine) + cold + line;
}

export type Drawing = { pixels: Buffer; width: number; height: number };
