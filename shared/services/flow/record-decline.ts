import type { RecordCommand, Recorded } from '#contract/workflows.ts';
import { otherWayDecision } from '#policy/flow.ts';
import { typesOfVerdict } from '#policy/resources.ts';
import { keptSince } from '#policy/retention.ts';
import { scopeOfWorkflow } from '#store/database/scope.ts';
import { commandsOf } from '#store/verifications/commands.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { openDeliveryIds } from '#store/webhooks/deliveries.ts';
import { type RecordingContext, recording } from '../attempts/recording.ts';
import type { Context } from '../context.ts';
import { completed } from '../recording/completed.ts';
import { noRow, refused, stateOf } from '../recording/state.ts';
import { isByCurrentLink } from './evidence.ts';

/**
 * Records that the person wants no photo of the face and asks for another way (decision 47). The verification is completed as `review`
 * with that reason, and no evidence stays. A repetition changes nothing. The command exists only if the page offered another way.
 */
export const recordDecline = (
  ctx: Pick<Context, 'store' | 'instruments'> & RecordingContext,
  { requestId, ...ref }: RecordCommand,
): Promise<Recorded> =>
  recording(ctx, async (tx) => {
    const { verificationId } = ref;
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lockWithSubscribers(verificationId, typesOfVerdict);
    if (verification === undefined) return noRow;
    const { status, submittedAt, linkExpiresAt, cancelledAt, now } = verification;
    if (status === 'completed')
      return { ...stateOf(verification), deliveryIds: await openDeliveryIds(scope, tx, verificationId) };
    if (submittedAt !== null || linkExpiresAt <= now || cancelledAt !== null) return stateOf(verification);
    const commands = commandsOf(scope, tx, verificationId);
    const command = await commands.find(requestId, 'decline', keptSince('claims', now));
    if (command === undefined) return refused(ctx, 'decline', verification);
    if (!isByCurrentLink(command, verification)) return stateOf(verification);

    await evidenceOf(scope, tx, verificationId).removeAll();
    return completed(tx, scope, verification, {
      decision: otherWayDecision,
      actor: { kind: 'person' },
      trigger: 'other_way_asked',
      requestId,
      completedBy: null,
    });
  });
