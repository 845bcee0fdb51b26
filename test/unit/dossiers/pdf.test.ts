import { describe, expect, test } from 'vitest';
import { sha256 } from '#platform/crypto/crypto.ts';
import { pdfOf } from '#platform/pdf.ts';
import type { Dossier } from '#services/dossiers/dossier.ts';
import { dossierPages } from '#services/dossiers/page.ts';
import { dossierText } from '#services/dossiers/sign.ts';
import { madeUpDossier } from '#test/support/rows/dossier.ts';
import { printedIn, streamsOf } from '#test/support/rows/pdf-text.ts';

const made = (dossier: Dossier) => pdfOf(dossierPages(dossier));
const european = 'Notariskantoor Céleste Gülşah Łoś ẞ ő ů đ ħ ğ Ελένη Юлия & Zn.';

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

describe('an auditor reads on the pages', async () => {
  const plain = madeUpDossier({ organisation: european, masked: true });
  const decisions = [
    { member_id: 'member-anna', outcome: 'approved', reasons: ['photo_fits'] },
    { member_id: 'member-bram', outcome: 'rejected', reasons: ['photo_differs'] },
  ];
  const reviewed = {
    ...{ sequence: 9, type: 'verification.reviewed', at: '2026-11-20T11:00:00.000Z', hash: 'ab'.repeat(32) },
    ...{
      subject_id: plain.header.verification_id,
      previous_hash: 'cd'.repeat(32),
      data: { actor: { kind: 'member', id: 'member-bram' }, decisions },
    },
  } as Dossier['ledger'][number];
  const dossier: Dossier = { ...plain, ledger: [...plain.ledger, reviewed] };
  const pages = printedIn(await made(dossier));
  const squeezed = (value: unknown) => String(value).replace(/\s/g, '');
  const time = (at: string | null) => squeezed(`${at?.slice(0, 10)} ${at?.slice(11, 19)} UTC`);

  /** Each of these is printed, after the one before it. */
  const prints = (...values: unknown[]) => {
    let from = 0;
    for (const value of values.map(squeezed)) {
      expect(value).not.toMatch(/null|undefined/);
      const at = pages.indexOf(value, from);
      expect(at, `${value} after ${pages.slice(Math.max(0, from - 40), from)}`).toBeGreaterThan(-1);
      from = at + value.length;
    }
  };

  test('the header', () => {
    const { header } = dossier;
    prints(
      ...['Verification dossier', european, header.dossier_ref, 'Verification', header.verification_id],
      ...["Organisation's reference", header.reference, 'live, document only', 'Status', 'completed'],
      ...['Created', time(header.created_at), 'Submitted', time(header.submitted_at)],
      ...['Completed', time(header.completed_at), 'Product version', header.product_version],
    );
  });

  test('the verdict with its reasons, who decided and when', () => {
    const { verdict } = dossier;
    prints('Verdict', 'Outcome', 'Review', 'Assurance level', 'low');
    expect(verdict?.reasons).toHaveLength(2);
    for (const { id, text } of verdict?.reasons ?? []) prints('Reasons', text, `(${id})`);
    prints('Decided by', 'the service', 'Decided', time(verdict?.at ?? null), 'Review by a person', 'no');
  });

  test('the decision of each member who reviewed, with the reasons', () => {
    prints(
      ...['Review by members', 'member-anna', 'Approved', 'photo_fits'],
      ...['member-bram', 'Rejected', 'photo_differs'],
    );
  });

  test('the consent: when, which text, and in which language', () => {
    expect(dossier.consents).toHaveLength(1);
    for (const { at, version, language, line } of dossier.consents)
      prints('Consent', 'Version of the text', `${time(at)}${version}${language}${line}`);
  });

  test('each artefact with its hash, how it came, and when it was deleted', () => {
    expect(dossier.artefacts.map(({ kind }) => kind)).toEqual(['passport_page', 'masked_front']);
    const came = "by the browser's word: live camera";
    prints('Artefacts', 'Passport page', dossier.artefacts[0]?.sha256, came, 'Deleted');
    prints('Artefacts', 'Masked front', dossier.artefacts[1]?.sha256, 'Deleted');
  });

  test('each check with its result, and the engine, its version and the threshold', () => {
    expect(dossier.checks).toHaveLength(4);
    const names = ['Document integrity', 'Document expiry', 'MRZ check digits', 'Data consistency'];
    for (const [index, { result, confidence, engine, threshold }] of dossier.checks.entries())
      if (result === 'not_applicable') prints('Checks', names[index], 'not applicable', 'not made');
      else
        prints(
          'Checks',
          `${names[index]}${result}${confidence.toFixed(2)}${engine?.name}${engine?.version}${threshold}`,
        );
  });

  test('each delivery with all of its attempts', () => {
    const [delivery, ...others] = dossier.deliveries;
    expect([others, delivery?.attempts.length]).toEqual([[], 3]);
    prints('Deliveries of events', delivery?.event_type, delivery?.delivery_id, delivery?.status);
    for (const { number, started_at, duration_ms, response_status } of delivery?.attempts ?? [])
      prints('Attempts', `${number}${time(started_at)}${duration_ms}ms`, `HTTP${response_status}`);
  });

  test('what is kept for how long', () => {
    expect(dossier.retention).toHaveLength(4);
    const names = [
      'Pictures',
      'Bodies of events',
      "Excerpts of receivers' answers",
      'Verification and its ledger',
    ];
    for (const [index, { days, counted_from, until }] of dossier.retention.entries())
      prints(
        'Retention',
        `${names[index]}${days}`,
        counted_from,
        until === null ? 'nothing is kept' : time(until),
      );
  });

  test('each line of the ledger with its hash, and the hash of the data inside', () => {
    for (const { sequence, at, type, hash } of dossier.ledger)
      prints('Event, and the hash of the line', `${sequence}${time(at)}${type}${hash}`);
    prints('Proof', dossier.signed.key, sha256(Buffer.from(dossierText(dossier))).toString('hex'));
  });
});
