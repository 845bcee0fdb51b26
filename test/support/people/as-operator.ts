import { type MemberRole, operatorsId } from '#contract/members.ts';
import type { OrganisationSettings } from '#policy/organisation-settings.ts';
import { type Caller, callerOfOperator } from '#services/caller.ts';
import { type Invitation, invite } from '#services/members/invite.ts';
import { operatorAtOrganisation } from '#services/organisations/by-operator.ts';
import { changeSettings } from '#services/organisations/change-settings.ts';
import { exportPerson } from '#services/privacy/export.ts';
import { type RelationReport, reportRelation } from '#services/relations/report.ts';
import { operatorAtVerification } from '#services/verifications/by-operator.ts';
import { erase } from '#services/verifications/erase.ts';
import type { Store } from '#store/database/connection.ts';
import { ensureOrganisation } from '#store/organisations/organisations.ts';

type Place = { store: Store };

export async function operatorAt(store: Store, name: string): Promise<Caller> {
  const operator = await operatorAtOrganisation({ store }, { name });
  if (operator === undefined) throw new Error(`there is no organisation ${name}`);
  return operator;
}

const operatorAtId = (orgId: string) => callerOfOperator({ orgId, environment: 'live' });

export const theOperator = operatorAtId(operatorsId);

/** Invites as the operator's command does: to an organisation that need not exist. */
export const inviteByOperator = async (
  store: Store,
  organisation: string,
  wanted: { email: string; role: MemberRole },
): Promise<Invitation> =>
  invite({ store }, operatorAtId(await ensureOrganisation(store.db, organisation)), wanted);

export const inviteOperator = (store: Store, email: string): Promise<Invitation> =>
  invite({ store }, theOperator, { email, role: 'operator' });

export const settle = async (store: Store, name: string, settings: Partial<OrganisationSettings>) =>
  changeSettings({ store }, await operatorAt(store, name), settings);

/** Erases a verification as the operator's command does, without telling its run. */
export async function eraseByOperator({ store }: Place, id: string): Promise<boolean> {
  const operator = await operatorAtVerification({ store }, { id });
  return store.transaction((tx) => erase({ tx }, operator, { id, requestId: null }));
}

export const reportByOperator = async (ctx: Place, report: RelationReport) =>
  reportRelation(ctx, await operatorAtVerification(ctx, report), report);

export const exportByOperator = async (ctx: Parameters<typeof exportPerson>[0], id: string) =>
  exportPerson(ctx, await operatorAtVerification(ctx, { id }), { id });
