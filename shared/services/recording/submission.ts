import { adviceOn } from '#policy/advice.ts';
import { evidenceEndsAt } from '#policy/retention.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { type Write, writeAtOnce } from '#store/database/statements.ts';
import { settingsOf } from '#store/organisations/settings.ts';
import { evidenceEndOf, evidenceOf } from '#store/verifications/evidence.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { type Actor, nextLine } from '../ledger/append.ts';
import { addPapers, type NewPaper } from '../personal/stored-papers.ts';

type Sent = { id: string; at: Date; actor: Actor };

/** Stores the documents that came with a create, and submits them. The caller has created the income check in this transaction. */
export async function sendPapers(
  ctx: Pick<Context, 'secrets'>,
  tx: Db,
  scope: OrgScope,
  { papers, ...sent }: Sent & { papers: readonly NewPaper[] },
): Promise<void> {
  await addPapers(ctx, tx, { scope, id: sent.id, expiresAt: sent.at, source: null }, { kept: [], papers });
  await submitEvidence(tx, scope, { ...sent, requestId: sent.id });
}

/** Records that all evidence is there. After that none of it can be replaced. The caller holds a lock on the case. */
export async function submitEvidence(
  tx: Db,
  scope: OrgScope,
  { id, at, actor, requestId }: Sent & { requestId: string },
  ...more: Write[]
): Promise<void> {
  const evidence = await evidenceOf(scope, tx, id).received();
  const line = await nextLine(tx, scope, {
    ...{ subjectId: id, type: 'verification.submitted', actor, at },
    data: { request_id: requestId, evidence: evidence.map(sentEvidence) },
  });
  const endsAt = evidenceEndsAt(at, await settingsOf(scope, tx).evidenceDays());
  await writeAtOnce(tx, [
    verificationsOf(scope, tx).submit(id, at),
    evidenceEndOf(scope, tx, id).keepUntil(endsAt),
    ...more,
    ...line,
  ]);
}

/** The advice that a person did not follow stays in the history, so that a reviewer sees it. */
function sentEvidence({ kind, source, sha256, look }: Evidence) {
  const advice = adviceOn(look);
  return { kind, source, sha256: sha256?.toString('hex') ?? null, ...(advice && { advice }) };
}

type Evidence = Pick<
  Awaited<ReturnType<ReturnType<typeof evidenceOf>['received']>>[number],
  'kind' | 'source' | 'sha256' | 'look'
>;
