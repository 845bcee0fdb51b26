import type { Pdfium } from './pdfium.ts';

/** The place of a file, or of its beginning. */
export type Placed = { at: number; length: number };

/** PDFium's number for a file that needs a password. */
const needsPassword = 4;

/** Opens a file that was put into the memory of PDFium. `document` is 0 if it cannot be opened. */
export function opened(
  pdfium: Pdfium,
  { at, length }: Placed,
): { document: number; pages: number; encrypted: boolean } {
  const document = pdfium.call('FPDF_LoadMemDocument', at, length, 0);
  if (document === 0)
    return { document, pages: 0, encrypted: pdfium.call('FPDF_GetLastError') === needsPassword };
  return { document, pages: pdfium.call('FPDF_GetPageCount', document), encrypted: false };
}
