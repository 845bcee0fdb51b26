import { beforeEach, describe, expect, test } from 'vitest';
import { createLooks } from '#activities/run-looks.ts';
import type { PictureKind } from '#contract/enums.ts';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { recordLook } from '#services/flow/looks.ts';
import { quickMeasurer } from '#test/support/examiners/quick-measurer.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { eraseByOperator } from '#test/support/people/as-operator.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { held, scripted } from './scripted.ts';
import { looksIn } from './stored.ts';

const { looker, documents, plan, asked, examined } = scripted();
const harness = await startHarness({ looker, documents });
const { key } = await harness.key({ environment: 'live' });
const { started, pictures, completed, submittedLine } = looksIn(harness, key);
const again = 'Is this the right photo?';

beforeEach(() => {
  Object.assign(plan, { looks: {}, failures: 0, heldLook: undefined, heldCheck: undefined });
  asked.length = 0;
  examined.length = 0;
});

type Walking = Awaited<ReturnType<typeof started>>;

/** Hands a picture in, waits until it was looked at, however busy the machine is, and returns the page that takes it again. */
async function lookedAt({ id, user }: Walking, kind: PictureKind, picture?: Buffer) {
  await user.upload(kind, picture ?? (await anyPicture()));
  await expect
    .poll(async () => (await pictures(id)).find((each) => each.kind === kind)?.look ?? null, {
      timeout: 30_000,
    })
    .not.toBe(null);
  return user.take(kind);
}

describe('after a picture', () => {
  test('that is as it should be, the next step follows', async () => {
    const walking = await started();
    expect((await lookedAt(walking, 'passport_page')).text).not.toContain(again);
    expect((await walking.user.look()).text).toContain('Is everything right?');
    expect(await pictures(walking.id)).toMatchObject([{ kind: 'passport_page', look: 'fine', advised: 0 }]);
  });

  test('that is not, its page comes again at once', async () => {
    plan.looks = { passport_page: 'no_zone' };
    // On a busy machine the answer can come after the page has stopped waiting. Then the next person is tried.
    const title = async () => {
      const { user } = await started();
      return /<h1>[^<]+/.exec((await user.upload('passport_page', await anyPicture())).text)?.[0];
    };
    await expect.poll(title, { timeout: 100_000 }).toBe('<h1>Photo of your passport');
  });

  test('that is not, the page says what to do, and the person can take another or go on', async () => {
    plan.looks = { card_back: 'wrong_side' };
    const walking = await started();
    await lookedAt(walking, 'card_front');
    const page = await lookedAt(walking, 'card_back');
    expect(page.text).toContain(again);
    expect(page.text).toContain('Turn the card over and take the photo again.');
    const [, anyway = ''] = /href="([^"]+)">Use this photo anyway/.exec(page.text) ?? [];
    expect(anyway).toContain('lang=en');
    expect(anyway).not.toContain('take=');
    expect((await walking.user.look()).text).toMatch(/Back of the document.*Turn the card over/s);
    plan.looks = {};
    expect((await lookedAt(walking, 'card_back')).text).not.toContain('Turn the card over');
    expect(await pictures(walking.id)).toMatchObject([
      { kind: 'card_back', look: 'fine', advised: 1 },
      { look: 'fine' },
    ]);
  });

  test('the advice is given three times, then the picture is taken as it is and the history says so', async () => {
    plan.looks = { passport_page: 'unreadable' };
    const walking = await started();
    for (let times = 1; times <= 3; times++)
      expect((await lookedAt(walking, 'passport_page')).text).toContain(again);
    expect((await lookedAt(walking, 'passport_page')).text).not.toContain(again);
    expect((await walking.user.look()).text).not.toContain('We cannot read');
    const { id, user } = walking;
    expect(await pictures(id)).toMatchObject([{ look: 'unreadable', advised: 4 }]);
    await user.submit();
    await completed(id);
    expect((await submittedLine(id))?.evidence).toMatchObject([
      { kind: 'passport_page', advice: 'unreadable' },
    ]);
  });

  test('that shows the same file as the other side, the page says so without a look', async () => {
    const walking = await started();
    const picture = await anyPicture();
    await lookedAt(walking, 'card_front', picture);
    expect((await lookedAt(walking, 'card_back', picture)).text).toContain('You sent this photo before');
    expect(asked).toEqual(['card_front']);
  });

  test('of the face, several faces are told', async () => {
    plan.looks = { selfie: 'several_faces' };
    const walking = await started('document_liveness');
    await lookedAt(walking, 'passport_page');
    expect((await lookedAt(walking, 'selfie')).text).toContain('more than one face');
  });

  test('no picture of sandbox is looked at', async () => {
    const { key } = await harness.key({ environment: 'sandbox' });
    const body = { method: 'document_only', sandbox: { auto_complete: false } };
    const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
    const user = person(harness, json.verify_url);
    await user.start();
    const page = await user.upload('passport_page', await anyPicture());
    expect(page.text).toContain('Is everything right?');
    expect(page.text).not.toContain('data-awaits-look');
    expect(asked).toEqual([]);
  });
});

