import type { RecordCommand, Recorded } from '#contract/workflows.ts';
import { awaitsConsent, isComplete } from '#policy/flow.ts';
import { assertAllowed } from '#policy/lifecycle.ts';
import { keptSince } from '#policy/retention.ts';
import { scopeOfWorkflow } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { commandsOf } from '#store/verifications/commands.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { nextLine, personalValues } from '../ledger/append.ts';
import { requireDataKey } from '../personal/data-key.ts';
import { noRow, refused, stateOf } from '../recording/state.ts';
import { submitEvidence } from '../recording/submission.ts';
import { lifetimeAfterStartMs } from '../views/link.ts';
import { adoptAhead } from './ahead.ts';
import { commandBinding, openSender } from './consent.ts';
import { acceptsEvidence, isByCurrentLink } from './evidence.ts';

type FlowRecordContext = Pick<Context, 'store' | 'secrets' | 'instruments'>;

/**
 * Records that the person consented and pressed Start (decisions 6 and 7), or did so again after a withdrawal. A repetition changes
 * nothing.
 */
export const recordStart = (
  ctx: FlowRecordContext,
  { requestId, ...ref }: RecordCommand,
): Promise<Recorded> =>
  ctx.store.transaction(async (tx) => {
    const { verificationId } = ref;
    const scope = scopeOfWorkflow(ref);
    const verifications = verificationsOf(scope, tx);
    const verification = await verifications.lock(verificationId);
    if (verification === undefined) return noRow;
    const { status, linkExpiresAt, cancelledAt, now: at } = verification;
    if (!awaitsConsent(verification) || linkExpiresAt <= at || cancelledAt !== null)
      return stateOf(verification);
    const commands = commandsOf(scope, tx, verificationId);
    const command = await commands.find(requestId, 'start', keptSince('claims', verification.now));
    if (command === undefined) return refused(ctx, 'start', verification);
    if (!isByCurrentLink(command, verification)) return stateOf(verification);

    assertAllowed(scope.environment, status, 'started', 'in_progress');
    const sender =
      command.personal && openSender(ctx, commandBinding(verificationId, requestId), command.personal);
    const line = await nextLine(tx, scope, {
      subjectId: verificationId,
      type: 'verification.started',
      actor: { kind: 'person' },
      data: { from: status, trigger: 'started', request_id: requestId, consent: command.consent },
      personal: sender
        ? personalValues(await requireDataKey(ctx, tx, scope, verificationId), sender)
        : undefined,
      at,
    });
    await writeAtOnce(tx, [
      verifications.start(verificationId, new Date(at.getTime() + lifetimeAfterStartMs)),
      commands.remove(requestId),
      ...line,
    ]);
    return { ...stateOf(verification), status: 'in_progress', linkLeftMs: lifetimeAfterStartMs };
  });

/** Records that the person submitted. After that no picture can be replaced. */
export const recordSubmission = (
  ctx: FlowRecordContext,
  { requestId, ...ref }: RecordCommand,
): Promise<Recorded> =>
  ctx.store.transaction(async (tx) => {
    const { verificationId } = ref;
    const scope = scopeOfWorkflow(ref);
    const verifications = verificationsOf(scope, tx);
    const verification = await verifications.lock(verificationId);
    if (verification === undefined) return noRow;
    if (!acceptsEvidence(verification)) return stateOf(verification);
    const evidence = await evidenceOf(scope, tx, verificationId).received();
    const kinds = evidence.map(({ kind }) => kind);
    if (!isComplete(verification.method, kinds)) return stateOf(verification);
    const commands = commandsOf(scope, tx, verificationId);
    const command = await commands.find(requestId, 'submit', keptSince('claims', verification.now));
    if (command === undefined) return refused(ctx, 'submit', verification);
    if (!isByCurrentLink(command, verification)) return stateOf(verification);

    const sent = { id: verificationId, at: verification.now, actor: { kind: 'person' }, requestId } as const;
    await submitEvidence(tx, scope, sent, commands.remove(requestId));
    const isExamined = await adoptAhead(tx, scope, verification);
    return { ...stateOf(verification), submitted: true, ...(isExamined && { examined: true }) };
  });
