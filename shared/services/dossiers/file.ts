import type { Dossier } from './dossier.ts';
import type { DossierFileFormat } from './make.ts';
import { dossierPages } from './page.ts';
import { dossierText } from './sign.ts';

/** The bytes of the file that an auditor gets. */
export async function fileOf(dossier: Dossier, format: DossierFileFormat): Promise<Buffer> {
  if (format === 'json') return Buffer.from(dossierText(dossier));
  // Loaded only here, since the library is large.
  const { pdfOf } = await import('#platform/pdf.ts');
  return pdfOf(dossierPages(dossier));
}
