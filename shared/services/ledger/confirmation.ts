import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { ledgerOf } from '#store/ledger.ts';
import type { Context } from '../context.ts';
import { findDataKey, openPersonal } from '../personal/data-key.ts';
import { ledgerBinding } from './append.ts';

/** What a bank confirmed of a person, by the names of the scheme. */
export type Confirmed = Readonly<Record<string, string>>;

/** Opens what a bank confirmed of the person of a verification. Null if no bank did, and of an erased person. */
export async function openConfirmation(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  scope: OrgScope,
  id: string,
): Promise<Confirmed | null> {
  const sealed = await sealedConfirmation(db, scope, id);
  if (sealed === undefined) return null;
  const { sequence, value } = sealed;
  const key = await findDataKey(ctx, db, scope, id);
  const place = { purpose: 'ledger-personal', binding: ledgerBinding(id, sequence) } as const;
  return JSON.parse(openPersonal(ctx, key, { ...place, value }).toString('utf8')).attributes;
}

/** The values that a bank confirmed are beside the line of the submission, sealed. An erased person has none. */
export async function sealedConfirmation(
  db: Db,
  scope: OrgScope,
  id: string,
): Promise<{ sequence: number; value: Buffer } | undefined> {
  const ledger = ledgerOf(scope, db);
  const line = (await ledger.lines(id)).findLast(({ data }) => data.eid !== undefined);
  return (await ledger.personal(id)).find(({ sequence }) => sequence === line?.sequence);
}
