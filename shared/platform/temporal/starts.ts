import { type SearchAttributePair, TypedSearchAttributes } from '@temporalio/common';
import type { Method } from '#contract/enums.ts';
import {
  type DeliveryInput,
  deliveryWorkflowId,
  dossierWorkflowId,
  type MakeDossier,
  searchAttributes,
  type TaskQueues,
  type VerificationRef,
  verificationWorkflowId,
  workflowNames,
} from '#contract/workflows.ts';
import type { Secrets } from '../crypto/crypto.ts';

/** Operators see the method in Temporal's UI. The workflow reads everything from the row. */
export type VerificationStart = VerificationRef & { method: Method };

export type Starts = ReturnType<typeof startsOf>;
export type Start = ReturnType<Starts['verification'] | Starts['delivery']>;

/** How workflows are started. The id of an ended run may be used again. A new run reads the row and continues from its state. */
export function startsOf(
  queues: TaskQueues,
  { newestKeyId, keyIds }: Pick<Secrets, 'newestKeyId' | 'keyIds'>,
) {
  const attributes = (
    of: VerificationRef | DeliveryInput,
    further: readonly SearchAttributePair[] = [],
  ): TypedSearchAttributes => {
    const pairs: SearchAttributePair[] = [
      { key: searchAttributes.orgId, value: of.orgId },
      { key: searchAttributes.environment, value: of.environment },
      { key: searchAttributes.secretsKeyId, value: newestKeyId },
      ...further,
    ];
    if (of.verificationId !== null)
      pairs.push({ key: searchAttributes.verificationId, value: of.verificationId });
    return new TypedSearchAttributes(pairs);
  };
  return {
    verification: ({ verificationId, orgId, environment, method }: VerificationStart) =>
      ({
        workflowType: workflowNames.verification,
        workflowId: verificationWorkflowId(verificationId),
        taskQueue: queues.verifications,
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        // If the worker that runs the task dies, another worker must take over before the caller's deadline.
        workflowTaskTimeout: '4s',
        args: [{ verificationId, orgId, environment } satisfies VerificationRef],
        staticSummary: `${environment} verification by ${method}`,
        // The first step of the run says it if the row is further. An attribute of the start costs less than an update of it.
        typedSearchAttributes: attributes({ verificationId, orgId, environment }, [
          { key: searchAttributes.verificationStatus, value: 'pending' },
        ]),
        priority: { fairnessKey: orgId },
      }) as const,

    delivery: (input: DeliveryInput) =>
      ({
        workflowType: workflowNames.delivery,
        workflowId: deliveryWorkflowId(input.deliveryId),
        taskQueue: queues.webhooks,
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        // A run fails only if another build began it (`workflows/own-history.ts`). Then the server begins it again.
        retry: { initialInterval: '1s', maximumInterval: '1m' },
        args: [input],
        staticSummary: `${input.environment} webhook delivery, at most ${input.waitsMs.length + 1} attempts`,
        typedSearchAttributes: attributes(input),
        priority: { fairnessKey: input.orgId },
      }) as const,

    dossier: (order: MakeDossier) =>
      ({
        workflowType: workflowNames.dossier,
        workflowId: dossierWorkflowId(order.orderId),
        taskQueue: queues.verifications,
        workflowIdConflictPolicy: 'USE_EXISTING',
        // A run fails only if another build began it (`workflows/own-history.ts`). Then the server begins it again.
        retry: { initialInterval: '1s', maximumInterval: '1m' },
        args: [order],
        staticSummary: `${order.environment} dossier`,
        typedSearchAttributes: attributes(order),
        priority: { fairnessKey: order.orgId },
      }) as const,

    /** True if a key of SECRETS_KEY started the run. */
    hasKey: (keyId: string | undefined): boolean => keyId !== undefined && keyIds.includes(keyId),
  };
}
