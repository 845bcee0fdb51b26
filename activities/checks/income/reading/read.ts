import { createHash, type X509Certificate } from 'node:crypto';
import { type IncomePaper, isPdf, paperLimits } from '#contract/income/papers.ts';
import type { UnreadableReason } from '#contract/income/signs.ts';
import { opened } from './document.ts';
import { fingerprintOf } from './fingerprint.ts';
import { fontsOf } from './fonts.ts';
import { makingOf } from './making.ts';
import { readPage } from './page.ts';
import { loadPdfium, type Pdfium } from './pdfium.ts';
import { revisionsOf } from './revisions.ts';
import { signaturesOf } from './signatures.ts';
import { activeIn, type Structure, structureOf } from './structure.ts';
import { TooComplex } from './too-complex.ts';

/** Reads a file into facts. A file that cannot be read is a fact too. */
export async function readPaper(bytes: Buffer, anchors: readonly X509Certificate[]): Promise<IncomePaper> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const refused = (reason: UnreadableReason): IncomePaper => ({ readable: false, sha256, reason });
  if (bytes.length > paperLimits.bytesMax) return refused('too_large');
  if (!isPdf(bytes)) return refused('not_a_pdf');
  const structure = structureIn(bytes);
  if (structure === undefined) return refused('too_complex');
  const pdfium = await loadPdfium();
  const at = pdfium.put(bytes);
  const { document, pages, encrypted } = opened(pdfium, { at, length: bytes.length });
  if (document === 0) return refused(encrypted ? 'encrypted' : 'damaged');
  if (pages < 1) return refused('damaged');
  if (pages > paperLimits.pagesMax) return refused('too_many_pages');
  try {
    return { readable: true, sha256, ...factsOf(pdfium, document, pages, { bytes, at, structure, anchors }) };
  } catch (error) {
    return refused(error instanceof TooComplex ? 'too_complex' : 'damaged');
  }
}

function structureIn(bytes: Buffer): Structure | undefined {
  try {
    return structureOf(bytes);
  } catch {
    return undefined;
  }
}

type Facts = Omit<Extract<IncomePaper, { readable: true }>, 'readable' | 'sha256'>;

type Given = { bytes: Buffer; at: number; structure: Structure; anchors: readonly X509Certificate[] };

function factsOf(
  pdfium: Pdfium,
  document: number,
  count: number,
  { bytes, at, structure, anchors }: Given,
): Facts {
  const fonts = fontsOf(pdfium);
  const pages = Array.from({ length: count }, (_, index) =>
    readPage(pdfium, document, index, { fonts, look: true }),
  );
  const words = pages.flatMap(({ page }) => page.words);
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  if (words.length > paperLimits.wordsMax || characters > paperLimits.charactersMax) throw new TooComplex();
  const active = activeIn(structure);
  return {
    textSha256: fingerprintOf(pages.map(({ page }) => page)),
    pages: pages.map(({ page }) => page),
    fonts: fonts.all,
    locked: pdfium.call('FPDF_GetSecurityHandlerRevision', document) > 0,
    made: makingOf(pdfium, document, bytes),
    active: {
      ...active,
      javascript: active.javascript || pdfium.call('FPDFDoc_GetJavaScriptActionCount', document) > 0,
      embeddedFiles: active.embeddedFiles || pdfium.call('FPDFDoc_GetAttachmentCount', document) > 0,
    },
    revisions: revisionsOf(pdfium, document, { bytes, at, structure, pages }),
    signatures: signaturesOf(pdfium, document, bytes, anchors),
  };
}