/** Releases a held look, and waits until its activity has ended. */
async function answered(release: () => void): Promise<void> {
  release();
  await harness.stopWorker();
  await harness.startWorker();
}

describe('a look that', () => {
  test('comes late delays nobody, and is read before Send', async () => {
    plan.looks = { passport_page: 'expired' };
    const release = held(plan, 'heldLook');
    const { id, user } = await started();
    const page = await user.upload('passport_page', await anyPicture());
    expect(page.text).toContain('Is everything right?');
    expect(page.text).not.toContain('expired');
    expect(page.text).toContain('data-awaits-look');
    release();
    await expect.poll(() => pictures(id), { timeout: 30_000 }).toMatchObject([{ look: 'expired' }]);
    // Who sends the page that had no advice has not read it.
    const back = await user.send(page);
    expect(back.text).toMatch(/role="alert".*press “Send” once more.*seems to have expired/s);
    expect(back.text).toContain('Is everything right?');
    expect(back.text).not.toContain('data-awaits-look');
    expect(await submittedLine(id)).toBeUndefined();
    expect((await user.send(page)).text).toContain('Is everything right?');
    expect((await user.send(back)).text).not.toContain('Is everything right?');
    await completed(id);
    expect((await submittedLine(id))?.evidence).toMatchObject([{ advice: 'expired' }]);
  });

  test('comes late does not stop a form that cannot say what was read', async () => {
    const release = held(plan, 'heldLook');
    plan.looks = { passport_page: 'expired' };
    const { id, user } = await started();
    await user.upload('passport_page', await anyPicture());
    release();
    await expect.poll(() => pictures(id), { timeout: 30_000 }).toMatchObject([{ look: 'expired' }]);
    expect((await user.press('submit')).text).not.toContain('Is everything right?');
    await completed(id);
  });

  test('comes late for the fourth time stops no Send', async () => {
    plan.looks = { passport_page: 'unreadable' };
    const walking = await started();
    for (let times = 1; times <= 3; times++) await lookedAt(walking, 'passport_page');
    const release = held(plan, 'heldLook');
    const { id, user } = walking;
    const page = await user.upload('passport_page', await anyPicture());
    release();
    await expect.poll(() => pictures(id), { timeout: 30_000 }).toMatchObject([{ advised: 4 }]);
    expect((await user.send(page)).text).not.toContain('Is everything right?');
    await completed(id);
  });

  test('is about another picture than the one whose advice was read has to be read too', async () => {
    plan.looks = { card_front: 'no_document', card_back: 'no_document' };
    const walking = await started();
    await lookedAt(walking, 'card_front');
    const release = held(plan, 'heldLook');
    const { id, user } = walking;
    const page = await user.upload('card_back', await anyPicture(1300, 900));
    expect(page.text.match(/We see no document/g)).toHaveLength(1);
    release();
    await expect
      .poll(async () => (await pictures(id)).every(({ look }) => look === 'no_document'))
      .toBe(true);
    const back = await user.send(page);
    expect(back.text.match(/We see no document/g)).toHaveLength(2);
    expect((await user.send(back)).text).not.toContain('Is everything right?');
    await completed(id);
  });

  test('fails says nothing about the picture', async () => {
    plan.looks = { passport_page: 'fails' };
    const walking = await started();
    const { id, user } = walking;
    expect((await lookedAt(walking, 'passport_page')).text).not.toContain(again);
    expect(await pictures(id)).toMatchObject([{ look: 'unknown', advised: 0 }]);
    await user.submit();
    await completed(id);
    expect((await submittedLine(id))?.evidence).toEqual([
      { kind: 'passport_page', source: 'upload', sha256: expect.any(String) },
    ]);
  });

  test('was about a picture that was replaced says nothing about the new one, which is looked at too', async () => {
    plan.looks = { passport_page: 'no_document' };
    const release = held(plan, 'heldLook');
    const { id, user } = await started();
    await user.upload('passport_page', await anyPicture());
    await expect.poll(() => asked, { timeout: 30_000 }).toHaveLength(1);
    plan.looks = {};
    await user.upload('passport_page', await anyPicture(1300, 900));
    expect(await pictures(id)).toMatchObject([{ look: null }]);
    release();
    await expect.poll(() => pictures(id), { timeout: 30_000 }).toMatchObject([{ look: 'fine', advised: 0 }]);
    expect(asked).toHaveLength(2);
  });

  test('is under way when the person is erased brings nothing back', async () => {
    const release = held(plan, 'heldLook');
    const { id, user } = await started();
    await user.upload('passport_page', await anyPicture());
    await expect.poll(() => asked, { timeout: 30_000 }).toHaveLength(1);
    await eraseByOperator(harness, id);
    await answered(release);
    expect(await pictures(id)).toEqual([]);
  });

  test('is under way when the person withdraws brings nothing back', async () => {
    const release = held(plan, 'heldLook');
    const { id, user } = await started();
    await user.upload('passport_page', await anyPicture());
    await expect.poll(() => asked, { timeout: 30_000 }).toHaveLength(1);
    await user.press('withdraw');
    await answered(release);
    expect(await pictures(id)).toEqual([]);
  });

  test('is under way when the person sends delays neither Send nor the verdict', async () => {
    const release = held(plan, 'heldLook');
    const { id, user } = await started();
    await user.upload('passport_page', await anyPicture());
    await user.submit();
    await completed(id);
    release();
  });
});

