import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pdfOf } from '#platform/pdf.ts';
import type { Dossier } from '#services/dossiers/dossier.ts';
import { dossierPages } from '#services/dossiers/page.ts';
import { dossierText } from '#services/dossiers/sign.ts';
import { madeUpDossier } from '#test/support/dossier.ts';

const made = (dossier: Dossier) => pdfOf(dossierPages(dossier));
const european = 'Notariskantoor Céleste Gülşah Łoś ẞ ő ů đ ħ ğ Ελένη Юлия & Zn.';

/** The streams of the file, in clear. */
function streamsOf(pdf: Buffer): Buffer[] {
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

test('the same dossier gives the same bytes, and another time of making gives others', async () => {
  const dossier = madeUpDossier({ organisation: european });
  const first = await made(dossier);
  expect((await made(structuredClone(dossier))).equals(first)).toBe(true);
  const later = { ...dossier, header: { ...dossier.header, made_at: '2026-11-22T10:00:00.000Z' } };
  expect((await made(later)).equals(first)).toBe(false);
});

test('the JSON is inside, byte for byte', async () => {
  const dossier = madeUpDossier({ organisation: european });
  const streams = streamsOf(await made(dossier));
  expect(streams.some((stream) => stream.equals(Buffer.from(dossierText(dossier))))).toBe(true);
});

test('letters of European languages are drawn with a font that is inside the file', async () => {
  const pdf = await made(madeUpDossier({ organisation: european }));
  const file = pdf.toString('latin1');
  expect(file).toMatch(/\/FontFile2 /);
  expect(file).not.toMatch(/\/BaseFont \/(Helvetica|Times|Courier)/);
  // A font's map from glyphs to characters lists what it draws.
  const mapped = streamsOf(pdf)
    .map(String)
    .filter((stream) => stream.includes('beginbfrange'))
    .join()
    .toLowerCase();
  for (const character of european.replaceAll(' ', ''))
    expect(mapped, character).toContain(character.charCodeAt(0).toString(16).padStart(4, '0'));
});

test.each([
  [
    'nothing was handed in, checked or delivered',
    { ...madeUpDossier(), artefacts: [], checks: [], deliveries: [], consents: [], verdict: null },
  ],
  [
    'it is a sandbox verification',
    { ...madeUpDossier(), header: { ...madeUpDossier().header, environment: 'sandbox' as const } },
  ],
  ['no root vouches for it', madeUpDossier({ anchored: 0 })],
  [
    'its reference has no blank',
    madeUpDossier({ reference: 'x'.repeat(200), organisation: 'y'.repeat(200) }),
  ],
  ['there are many deliveries', madeUpDossier({ deliveries: 60 })],
])('a PDF is made if %s', async (_, dossier) => {
  expect(String((await made(dossier)).subarray(0, 8))).toBe('%PDF-1.7');
});
