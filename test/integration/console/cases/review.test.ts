import { expect, onTestFinished, test } from 'vitest';
import type { LookResult, PictureKind } from '#contract/enums.ts';
import { doubtful } from '#test/integration/dossiers/support.ts';
import { noOpinion } from '#test/support/examiners/no-opinion.ts';
import { startHarness } from '#test/support/harness.ts';
import { type Joined, joins } from '#test/support/people/console.ts';
import { leaveOriginal, startOffice } from '../../reviews/support.ts';

/** What a quick look finds. Most tests are not about it. */
const found: Partial<Record<PictureKind, LookResult>> = {};
const looker = { ...noOpinion, look: async (kind: PictureKind) => found[kind] ?? 'unknown' };
const harness = await startHarness({ documents: doubtful, looker });
const live = await startOffice(harness, { environment: 'live' });
const { url } = await harness.startConsole();
const join = (role: 'reviewer' | 'auditor' | 'owner', org = live.org) => joins(harness, url, { org, role });
const [anna, bram] = [await join('reviewer'), await join('reviewer')];

const reasonsOn = (html: string, outcome: string) => {
  const part = html.split('name="outcome"').find((each) => each.includes(`value="${outcome}"`)) ?? '';
  return [...part.matchAll(/name="reason" value="([\w ]+)"/g)].flatMap(([, ids = '']) => ids.split(' '));
};
const take = ({ visitor }: Joined, id: string) => visitor.submit('/review', `/review/${id}/claim`);
const open = ({ visitor }: Joined, id: string) => visitor.get(`/review/${id}`);
const decide = async (
  { visitor }: Joined,
  id: string,
  outcome: 'approved' | 'rejected',
  reasons?: string[],
) => {
  const page = await visitor.get(`/review/${id}`);
  const reason = reasons ?? reasonsOn(page.html, outcome);
  return visitor.post(`/review/${id}/decide`, { outcome, reason });
};

/** What the navigation of a member says beside "Review". */
const countOf = async ({ visitor }: Joined) =>
  /href="\/review"[^>]*>Review(?: <span class="count">(.*?)<\/a>)?/
    .exec((await visitor.get('/account')).html)?.[1]
    ?.replaceAll(/<[^>]*>/g, '');

test('the navigation says how many wait in live, to those who may see the queue', async () => {
  const office = await startOffice(harness, { environment: 'live' });
  const reviewer = await join('reviewer', office.org);
  expect(await countOf(reviewer)).toBeUndefined();
  const id = await office.walked();
  expect(await countOf(reviewer)).toBe('1 waiting');
  expect(await countOf(await joins(harness, url, { org: office.org, role: 'developer' }))).toBeUndefined();
  expect(
    await countOf(await join('owner', (await startOffice(harness, { environment: 'live' })).org)),
  ).toBeUndefined();
  await take(reviewer, id);
  await decide(reviewer, id, 'approved');
  await expect.poll(() => countOf(reviewer)).toBeUndefined();
});

