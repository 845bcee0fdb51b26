import type { ReadDocument } from '#contract/documents/read-fields.ts';
import type { StoredKind } from '#contract/enums.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { ledgerOf } from '#store/ledger.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { incomeChecksOf } from '#store/verifications/income-checks.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { eventsOf } from '#store/webhooks/events.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { ledgerBinding, nextLine } from '../ledger/append.ts';
import { evidenceBinding, findDataKey, openPersonal } from '../personal/data-key.ts';
import { papersOf } from '../personal/papers.ts';
import { readIn } from '../personal/read-fields.ts';
import { openNotes } from '../reviews/notes.ts';
import { incomeFound } from '../views/income-view.ts';
import { reasonTexts } from '../views/view.ts';

/**
 * Everything that is held of the person of one verification, for the person or for the organisation. Pictures are JPEG in base64, and the answer of a bank is XML. The
 * ledger notes that this was looked at.
 */
export async function exportPerson(
  ctx: Pick<Context, 'store' | 'secrets'>,
  caller: Caller,
  { id }: { id: string },
) {
  assertMay(caller, 'evidence.see');
  const { actor, scope } = caller;
  return ctx.store.transaction(async (tx) => {
    const verifications = verificationsOf(scope, tx);
    const { now: at } = (await verifications.lock(id)) ?? { now: new Date() };
    const row = await verifications.find(id);
    if (row === undefined) throw new Error('the verification was removed at the same time');
    const key = await findDataKey(ctx, tx, scope, id);
    const pictures = await evidenceOf(scope, tx, id).all();
    const ledger = ledgerOf(scope, tx);
    const personal = await ledger.personal(id);
    const lines = await ledger.lines(id);
    const notes = await openNotes(ctx, tx, scope, id);
    const recipients = await eventsOf(scope, tx).recipients(id);
    await writeAtOnce(
      tx,
      await nextLine(tx, scope, {
        ...{ subjectId: id, type: 'verification.exported', actor, at },
        data: { kinds: pictures.map(({ kind }) => kind) },
      }),
    );
    const valuesOf = (sequence: number) => {
      const value = personal.find((each) => each.sequence === sequence)?.value;
      const binding = ledgerBinding(id, sequence);
      return (
        value && JSON.parse(openPersonal(ctx, key, { purpose: 'ledger-personal', binding, value }).toString())
      );
    };
    return {
      exported_at: at.toISOString(),
      verification: {
        ...{ id, environment: row.environment, status: row.status, method: row.method },
        ...{ reference: row.reference, dossier_ref: row.dossierRef, created_at: row.createdAt.toISOString() },
        verdict: row.verdict && {
          ...{ outcome: row.verdict.outcome, assurance_level: row.verdict.assuranceLevel },
          ...{
            reasons: reasonTexts(row.verdict),
            reviewed: row.verdict.reviewed,
            checks: row.verdict.checks,
          },
        },
      },
      evidence: pictures.map(({ kind, picture: value, sha256, source, takenAt }) => {
        const binding = evidenceBinding(id, kind);
        const opened = value && openPersonal(ctx, key, { purpose: 'evidence', binding, value });
        return {
          ...{ kind, source, taken_at: takenAt.toISOString(), sha256: sha256?.toString('hex') ?? null },
          ...contentOf(kind, opened),
        };
      }),
      ...(await incomeOf(ctx, tx, scope, id)),
      review_notes: notes.map(({ decisionId, text }) => ({ decision_id: decisionId, text })),
      history: lines.map(({ sequence, type, data, createdAt }) => ({
        ...{ at: createdAt.toISOString(), type, data, personal: valuesOf(sequence) ?? null },
      })),
      sent_to: recipients.map(({ url, type, status, createdAt }) => ({
        ...{ host: new URL(url).host, event: type, status, at: createdAt.toISOString() },
      })),
    };
  });
}

type Content = { jpeg_base64?: string | null; xml_base64?: string | null; read?: ReadDocument };

function contentOf(kind: StoredKind, opened: Buffer | null): Content {
  if (kind === 'papers') return {};
  if (kind === 'fields') return opened === null ? {} : { read: readIn(opened) };
  const base64 = opened === null ? null : opened.toString('base64');
  return kind === 'bank' ? { xml_base64: base64 } : { jpeg_base64: base64 };
}

/** What an income check holds besides. */
async function incomeOf(ctx: Pick<Context, 'secrets'>, tx: Db, scope: OrgScope, id: string) {
  const row = await incomeChecksOf(scope, tx).find(id);
  if (row === undefined) return {};
  const { documents, result } = incomeFound(ctx, row);
  const papers = await papersOf(ctx, tx, scope, id);
  return {
    income: {
      result,
      documents: documents.map((each) => ({
        ...each,
        pages_jpeg_base64: (papers?.documents.find((paper) => paper.id === each.id)?.pages ?? []).map(
          (page) => page.toString('base64'),
        ),
      })),
    },
  };
}
