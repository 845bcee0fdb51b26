import { join } from 'node:path';
import sharp from 'sharp';
import { alphabet, cell } from '#activities/checks/document/reading/ocr-b.ts';
import { sansAlphabet, sansCell } from './canvas.ts';
import { columns } from './glyphs.ts';

/**
 * Draws the tables of glyphs for the specimens:
 * node test/support/specimens/draw-glyphs.ts OCRB.otf LiberationSans-Regular.ttf
 * The tables are committed, so this runs again only if an alphabet changes.
 */

/** Glyphs are first drawn this many times larger, so that their edges become smooth. */
const oversize = 4;

type Table = {
  name: string;
  font: string;
  file: string;
  alphabet: string;
  cell: { width: number; height: number };
};

const [ocrbFile = '', sansFile = ''] = process.argv.slice(2);
const ocrB = join(import.meta.dirname, 'ocr-b.png');
const tables: Table[] = [
  { name: ocrB, font: 'OCR B', file: ocrbFile, alphabet, cell },
  {
    name: join(import.meta.dirname, 'sans.png'),
    font: 'Liberation Sans',
    file: sansFile,
    alphabet: sansAlphabet,
    cell: sansCell,
  },
];

/** Draws the text black on white and crops the picture to the ink. */
const inkOf = (text: string, { font, file, cell }: Table) =>
  sharp({
    text: {
      text: `<span foreground="black">${text.replace('<', '&lt;')}</span>`,
      font: `${font} ${cell.width}`,
      fontfile: file,
      dpi: 72 * oversize,
      rgba: true,
    },
  })
    .flatten({ background: 'white' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });

/** Draws a glyph between two bars. The bars give the height and width of its box, whatever ink the glyph has. */
async function glyph(character: string, table: Table): Promise<Buffer> {
  const { info: bar } = await inkOf('|', table);
  const { info: bars } = await inkOf('||', table);
  const { data, info } = await inkOf(`|${character}|`, table);
  const barAdvance = bars.width - bar.width;
  const place = { left: Math.round((barAdvance + bar.width) / 2), top: 0, height: bar.height };
  const advance = info.width - bars.width;
  const { width, height } = table.cell;
  const drawnWidth = Math.min(width, Math.round((advance * height) / bar.height));
  const { width: lineWidth, height: lineHeight, channels } = info;
  return sharp(data, { raw: { width: lineWidth, height: lineHeight, channels } })
    .extract({ ...place, width: advance })
    .resize({ width: drawnWidth, height, fit: 'fill' })
    .extend({ right: width - drawnWidth, background: 'white' })
    .png()
    .toBuffer();
}

for (const table of tables) {
  const { width, height } = table.cell;
  const glyphs = await Promise.all([...table.alphabet].map((character) => glyph(character, table)));
  await sharp({
    create: {
      width: columns * width,
      height: Math.ceil(glyphs.length / columns) * height,
      channels: 3,
      background: 'white',
    },
  })
    .composite(
      glyphs.map((input, index) => ({
        input,
        left: (index % columns) * width,
        top: Math.floor(index / columns) * height,
      })),
    )
    .greyscale()
    .png({ compressionLevel: 9, colours: 16 })
    .toFile(table.name);
}
