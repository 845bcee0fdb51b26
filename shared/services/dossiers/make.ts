import type { RootFiles } from '#platform/crypto/root-files.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { ledgerOf, removalOfAnyOrganisation } from '#store/ledger.ts';
import { dossierOf, findForDossierOfAnyOrganisation } from '#store/verifications/dossiers.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { callerOfOperator } from '../caller.ts';
import type { Context } from '../context.ts';
import { type Actor, nextLine } from '../ledger/append.ts';
import { type Anchor, anchorOf } from '../ledger/roots.ts';
import { buildDossier } from './build.ts';
import type { Dossier } from './dossier.ts';
import { signDossier } from './sign.ts';

type DossierContext = Pick<Context, 'store'> & { roots: RootFiles };

export type DossierFileFormat = 'json' | 'pdf';

/** Why no dossier can be made. A verification that was removed leaves a line that only its id finds. */
export type DossierRefusal = { refused: 'unknown' } | { refused: 'removed'; at: Date };

/**
 * Makes the dossier of a verification for the operator, who names it by its id or its `dossier_ref`. Notes in the ledger that somebody
 * looked; the dossier itself does not have this line yet.
 */
export async function makeDossier(
  ctx: DossierContext,
  { wanted, format }: { wanted: string; format: DossierFileFormat },
): Promise<Dossier | DossierRefusal> {
  const isId = uuid.test(wanted);
  const { db } = ctx.store;
  const found = await findForDossierOfAnyOrganisation(db, {
    column: isId ? 'id' : 'dossierRef',
    value: wanted,
  });
  if (found === undefined) return refusalOf(db, isId ? wanted : undefined);
  const anchor = await anchorOf(ctx.roots, found.id);
  return ctx.store.transaction(async (tx) => {
    const { actor, scope } = callerOfOperator(found);
    const dossier = await makeIn(tx, scope, ctx.roots, { id: found.id, format, anchor, actor });
    return dossier ?? refusalOf(tx, found.id);
  });
}

type Made = { id: string; format: DossierFileFormat; actor: Actor; anchor: Anchor | undefined };

/**
 * Makes a dossier inside a transaction, with its line. Undefined if there is no such verification. The anchor is read before, because a
 * chain that grows meanwhile would otherwise seem to be cut, and because reading it may take long.
 */
export async function makeIn(
  tx: Db,
  scope: OrgScope,
  { signer }: RootFiles,
  { id, format, actor, anchor }: Made,
): Promise<Dossier | undefined> {
  const locked = await verificationsOf(scope, tx).lock(id);
  if (locked === undefined) return undefined;
  const madeAt = locked.now;
  const dossier = buildDossier({ ...(await readParts(tx, scope, id)), anchor, madeAt });
  const line = await nextLine(tx, scope, {
    ...{ subjectId: id, type: 'dossier.made', actor, at: madeAt },
    data: { format, lines: dossier.ledger.length },
  });
  await writeAtOnce(tx, line);
  return signDossier(dossier, signer);
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

async function refusalOf(db: Db, id: string | undefined): Promise<DossierRefusal> {
  const at = id === undefined ? undefined : await removalOfAnyOrganisation(db, id);
  return at === undefined ? { refused: 'unknown' } : { refused: 'removed', at };
}

async function readParts(tx: Db, scope: OrgScope, id: string) {
  const rows = dossierOf(scope, tx, id);
  return {
    verification: await rows.verification(),
    evidence: await rows.evidence(),
    events: await rows.events(),
    deliveries: await rows.deliveries(),
    lines: await ledgerOf(scope, tx).lines(id),
  };
}
