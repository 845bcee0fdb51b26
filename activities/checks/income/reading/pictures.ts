import sharp from 'sharp';
import { type Page, paperLimits } from '#contract/income/papers.ts';
import { citizenNumbersOn } from './citizen-numbers.ts';
import { opened } from './document.ts';
import { fontsOf } from './fonts.ts';
import { readPage } from './page.ts';
import { loadPdfium } from './pdfium.ts';
import { type Rendered, rendered } from './rendered.ts';

/** Makes a JPEG of each page, with every place covered where a citizen service number is or could be. */
export async function picturesOf(bytes: Buffer): Promise<Buffer[]> {
  const pdfium = await loadPdfium();
  const { document, pages } = opened(pdfium, { at: pdfium.put(bytes), length: bytes.length });
  const made: Buffer[] = [];
  const fonts = fontsOf(pdfium);
  for (let index = 0; index < Math.min(pages, paperLimits.picturesMax); index++) {
    const { page } = readPage(pdfium, document, index, { fonts, look: false });
    const handle = pdfium.call('FPDF_LoadPage', document, index);
    const picture = rendered(pdfium, handle, {
      ...{ perPoint: perPointMax, sideMax: paperLimits.pictureSideMax, annotations: true },
    });
    pdfium.call('FPDF_ClosePage', handle);
    made.push(await jpegOf(picture, page));
  }
  return made;
}

const perPointMax = 2.5;
const quality = 80;

async function jpegOf(picture: Rendered, page: Page): Promise<Buffer> {
  for (const box of citizenNumbersOn(page)) cover(picture, box);
  const { pixels, wide, high } = picture;
  return await sharp(pixels, { raw: { width: wide, height: high, channels: 4 } })
    .recomb([
      [0, 0, 1],
      [0, 1, 0],
      [1, 0, 0],
    ])
    .removeAlpha()
    .jpeg({ quality })
    .toBuffer();
}

const margin = 2;

function cover({ pixels, wide, high, perPoint }: Rendered, box: readonly number[]): void {
  const [left = 0, top = 0, right = 0, bottom = 0] = box.map((side) => side * perPoint);
  const from = Math.max(0, Math.floor(left - margin));
  const to = Math.min(wide, Math.ceil(right + margin));
  if (to <= from) return;
  for (let y = Math.max(0, Math.floor(top - margin)); y < Math.min(high, Math.ceil(bottom + margin)); y++)
    pixels.fill(0, (y * wide + from) * 4, (y * wide + to) * 4);
}