test('a look that ends after Send is not noted, since nobody could follow it', async () => {
  const release = [held(plan, 'heldLook'), held(plan, 'heldCheck')];
  const { id, user, ref } = await started();
  await user.upload('passport_page', await anyPicture());
  await user.submit();
  const [{ sha256 } = { sha256: Buffer.alloc(0) }] = await harness.rows<{ sha256: Buffer }>`
    select sha256 from evidence where verification_id = ${id}`;
  await recordLook(harness.ctx, ref, { kind: 'passport_page', sha256 }, 'unreadable');
  expect(await pictures(id)).toMatchObject([{ look: null, advised: 0 }]);
  for (const each of release) each();
  await completed(id);
});

describe('without', () => {
  test('a run, the person just goes on, and Send starts it again', async () => {
    const { id, user } = await started();
    await harness.temporal.workflow.getHandle(verificationWorkflowId(id)).terminate('lost');
    expect((await user.upload('passport_page', await anyPicture())).text).toContain('Is everything right?');
    await user.submit();
    await completed(id);
  });

  test('a worker, the person just goes on, and the answer comes when there is one again', async () => {
    plan.looks = { passport_page: 'no_zone' };
    const { id, user } = await started();
    await harness.stopWorker();
    const page = await user.upload('passport_page', await anyPicture());
    expect(page.text).toContain('Is everything right?');
    expect(await pictures(id)).toMatchObject([{ look: null }]);
    await harness.startWorker();
    await expect.poll(() => pictures(id), { timeout: 30_000 }).toMatchObject([{ look: 'no_zone' }]);
  });
});

describe('an order that came through Temporal', () => {
  const looks = createLooks(harness.ctx, { looker, liveness: quickMeasurer }, collectedLog('looks'));

  test('with the id of a verification of another organisation looks at nothing', async () => {
    const { id, user, ref } = await started();
    await harness.stopWorker();
    await user.upload('passport_page', await anyPicture());
    const { organisationId } = await harness.key({ environment: 'live', org: 'Other' });
    expect(await looks({ ...ref, orgId: organisationId })).toEqual({ accepted: false });
    expect(await looks({ ...ref, environment: 'sandbox' as 'live' })).toEqual({ accepted: false });
    expect(asked).toEqual([]);
    expect(await pictures(id)).toMatchObject([{ look: null }]);
    expect(await looks(ref)).toEqual({ accepted: true });
    expect(await looks(ref)).toEqual({ accepted: true });
    expect(asked).toEqual(['passport_page']);
    await harness.startWorker();
  });
});

test('a program is prepared when somebody starts in live', async () => {
  const before = plan.expected;
  await started();
  expect(plan.expected).toBe(before + 1);
});
