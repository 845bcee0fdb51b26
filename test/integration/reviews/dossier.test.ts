import { expect, test } from 'vitest';
import { dossierPages } from '#services/dossiers/page.ts';
import { dossierText } from '#services/dossiers/sign.ts';
import { inspectHistory } from '#services/inspection/history.ts';
import { startHarness } from '#test/support/harness.ts';
import { doubtful, startOffice as startDossiers } from '../dossiers/support.ts';
import { anna, bram, startOffice } from './support.ts';

const harness = await startHarness({ documents: doubtful });
const office = await startOffice(harness, { environment: 'live' });
const dossiers = await startDossiers(harness);

const faultsOf = async (id: string) => {
  const found: unknown[] = [];
  await inspectHistory({ store: harness.store, roots: undefined }, (...fault) => void found.push(fault));
  return found.filter((fault) => JSON.stringify(fault).includes(id));
};

test('the dossier of a review says who looked, who decided what, and verifies', async () => {
  await harness.settings({ reviewEyes: 2 }, office.org);
  const id = await office.walked();
  await office.review(anna, id);
  await office.review(bram, id);
  const dossier = await dossiers.made(id);
  expect(dossier.verdict).toMatchObject({
    ...{ outcome: 'approved', assurance_level: 'substantial', reviewed: true },
    decided_by: { kind: 'member', id: bram.id },
  });
  expect(dossier.checks.map(({ engine }) => engine?.name)).toContain('document-reader');
  expect(dossier.ledger.map(({ type }) => type)).toEqual([
    ...['verification.created', 'verification.started', 'verification.submitted', 'verification.completed'],
    ...['evidence.masked', 'review.claimed', 'evidence.viewed', 'verification.assessed'],
    ...['review.claimed', 'evidence.viewed', 'verification.reviewed'],
  ]);
  await dossiers.sign('2026-11-20');
  expect(await dossiers.verify(dossierText(await dossiers.made(id)))).toMatchObject({ status: 0 });
  const printed = JSON.stringify(dossierPages(dossier).content);
  for (const text of ['Review by members', anna.id, bram.id, 'reviewer_accepts_likeness'])
    expect(printed).toContain(text);
});

test('the inspection finds a verdict that somebody approved by hand, and a review that was taken back', async () => {
  const [approved, undone] = [await office.walked(), await office.walked()];
  for (const member of [anna, bram]) await office.review(member, undone);
  expect([await faultsOf(approved), await faultsOf(undone)]).toEqual([[], []]);
  await harness.rows`
    update verifications set verdict = verdict || '{"outcome": "approved", "reviewed": true}' where id = ${approved}`;
  await harness.rows`
    update verifications set verdict = verdict || '{"outcome": "review", "reviewed": false}' where id = ${undone}`;
  expect(await faultsOf(approved)).toEqual([
    ['completed_without_event', approved],
    ['differs_from_ledger', approved],
  ]);
  expect(await faultsOf(undone)).toEqual([['differs_from_ledger', undone]]);
});
