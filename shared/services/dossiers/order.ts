import type { DossierMade, MakeDossier } from '#contract/workflows.ts';
import { newUuid, sha256 } from '#platform/crypto/crypto.ts';
import type { RootFiles } from '#platform/crypto/root-files.ts';
import { scopeOfWorkflow } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { dossierOrdersOf, requestsOf } from '#store/requests.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { assertMay, type Caller, memberIdOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { anchorOf, HeadsChanged } from '../ledger/roots.ts';
import { answerBinding } from '../requests/answer.ts';
import { hasFingerprint, sealedFingerprint } from '../requests/fingerprint.ts';
import { fileOf } from './file.ts';
import { type DossierFileFormat, makeIn } from './make.ts';

type OrderContext = Pick<Context, 'store' | 'clock' | 'temporal' | 'secrets'> & { deadlineAt: number };

const formats: readonly DossierFileFormat[] = ['json', 'pdf'];

/** Only the member who ordered a dossier gets it, so that the line of the ledger names who has it. */
const fingerprintOf = (memberId: string, format: DossierFileFormat): Buffer =>
  sha256(`dossier/${memberId}/${format}`);

/** `later`: the order is stored, and no worker has carried it out yet. */
export type Ordered = { orderId: string; state: DossierMade['state'] | 'later' };

/**
 * Orders a dossier. The process that serves members has no key that signs dossiers, and must have none, since strangers reach it. So a
 * worker makes the dossier, and stores it for a day as the sealed answer to this order.
 */
export async function orderDossier(
  { store, temporal, clock, secrets, deadlineAt }: OrderContext,
  caller: Caller,
  { verificationId, format }: { verificationId: string; format: DossierFileFormat },
): Promise<Ordered> {
  assertMay(caller, 'dossiers.make');
  const { scope } = caller;
  const memberId = memberIdOf(caller);
  const orderId = newUuid();
  await requestsOf(scope, store.db).claim({
    ...{ id: orderId, operation: 'make_dossier', keyId: null, idempotencyKey: undefined },
    fingerprint: sealedFingerprint({ secrets }, orderId, fingerprintOf(memberId, format)),
    input: { format, member_id: memberId },
    ...{ verificationId, keptSince: clock.now() },
  });
  const { orgId, environment } = scope;
  const order = { orderId, verificationId, orgId, environment };
  const made = await temporal.makeDossier(order, deadlineAt).catch(() => undefined);
  return { orderId, state: made?.state ?? 'later' };
}

export type OrderedDossier = {
  verificationId: string;
  format: DossierFileFormat;
  /** Undefined while no worker has made it, and after an erasure. */
  file: Buffer | undefined;
};

/** Undefined if this member has ordered no such dossier in the last day. */
export async function findOrderedDossier(
  { store, secrets }: Pick<Context, 'store' | 'secrets'>,
  caller: Caller,
  { orderId }: { orderId: string },
): Promise<OrderedDossier | undefined> {
  assertMay(caller, 'dossiers.make');
  const memberId = memberIdOf(caller);
  const order = await dossierOrdersOf(caller.scope, store.db).find(orderId);
  if (order?.verificationId == null) return undefined;
  const format = formats.find((each) => hasFingerprint({ secrets }, order, fingerprintOf(memberId, each)));
  if (format === undefined) return undefined;
  const file = order.answer && secrets.openBytes('stored-answer', answerBinding(orderId), order.answer);
  return { verificationId: order.verificationId, format, file: file ?? undefined };
}

/** Makes an ordered dossier. The row says who ordered what. A repetition makes no second one, and writes no second line. */
export async function carryOutOrder(
  { store, secrets, roots }: Pick<Context, 'store' | 'secrets'> & { roots: RootFiles | undefined },
  { orderId, ...ref }: MakeDossier,
): Promise<DossierMade> {
  if (roots === undefined) return { state: 'no_key' };
  const { verificationId: id } = ref;
  const scope = scopeOfWorkflow(ref);
  // An auditor needs the key before the first daily statement brings it, too.
  await roots.writeKey();
  const anchor = await anchorOf(roots, id).catch(unlessHeadsChanged);
  if (anchor === 'heads_changed') return { state: anchor };
  return store.transaction(async (tx) => {
    const orders = dossierOrdersOf(scope, tx);
    // Before the order, as an erasure does, so that neither waits for the other.
    await verificationsOf(scope, tx).lock(id);
    const order = await orders.lock(orderId);
    if (order === undefined) {
      const made = await orders.find(orderId);
      return { state: made?.answer ? 'made' : 'gone' };
    }
    if (order.verificationId !== id || order.input === null) return { state: 'gone' };
    const { format, member_id } = order.input as { format: DossierFileFormat; member_id: string };
    const actor = { kind: 'member', id: member_id } as const;
    const dossier = await makeIn(tx, scope, roots, { id, format, actor, anchor });
    if (dossier === undefined) return { state: 'gone' };
    const file = await fileOf(dossier, format);
    const sealed = secrets.seal('stored-answer', answerBinding(orderId), file);
    await writeAtOnce(tx, [requestsOf(scope, tx).answer(orderId, answered, sealed)]);
    return { state: 'made' };
  });
}

const answered = 200;

function unlessHeadsChanged(error: unknown): 'heads_changed' {
  if (!(error instanceof HeadsChanged)) throw error;
  return 'heads_changed';
}
