import { expect, onTestFinished, test } from 'vitest';
import type { Language } from '#contract/enums.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { type Joined, joins } from '#test/support/people/console.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { type Prepared, preparedReader, startIncomeOffice } from '../../reviews/income.ts';

const script = '<script>alert(1)</script>';
const nowhere = { page: null, box: null, found: null, expected: null };
const prepared: Prepared = {
  signals: [
    { ...{ document: 0, kind: 'duplicate', sign: 'file_seen_before' }, ...nowhere },
    {
      ...{ document: 0, kind: 'arithmetic', sign: 'net_sum', page: 0, box: [300, 400, 350, 412] },
      ...{ found: '2.684,44', expected: '2.584,44' },
    },
    {
      ...{ document: 0, kind: 'file_integrity', sign: 'replaced', page: 1, box: [100, 200, 160, 212] },
      ...{ found: script, expected: '"1.000,00' },
    },
    { ...{ document: 1, kind: 'file_integrity', sign: 'encrypted' }, ...nowhere },
  ],
  result: {
    ...{ currency: 'EUR', employerName: `Bakker & ${script}`, payFrequency: 'monthly' },
    ...{ periodStart: '2026-10-01', periodEnd: '2026-10-31', netCents: 268_444, grossCents: 358_667 },
    annualGrossEstimateCents: null,
  },
};
const files = ['%PDF-1.7 a payslip', '%PDF-locked'];

const harness = await startHarness({ papers: preparedReader(prepared, await anyPicture(60, 80)) });
const office = await startIncomeOffice(harness);
const { url } = await harness.startConsole();
const join = (role: 'reviewer' | 'auditor', org = office.org) => joins(harness, url, { org, role });
const anna = await join('reviewer');
const auditor = await join('auditor');
const stranger = await join('reviewer', 'Stranger');
const id = await office.sent(files, { reference: 'tenant 7' });
const other = await office.sent(files);
const gone = await office.sent(files);

const take = ({ visitor }: Joined, check: string) => visitor.submit('/review', `/review/${check}/claim`);
const open = ({ visitor }: Joined, check = id) => visitor.get(`/review/${check}`);
const speaks = (language: Language) => harness.rows`
  update members set language = ${language} where id = ${anna.memberId}`;
const reasonsOn = (html: string, outcome: string) => {
  const part = html.split('name="outcome"').find((each) => each.includes(`value="${outcome}"`)) ?? '';
  return [...part.matchAll(/name="reason" value="([\w ]+)"/g)].flatMap(([, ids = '']) => ids.split(' '));
};
const itemsOf = (html: string) => [...html.matchAll(/<li class="sign" value="\d+">.*?<\/li>/gs)].map(textIn);
const textIn = ([markup]: RegExpMatchArray | [string]) =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const pageOf = (html: string, page: string) =>
  html.split('<figure').find((each) => each.includes(`id="${page}"`)) ?? '';
const evidenceIn = /data:image|Print covers|Bakker|&lt;script/;

test('without a claim, a member sees nothing of an income check, and another organisation does not find it', async () => {
  const queue = (await anna.visitor.get('/review')).html;
  expect(queue).toContain('tenant 7');
  expect(queue).toContain('<small>Income check</small>');
  const unclaimed = await open(anna);
  expect([unclaimed.status, evidenceIn.test(unclaimed.html)]).toEqual([409, false]);
  const refused = await open(auditor);
  expect([refused.status, evidenceIn.test(refused.html)]).toEqual([403, false]);
  for (const path of [`/review/${id}`, `/verifications/${id}`]) {
    const { status, html } = await stranger.visitor.get(path);
    expect([path, status, evidenceIn.test(html)]).toEqual([path, 404, false]);
  }
  const posted = await stranger.visitor.submit('/account', `/verifications/${id}/evidence`);
  expect(posted.status).toBe(404);
  const lines = await harness.rows<{ type: string }>`select type from ledger where subject_id = ${id}`;
  expect(lines.map(({ type }) => type)).not.toContain('evidence.viewed');
});

