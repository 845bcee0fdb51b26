/** A bug, the place where it is planted, the arguments of the run that must find it, and the line that names it. */
export type Plant = { bug: string; file: string; from: string; to: string; args: string[]; named: RegExp };

const attempt = `export async function attemptDelivery(
  ctx: DeliveryContext,
  order: AttemptDelivery,
): Promise<AttemptedReport> {`;

export const plants: Plant[] = [
  {
    bug: 'the attempt row is written after sending',
    file: 'shared/services/deliveries/attempt.ts',
    from: attempt,
    // The bug is one transaction for everything. No other connection sees the row until the receiver has answered.
    to: `export const attemptDelivery = (ctx: DeliveryContext, order: AttemptDelivery): Promise<AttemptedReport> =>
  ctx.store.transaction((tx) =>
    attemptInOne({ ...ctx, store: { ...ctx.store, db: tx, transaction: (work) => work(tx) } }, order),
  );
${attempt.replace('export ', '').replace('attemptDelivery', 'attemptInOne')}`,
    args: ['--only', 'worker after send', '--rounds', '2'],
    named: /FAILED \(attempts\): .* (before the row of its attempt|sent twice)/,
  },
  {
    bug: 'the claim is skipped',
    file: 'shared/services/requests/claim.ts',
    from: 'idempotencyKey: ctx.idempotencyKey,',
    to: 'idempotencyKey: undefined,',
    args: ['--only', 'API between Temporal call and answer', '--rounds', '1'],
    named: /FAILED \(doubled\): .*/,
  },
  {
    bug: 'the sweep is off',
    file: 'worker/worker.ts',
    from: 'const sweep = startSweep(ctx, log, { housekeeping });',
    to: 'const sweep = { stop: async () => void startSweep };',
    args: ['--only', "Temporal's data deleted", '--rounds', '2', '--settle', '60'],
    named: /FAILED \(stuck\): .*/,
  },
];
