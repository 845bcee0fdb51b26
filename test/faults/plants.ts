/**
 * A bug, the place where it is planted, the fault whose rounds must find it, and the line that names it. The seeds of the rounds
 * are the first ones of that fault.
 */
export type Plant = {
  bug: string;
  file: string;
  from: string;
  to: string;
  only: string;
  rounds: number;
  settleSeconds?: number;
  patienceSeconds?: number;
  named: RegExp;
};

export const plants: Plant[] = [
  {
    bug: 'a first attempt is sent before its event and its row are committed',
    file: 'shared/services/attempts/first-attempts.ts',
    from: '        await claimInTurn(turns, queues, { tx, deliveryIds, found });',
    // No other connection sees the event or the row until the receiver has answered.
    to: `      {
        await claimInTurn(turns, queues, { tx, deliveryIds, found });
        const store = { ...ctx.store, db: tx, transaction: <T>(work: (db: Db) => Promise<T>) => work(tx) };
        for (const { delivery, turn } of found.claimed.splice(0))
          await makeClaimed({ ...ctx, store }, delivery, firstOrder(ctx, delivery.id)).finally(() => turn.end());
      }`,
    only: 'worker after send',
    rounds: 2,
    named: /FAILED \(attempts\): .* (before the row of its attempt|sent twice)/,
  },
  {
    bug: 'the claim is skipped',
    file: 'shared/services/requests/claim.ts',
    from: 'idempotencyKey: request?.idempotencyKey,',
    to: 'idempotencyKey: undefined,',
    only: 'API between Temporal call and answer',
    rounds: 1,
    named: /FAILED \(doubled\): .*/,
  },
  {
    bug: 'the sweep is off',
    file: 'worker/worker.ts',
    from: 'const sweep = startSweep(ctx, log, { housekeeping, roots, banks: engines.banks });',
    to: 'const sweep = { leads: () => true, stop: async () => void startSweep };',
    only: "Temporal's data deleted",
    rounds: 2,
    settleSeconds: 60,
    named: /FAILED \(stuck\): .*/,
  },
  {
    bug: 'an attempt without an answer counts as delivered',
    file: 'shared/services/attempts/attempt.ts',
    from: 'const posted = await sender.post(url, headers, body);',
    to: `const sent = await sender.post(url, headers, body);
    const empty = {
      ...{ answered: true as const, status: 200, retryAfterMs: null, excerpt: Buffer.alloc(0) },
      ...{ version: '1.1', lines: [] },
    };
    const posted = sent.answered ? sent : { ...sent, ...empty };`,
    only: 'partition of worker and receiver',
    // The seeds choose how the network breaks. Most ways only delay an attempt. A refused connection ends it without an answer.
    rounds: 8,
    named: /FAILED \(lost\): .* the receiver never said 2xx/,
  },
  {
    bug: 'a database that does not answer is waited for without limit',
    file: 'shared/store/database/connection.ts',
    from: 'query_timeout: statementTimeoutMs * 1.5,',
    to: 'query_timeout: 0,',
    only: 'host of postgres vanishes',
    rounds: 4,
    settleSeconds: 30,
    patienceSeconds: 40,
    named: /FAILED \(not acknowledged\): .*/,
  },
  {
    bug: 'a repetition makes a claim of its own',
    file: 'shared/services/requests/claim.ts',
    from: 'idempotencyKey: request?.idempotencyKey,',
    to: 'idempotencyKey: undefined,',
    only: 'temporal frozen for 60 s',
    rounds: 1,
    settleSeconds: 30,
    named: /FAILED \(doubled\): .*/,
  },
  {
    bug: 'an event is signed with the time of the machine',
    file: 'shared/services/attempts/attempt.ts',
    from: 'Math.floor(ctx.clock.now().getTime() / 1_000)',
    to: 'Math.floor(Date.now() / 1_000)',
    only: 'clock of worker wrong by hours',
    rounds: 1,
    named: /FAILED \(clock\): .* with a signature of another time/,
  },
  {
    bug: 'an event that is made again has another id',
    file: 'shared/services/events/publish.ts',
    from: "verificationId === null ? newPublicId('evt_') : eventIdOf(verificationId, type)",
    to: "newPublicId('evt_') ?? eventIdOf(String(verificationId), type)",
    only: 'Postgres put back by ten seconds',
    rounds: 2,
    named: /FAILED \(event\): .* 2 events were received/,
  },
  {
    bug: 'an attempt that has a row is sent again',
    file: 'shared/store/webhooks/delivery-attempts.ts',
    from: `            .where(nextNumber, '=', number),
        )
        .onConflict((conflict) => conflict.doNothing())`,
    to: `        )
        .onConflict((conflict) => conflict.columns(['deliveryId', 'number']).doUpdateSet({ number }))`,
    only: 'Temporal put back by ten seconds',
    // The bug strikes a delivery that fails and whose second attempt lies in the lost seconds. Not each round has one.
    rounds: 6,
    named: /FAILED \(attempts\): .*/,
  },
  {
    bug: 'a pending create is answered before its row is committed',
    file: 'shared/services/verifications/create.ts',
    from: '  const recorded = await recordOpen(ctx, scope, order.verificationId, papers);',
    to: `  const early = await new Promise<Answer | undefined>((answer, fail) => {
    const transaction = (work) =>
      ctx.store.transaction(async (tx) => {
        const recorded = await work(tx);
        const stored = await requestsOf(scope, tx).findAnswer(order.verificationId);
        answer(openAnswer(ctx, order.verificationId, stored));
        await new Promise((commit) => setTimeout(commit, 200));
        return recorded;
      });
    recordOpen({ ...ctx, store: { ...ctx.store, transaction } }, scope, order.verificationId, papers)
      .then((recorded) => isOpen(recorded) && ctx.runStarts.ask(order))
      .catch(fail);
  });
  if (early !== undefined) return early;
  const recorded = await recordOpen(ctx, scope, order.verificationId, papers);`,
    only: 'API between the commit of a pending create and its start',
    rounds: 2,
    settleSeconds: 30,
    patienceSeconds: 30,
    named: /FAILED \(doubled\): .* answered with 2 different bodies/,
  },
  {
    bug: 'the oldest delivery of a queue is passed over',
    file: 'shared/store/webhooks/delivery-queue.ts',
    from: 'order by created_at, id limit',
    to: 'order by created_at, id offset 1 limit',
    only: 'worker after send',
    rounds: 2,
    settleSeconds: 30,
    named: /FAILED \(stuck\): .* it is overdue or queued/,
  },
  {
    bug: 'a person is thanked before everything was sent',
    file: 'shared/policy/flow.ts',
    from: 'if (submitted || received.some(',
    to: 'if (submitted || isComplete(method, received) || received.some(',
    only: 'API killed',
    rounds: 1,
    settleSeconds: 30,
    named: /FAILED \(lost\): .* its person was thanked, and it is in_progress/,
  },
  {
    bug: 'every command that finds the verification completed believes that it won',
    file: 'shared/services/verifications/complete.ts',
    from: 'after.completedBy === requestId',
    to: "after.status === 'completed'",
    only: 'worker killed',
    rounds: 1,
    named: /FAILED \(doubled\): .* commands completed it/,
  },
  {
    bug: 'a worker goes on with the run of another build',
    file: 'workflows/own-history.ts',
    from: 'begunBy !== ownBuild',
    to: 'begunBy === undefined && ownBuild === undefined',
    only: 'workers of two versions',
    rounds: 2,
    settleSeconds: 60,
    patienceSeconds: 60,
    named: /FAILED \((not acknowledged|stuck)\): .*/,
  },
];