test('who has the claim sees each page, with the signs as sentences and their marks on the right page', async () => {
  await take(anna, id);
  const { html, headers } = await open(anna);
  expect(html.match(/src="data:image\/jpeg;base64,/g)).toHaveLength(2);
  expect(headers.get('content-security-policy')).toContain("img-src 'self' data:");
  expect(html).not.toMatch(/ style=/);
  expect(html).toContain('Document 1: Payslip (loonstrook)');
  expect(html).toContain('This income check is yours for another <b data-minutes="15">15</b> minutes.');
  expect(pageOf(html, 'page-1-1')).toContain('viewBox="0 0 595 842"');
  expect(pageOf(html, 'page-1-1')).toMatch(/<rect x="298" y="398" width="54" height="16"[^>]*>.*>3<\/text>/s);
  expect(pageOf(html, 'page-1-2')).toMatch(/<rect x="98" y="198" width="64" height="16"[^>]*>.*>1<\/text>/s);
  expect(pageOf(html, 'page-1-1')).not.toContain('x="98"');
  const [replaced, seenBefore, netSum] = itemsOf(html);
  expect(replaced).toMatch(/^Print covers other print that has other figures\. on page 2 Seen: /);
  expect(replaced).toContain('The file: failed');
  expect(seenBefore).toContain('This file came with an earlier check.');
  expect(netSum).toContain('On the document: €2,684.44 By calculation: €2,584.44');
});

test('what a hostile document says is text on the page, and never markup', async () => {
  const { html } = await open(anna);
  expect(html).not.toContain(script);
  expect(html).toContain('Seen: <bdi><strong>&lt;script>alert(1)&lt;/script></strong></bdi>');
  expect(html).toContain('Bakker &amp; &lt;script>');
});

test('a document that cannot be shown says why', async () => {
  const { html } = await open(anna);
  const [, part = ''] = html.split('Document 2: Kind of document unknown');
  expect(part).toContain('This document cannot be shown. The file opens only with a password.');
  expect(pageOf(html, 'page-2-1')).toBe('');
});

test('the checks of each document and the income are on the page, in the language of the member', async () => {
  const { html } = await open(anna);
  expect(html).toContain('>Document 1</th><th scope="col" role="columnheader">Document 2</th></tr>');
  expect(html).toMatch(
    /The file<\/th><td[^>]*><span class="tag failed">failed<\/span><\/td><td[^>]*><span class="tag doubt">/,
  );
  expect(html).toContain('<dt>Gross</dt><dd>€3,586.67</dd>');
  expect(html).toContain('<dt>Gross in a year, estimated</dt><dd>not found</dd>');
  await speaks('nl');
  onTestFinished(async () => void (await speaks('en')));
  const dutch = (await open(anna)).html;
  expect(dutch).toContain('Document 1: Loonstrook');
  expect(dutch).toContain('Over tekst ligt andere tekst, met andere cijfers.');
  expect(dutch).toMatch(/<dt>Bruto<\/dt><dd>€\s3\.586,67<\/dd>/);
  expect(dutch).toMatch(/Berekend: <bdi><strong>€\s2\.584,44</);
});

test('an approval makes the verdict reviewed, and the partner hears of it', async () => {
  const { html } = await open(anna);
  expect(reasonsOn(html, 'approved')).toEqual(['reviewer_accepts_income']);
  const approved = await anna.visitor.post(`/review/${id}/decide`, {
    ...{ outcome: 'approved', reason: reasonsOn(html, 'approved') },
  });
  expect(approved.location).toBe('/review?environment=live&notice=reviewed');
  expect((await office.read(id)).verdict).toMatchObject({ outcome: 'approved', reviewed: true });
  await expect.poll(() => office.received(id, 'income_check.reviewed')).toHaveLength(1);
  expect(office.received(id, 'income_check.reviewed')[0]?.data.outcome).toBe('approved');
});

test('what is kept after the decision is shown to a reviewer who asks for it, and the look is in the history', async () => {
  const path = `/verifications/${id}`;
  const before = await anna.visitor.get(path);
  expect(before.html).not.toMatch(evidenceIn);
  expect(before.html).toContain('<dd>Income check</dd>');
  expect(before.html).not.toContain('Assurance level');
  await harness.rows`update evidence set expires_at = now() + interval '1 hour' where verification_id = ${id}`;
  const shown = await anna.visitor.submit(path, `${path}/evidence`);
  expect(shown.html).toContain('Print covers other print');
  expect(pageOf(shown.html, 'page-1-2')).toContain('<rect x="98"');
  expect(shown.html).toContain(`Somebody looked at the evidence, by member ${anna.email}`);
});

test('a rejection names a finding about the documents', async () => {
  await take(anna, other);
  const { html } = await open(anna, other);
  expect(reasonsOn(html, 'rejected')).toEqual([
    'reviewer_doubts_income_document',
    'reviewer_finds_income_contradiction',
    'reviewer_finds_other_person',
  ]);
  const reason = 'reviewer_finds_income_contradiction';
  await anna.visitor.post(`/review/${other}/decide`, { outcome: 'rejected', reason });
  expect((await office.read(other)).verdict).toMatchObject({
    ...{ outcome: 'rejected', reviewed: true },
    reasons: ['A person found that the amounts contradict each other.'],
  });
});

test('when the documents are gone, nobody can approve, and a rejection says that they cannot be assessed', async () => {
  await harness.rows`delete from evidence where verification_id = ${gone}`;
  await take(anna, gone);
  const { html } = await open(anna, gone);
  expect(html).toContain('There are no documents any more.');
  expect(html).not.toMatch(evidenceIn);
  expect(reasonsOn(html, 'approved')).toEqual([]);
  expect(reasonsOn(html, 'rejected')).toEqual(['reviewer_cannot_assess']);
});

test('the search finds income checks by their kind', async () => {
  const owner = await joins(harness, url, { org: office.org, role: 'owner' });
  const find = async (query: string) => (await owner.visitor.get(`/verifications?${query}`)).html;
  expect(await find('method=income&text=tenant+7')).toContain(`/verifications/${id}`);
  expect(await find('outcome=approved&text=tenant+7')).toContain(`/verifications/${id}`);
  expect(await find('method=idin&text=tenant+7')).not.toContain(`/verifications/${id}`);
});

test('an income check of sandbox is reviewed without a document, and the page says why', async () => {
  const { key } = await harness.key({ org: office.org, environment: 'sandbox' });
  const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
    call(harness, method, `/v1/income-checks${path}`, { key, body });
  const { json } = await ask('POST', '', { sandbox: { scenario: 'review' } });
  await take(anna, json.id);
  const { html } = await open(anna, json.id);
  expect(html).toContain('Sandbox keeps no documents and reads none.');
  expect(html).not.toContain('<img');
  const reason = reasonsOn(html, 'approved');
  await anna.visitor.post(`/review/${json.id}/decide`, { outcome: 'approved', reason });
  expect((await ask('GET', `/${json.id}`)).json.verdict).toMatchObject({
    outcome: 'approved',
    reviewed: true,
  });
});