test('live, end to end: from the queue to approved, with a signed event', async () => {
  const id = await live.walked({ reference: 'customer 31' });
  const queue = await anna.visitor.get('/review');
  expect(queue.html).toContain('customer 31');
  expect(queue.html).toContain('Waiting</dt><dd>1</dd>');
  expect(queue.html).toContain('<span class="tag doubt">A live person</span>');
  expect(queue.html).toMatch(/Oldest waits<\/dt><dd>\d+ min<\/dd>/);
  expect((await take(anna, id)).location).toBe(`/review/${id}`);
  const page = await open(anna, id);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data:");
  expect(page.html.match(/src="data:image\/jpeg;base64,/g)?.length).toBeGreaterThanOrEqual(2);
  const decided = await decide(anna, id, 'approved');
  expect(decided.location).toBe('/review?environment=live&notice=reviewed');
  expect(await live.read(id)).toMatchObject({
    verdict: { outcome: 'approved', assurance_level: 'substantial', reviewed: true },
  });
  await expect.poll(() => live.received(id)).toHaveLength(1);
  const after = (await anna.visitor.get('/review')).html;
  expect(after).not.toContain('customer 31');
  expect(after).toContain('Decided in 24 hours</dt><dd>1</dd>');
  expect(after).toMatch(/Median wait of 7 days<\/dt><dd>\d+ min<\/dd>/);
});

test('who starts reviewing gets one after the other, each with its look, until none is left', async () => {
  const ids = [await live.walked(), await live.walked()];
  const [first, second] = ids.map((id) => `/review/${id}?row=1`);
  expect((await anna.visitor.submit('/review', '/review/next')).location).toBe(first);
  expect((await anna.visitor.submit('/review', '/review/next')).location).toBe(first);
  const decideHere = async (page = '') => {
    const { html } = await anna.visitor.get(page);
    const row = /name="row" value="(\w+)"/.exec(html)?.[1] ?? '';
    const path = page.replace('?row=1', '/decide');
    const none = await anna.visitor.post(path, { outcome: 'rejected', row });
    expect([none.status, none.html.includes('name="row" value="1"')]).toEqual([422, true]);
    return anna.visitor.post(path, { outcome: 'approved', reason: reasonsOn(html, 'approved'), row });
  };
  expect((await decideHere(first)).location).toBe(`${second}&notice=reviewed`);
  expect((await live.lineTypes(ids[1] ?? '')).includes('evidence.viewed')).toBe(false);
  expect((await decideHere(second)).location).toBe('/review?environment=live&notice=reviewed');
  for (const id of ids) expect((await live.read(id)).verdict.reviewed).toBe(true);
});

test('while its copy is being made a verification cannot be taken, and the queue says why', async () => {
  const id = await live.walked();
  const stale = await anna.visitor.get('/review');
  const mask = await leaveOriginal(harness, id);
  const start = /<form[^>]* action="\/review\/next"/;
  const { html } = await anna.visitor.get('/review');
  expect(html).toContain('the copy of the document is still being made');
  expect([start.test(stale.html), start.test(html), html.includes(`/review/${id}/claim`)]).toEqual([
    ...[true, false, false],
  ]);
  const { location } = await anna.visitor.post('/review/next', { environment: 'live' });
  expect(location).toBe('/review?environment=live&notice=none_free');
  expect((await anna.visitor.get(location ?? '')).html).toContain(
    'Of the oldest there is none that you can take',
  );
  await mask();
  expect((await anna.visitor.submit('/review', '/review/next')).location).toBe(`/review/${id}?row=1`);
  expect((await decide(anna, id, 'approved')).status).toBe(303);
});

test('each look at the pictures is a line that names the member', async () => {
  const id = await live.walked();
  await take(anna, id);
  await open(anna, id);
  await open(anna, id);
  const looks = (await live.lines(id)).filter(({ type }) => type === 'evidence.viewed');
  expect(looks.map(({ data }) => data.actor)).toEqual(
    [1, 2].map(() => ({ kind: 'member', id: anna.memberId })),
  );
});

test('the reviewer reads how each picture came, and which advice the person did not heed', async () => {
  found.passport_page = 'no_zone';
  const handedIn = await live.handedIn({}, 'live_camera');
  const look = () => harness.rows`
    select look from evidence where verification_id = ${handedIn.id} and kind = 'passport_page'`;
  await expect.poll(look).toEqual([{ look: 'no_zone' }]);
  delete found.passport_page;
  const id = await live.sent(handedIn);
  await take(anna, id);
  const { html } = await open(anna, id);
  const captions = [...html.matchAll(/<figcaption>(.+?)<\/figcaption>/g)].map(([, caption]) => caption);
  expect(captions).toContain('Front, BSN covered<br/><small>The browser says: live camera</small>');
  expect(captions).toContain(
    'Photo of the face<br/><small>The browser says: a file, which may be older or edited</small>',
  );
  expect(html).toContain(
    '<p>Passport page: a quick look found no machine-readable zone. It was sent as it is.</p>',
  );
});

/** The cells of one row of the queue, as a member reads them. */
async function rowOf({ visitor }: Joined, reference: string, environment = 'live') {
  const { html } = await visitor.get(`/review?environment=${environment}`);
  const row = html.split('<tr ').find((each) => each.includes(`>${reference}</a>`)) ?? '';
  const text = (cell: string) =>
    cell
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const [waiting, why, pictures, state, action] = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(
    ([, cell = '']) => text(cell),
  );
  return { waiting, why, pictures, state, action };
}

test('the queue says who has each one, and how long its pictures are left', async () => {
  await harness.settings({ reviewEyes: 2 }, live.org);
  onTestFinished(async () => void (await harness.settings({ reviewEyes: 1 }, live.org)));
  const id = await live.walked({ reference: 'customer 33' });
  const picturesLeft = (kind: string, time: string) => harness.rows`
    update evidence set expires_at = now() + ${time}::interval where verification_id = ${id} and kind like ${kind}`;
  await picturesLeft('%', '20 days 1 hour');
  const auditor = await join('auditor');
  const row = async (member: Joined) => {
    const { pictures, state, action } = await rowOf(member, 'customer 33');
    return [pictures, state, action];
  };
  expect(await row(anna)).toEqual(['20 days', 'free 0 of 2 decided', 'Review']);
  await take(anna, id);
  expect(await row(anna)).toEqual(['20 days', 'with you 0 of 2 decided', 'Continue']);
  expect(await row(bram)).toEqual(['20 days', 'with another member 0 of 2 decided', '']);
  await decide(anna, id, 'approved');
  const waits = 'you have decided; another member has to decide too 1 of 2 decided';
  expect(await row(anna)).toEqual(['20 days', waits, '']);
  expect(await row(bram)).toEqual(['20 days', 'free 1 of 2 decided', 'Review']);
  expect(await row(auditor)).toEqual(['20 days', 'free 1 of 2 decided', undefined]);
  await picturesLeft('selfie', '3 hours 5 minutes');
  expect((await row(bram))[0]).toBe('3 h');
  await take(bram, id);
  await decide(bram, id, 'approved');
});

test('of two reviewers one gets it; the other sees neither pictures nor a choice', async () => {
  const id = await live.walked();
  const taken = await Promise.all([take(anna, id), take(bram, id)]);
  expect(taken.map(({ status }) => status).sort()).toEqual([303, 409]);
  const [winner, loser] = taken[0]?.status === 303 ? [anna, bram] : [bram, anna];
  expect((await open(loser, id)).status).toBe(409);
  const refused = await loser.visitor.submit('/review', `/review/${id}/decide`, {
    ...{ outcome: 'approved', reason: ['reviewer_accepts_document', 'reviewer_accepts_likeness'] },
  });
  expect([refused.status, refused.html.includes('Nothing was changed')]).toEqual([409, true]);
  expect((await live.read(id)).verdict.outcome).toBe('review');
  expect((await decide(winner, id, 'rejected', ['reviewer_cannot_read'])).status).toBe(303);
  expect((await live.read(id)).verdict).toMatchObject({ outcome: 'rejected', reviewed: true });
});

test('an approval that leaves a point open is shown again with its ticks, and nothing is decided', async () => {
  const id = await live.walked();
  await take(anna, id);
  const { status, html } = await decide(anna, id, 'approved', ['reviewer_accepts_document']);
  expect(status).toBe(422);
  expect(html).toContain('Tick that you confirm this');
  expect((await decide(anna, id, 'rejected', [])).html).toContain('Tick at least one reason.');
  expect((await live.read(id)).verdict.reviewed).toBe(false);
});

test('an outcome that does not exist is a fault, and nothing is decided', async () => {
  const id = await live.walked();
  await take(anna, id);
  for (const outcome of ['moon', 'review', '']) {
    const { status, html } = await anna.visitor.submit(`/review/${id}`, `/review/${id}/decide`, {
      ...{ outcome, reason: ['reviewer_cannot_read'] },
    });
    expect([outcome, status]).toEqual([outcome, 422]);
    expect(html).toContain('Choose to approve or to reject');
  }
  expect((await live.read(id)).verdict.outcome).toBe('review');
  expect(await harness.rows`select 1 from review_decisions where verification_id = ${id}`).toEqual([]);
});

test('what was given back can be taken by another', async () => {
  const id = await live.walked();
  await take(anna, id);
  const back = await anna.visitor.submit(`/review/${id}`, `/review/${id}/release`);
  expect(back.location).toBe('/review?environment=live&notice=released');
  expect((await take(bram, id)).status).toBe(303);
});

test('with four eyes the second does not see the first choice, and the partner hears once', async () => {
  await harness.settings({ reviewEyes: 2 }, live.org);
  const id = await live.walked();
  await take(anna, id);
  expect((await decide(anna, id, 'approved')).location).toContain('notice=awaits_other');
  expect((await take(anna, id)).status).toBe(409);
  await take(bram, id);
  const { html } = await open(bram, id);
  expect(html).not.toContain(anna.memberId);
  expect((await decide(bram, id, 'approved')).location).toContain('notice=reviewed');
  await expect.poll(() => live.received(id)).toHaveLength(1);
  await harness.settings({ reviewEyes: 1 }, live.org);
});

test('an erased verification cannot be decided, and its page says why', async () => {
  const id = await live.walked();
  await take(anna, id);
  const owner = await join('owner');
  await owner.visitor.submit(`/verifications/${id}`, `/verifications/${id}/erase`, { sure: 'yes' });
  const refused = await anna.visitor.submit('/review', `/review/${id}/decide`, {
    ...{ outcome: 'approved', reason: ['reviewer_accepts_document', 'reviewer_accepts_likeness'] },
  });
  expect([refused.status, refused.html.includes('were erased')]).toEqual([409, true]);
});

test('an auditor sees the queue, and no pictures; a reviewer of another organisation sees nothing', async () => {
  const id = await live.walked({ reference: 'customer 32' });
  const auditor = await join('auditor');
  expect((await auditor.visitor.get('/review')).html).toContain('customer 32');
  expect((await open(auditor, id)).status).toBe(403);
  const stranger = await join('reviewer', 'Stranger');
  expect((await stranger.visitor.get('/review')).html).not.toContain('customer 32');
  for (const order of ['claim', 'decide', 'release'])
    expect((await stranger.visitor.submit('/account', `/review/${id}/${order}`)).status).toBe(404);
});

test('a sandbox verification is reviewed with specimens', async () => {
  const sandbox = await startOffice(harness);
  const reviewer = await join('reviewer', sandbox.org);
  const id = await sandbox.inReview('document_liveness', { reference: 'customer 34' });
  await take(reviewer, id);
  expect((await rowOf(reviewer, 'customer 34', 'sandbox')).pictures).toBe('none');
  const { html } = await open(reviewer, id);
  expect(html).toContain('/assets/passport_page.svg');
  expect(html).not.toContain('data:image');
  expect((await decide(reviewer, id, 'approved')).location).toBe(
    '/review?environment=sandbox&notice=reviewed',
  );
  expect((await sandbox.read(id)).verdict).toMatchObject({ outcome: 'approved', reviewed: true });
});

test('a decision is offered to be taken back beside the next one and in the queue, and only to who made it', async () => {
  const sandbox = await startOffice(harness);
  const slow = await harness.startConsole({ reviewHeldMs: 30_000 });
  const member = () => joins(harness, slow.url, { org: sandbox.org, role: 'reviewer' });
  const [reviewer, other] = [await member(), await member()];
  const [first, second] = [await sandbox.inReview(), await sandbox.inReview()];
  await reviewer.visitor.submit('/review', '/review/next', { environment: 'sandbox' });
  const path = `/review/${first}/decide`;
  const sent = {
    outcome: 'approved',
    reason: 'reviewer_accepts_document reviewer_accepts_likeness',
    row: '1',
  };
  const { location } = await reviewer.visitor.submit(`/review/${first}`, path, sent);
  expect(location).toBe(`/review/${second}?row=1&decided=${first}`);
  const offer = `action="/review/${first}/take-back"`;
  const isOffered = async ({ visitor }: Joined, at: string) => (await visitor.get(at)).html.includes(offer);
  const queue = `/review?environment=sandbox&decided=${first}`;
  expect(await Promise.all([location ?? '', queue].map((at) => isOffered(reviewer, at)))).toEqual([
    true,
    true,
  ]);
  expect(await isOffered(other, queue)).toBe(false);
  expect((await other.visitor.submit('/review', `/review/${first}/take-back`)).status).toBe(409);
  const back = await reviewer.visitor.submit(queue, `/review/${first}/take-back`);
  expect(back.location).toBe(`/review/${first}?notice=taken_back`);
  expect(await isOffered(reviewer, queue)).toBe(false);
  expect((await sandbox.read(first)).verdict.reviewed).toBe(false);
});

test('a note for colleagues is kept in the form until it fits, and then stands beside the evidence for those who may see that', async () => {
  const id = await live.walked();
  await take(anna, id);
  const page = await open(anna, id);
  const reason = reasonsOn(page.html, 'approved');
  const sent = (note: string) =>
    anna.visitor.post(`/review/${id}/decide`, { outcome: 'approved', reason, note });
  const long = await sent(`<b>${'x'.repeat(500)}`);
  expect(long.status).toBe(422);
  expect(long.html).toContain('<a href="#approved-note">A note has at most 500 characters.</a>');
  expect(long.html).toContain(`&lt;b>${'x'.repeat(500)}</textarea>`);
  expect(long.html).toMatch(/<details open/);
  expect((await sent('Seen at the desk <b>')).status).toBe(303);
  const shownTo = async (role: 'owner' | 'reviewer' | 'auditor') =>
    (await (await join(role)).visitor.get(`/verifications/${id}`)).html.includes('Seen at the desk &lt;b>');
  expect(await Promise.all((['owner', 'reviewer', 'auditor'] as const).map(shownTo))).toEqual([
    true,
    true,
    false,
  ]);
});

test('a member looks back at what they decided, newest first, and at nobody else’s', async () => {
  const sandbox = await startOffice(harness);
  const [reviewer, other] = [await join('reviewer', sandbox.org), await join('reviewer', sandbox.org)];
  const mine = async ({ visitor }: Joined, query = '') =>
    (await visitor.get(`/review/mine?environment=sandbox${query}`)).html;
  expect(await mine(reviewer)).toContain('You have not decided anything');
  const [first, second] = [
    await sandbox.inReview('document_only', { reference: 'looked back 1' }),
    await sandbox.inReview('document_only', { reference: 'looked back 2' }),
  ];
  await take(reviewer, first);
  await decide(reviewer, first, 'approved');
  await take(reviewer, second);
  await decide(reviewer, second, 'rejected', ['reviewer_doubts_document']);
  const html = await mine(reviewer);
  expect(
    [
      ...html.matchAll(
        /<td[^>]*><time.*?looked back (\d).*?<span class="tag (\w+)">.*?<span class="tag (\w+)">/gs,
      ),
    ].map(([, ...cells]) => cells),
  ).toEqual([
    ['2', 'rejected', 'rejected'],
    ['1', 'approved', 'approved'],
  ]);
  expect(await mine(other)).toContain('You have not decided anything');
  const { visitor } = reviewer;
  expect((await visitor.get('/review/mine')).html).toContain('You have not decided anything');
  expect(await mine(reviewer, '&after=nothing')).toContain('looked back 2');
  expect((await visitor.get(`/verifications/${first}`)).status).toBe(200);
});

test('a rejection by the machine goes to reviewers when an owner says so', async () => {
  const sandbox = await startOffice(harness);
  const owner = await join('owner', sandbox.org);
  const { json } = await sandbox.ask('POST', '/verifications', { sandbox: { scenario: 'rejected' } });
  const path = `/verifications/${json.id}`;
  expect((await owner.visitor.submit(path, `${path}/reopen`)).location).toBe(`${path}?notice=saved`);
  await take(owner, json.id);
  await decide(owner, json.id, 'approved');
  expect((await sandbox.read(json.id)).verdict).toMatchObject({ outcome: 'approved', reviewed: true });
});
