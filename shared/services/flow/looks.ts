import { setTimeout as pause } from 'node:timers/promises';
import {
  type Advice,
  type EvidenceKind,
  type LookedAtKind,
  type LookResult,
  originalKinds,
} from '#contract/enums.ts';
import type { LookedAtReport, VerificationRef } from '#contract/workflows.ts';
import { adviceOn, adviceShown, adviceWaitMs, isExaminedAhead } from '#policy/advice.ts';
import { scopeOfWorkflow } from '#store/database/scope.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { looksOf } from '#store/verifications/looks.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { evidenceBinding, findDataKey, openPersonal } from '../personal/data-key.ts';
import { wakeRun } from '../runs/wake-run.ts';
import { acceptsEvidence, isDocumentComplete } from './evidence.ts';
import type { Link } from './find-link.ts';

/**
 * What waits for a quick look: a picture as a JPEG, or frames as they are stored. `isRepeated` means that another picture of the document has
 * the same bytes.
 */
export type DueLook = { kind: LookedAtKind; sha256: Buffer; bytes: Buffer; isRepeated: boolean };

/** The pictures that wait for a quick look, the oldest first. Empty after Send, a withdrawal or an erasure. */
export const dueLooks = (
  ctx: Pick<Context, 'store' | 'secrets'>,
  { verificationId: id, ...ref }: VerificationRef,
): Promise<DueLook[]> =>
  ctx.store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lock(id);
    if (verification === undefined || !acceptsEvidence(verification)) return [];
    const due = await looksOf(scope, tx, id).due();
    if (due.length === 0) return [];
    const key = await findDataKey(ctx, tx, scope, id);
    const received = await evidenceOf(scope, tx, id).received();
    return due.map(({ kind, sha256, picture: value }) => ({
      ...{ kind, sha256 },
      bytes: openPersonal(ctx, key, { purpose: 'evidence', binding: evidenceBinding(id, kind), value }),
      isRepeated: received.some((other) => other.kind !== kind && other.sha256?.equals(sha256)),
    }));
  });

/** Notes the result of a look, unless the picture was replaced meanwhile or the person has sent. */
export async function recordLook(
  { store, instruments }: Pick<Context, 'store' | 'instruments'>,
  { verificationId: id, ...ref }: VerificationRef,
  { kind, sha256 }: Pick<DueLook, 'kind' | 'sha256'>,
  look: LookResult,
): Promise<void> {
  const seconds = await store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lock(id);
    if (verification === undefined || !acceptsEvidence(verification)) return undefined;
    return looksOf(scope, tx, id).note({ kind, sha256 }, look, adviceOn(look) !== undefined);
  });
  if (seconds === undefined) return;
  instruments.pictureLooks.add(1, { kind, look });
  instruments.pictureLookDelay.record(seconds);
}

/** Says whether the document can be examined before Send. */
export const reportLooks = (
  { store }: Pick<Context, 'store'>,
  { verificationId: id, ...ref }: VerificationRef,
): Promise<LookedAtReport> =>
  store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lock(id);
    if (verification === undefined || !acceptsEvidence(verification)) return { accepted: false };
    const received = await evidenceOf(scope, tx, id).received();
    const document = received.filter(({ kind }) => originalKinds.some((each) => each === kind));
    const isComplete = isDocumentComplete(received.map(({ kind }) => kind));
    return { accepted: isExaminedAhead(verification.method, isComplete, document) };
  });

const askAgainMs = 60;

/**
 * Has a picture looked at that was just handed in, and waits for the answer for a short time. Undefined if there is no advice, or none
 * yet. A lost run or worker delays nobody longer than that.
 */
export async function adviceSoon(
  ctx: Pick<Context, 'store' | 'temporal' | 'clock'>,
  { id, scope, environment }: Link,
  kind: EvidenceKind,
): Promise<Advice | undefined> {
  if (environment !== 'live') return undefined;
  void wakeRun(ctx, id);
  const untilMs = ctx.clock.monotonicMs() + adviceWaitMs[kind === 'movements' ? 'movements' : 'picture'];
  for (;;) {
    const received = await evidenceOf(scope, ctx.store.db, id).received();
    const picture = received.find((each) => each.kind === kind);
    if (picture === undefined) return undefined;
    if (picture.look !== null) return adviceShown(picture);
    if (ctx.clock.monotonicMs() >= untilMs) return undefined;
    await pause(askAgainMs);
  }
}
