import type { EidHealth, Issuer, OpenContract, TriedContract } from '#contract/eid.ts';
import { dayMs } from '#contract/time.ts';
import { settingsForLedger } from '#policy/organisation-settings.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { timeOf, writeAtOnce } from '#store/database/statements.ts';
import {
  eidContractOf,
  findStaleIssuersOfAnyOrganisation,
  keepIssuersOfAnyOrganisation,
} from '#store/organisations/eid-contracts.ts';
import { findSettings, lockSettings } from '#store/organisations/organisations.ts';
import { assertMay, type Caller, callerOfMachine } from '../caller.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';

type ContractContext = Pick<Context, 'store' | 'secrets'>;

/** Binds a sealed contract to its organisation. */
export const eidContractBinding = (orgId: string): string => `eid-contract/${orgId}`;

/**
 * Sets the iDIN contract of an organisation, or removes it if `contract` is null. The change is a line in the organisation's chain of the
 * ledger. Persons who are at a bank then cannot finish there.
 */
export async function changeContract(
  { store, secrets }: ContractContext,
  caller: Caller,
  { contract }: { contract: TriedContract | null },
): Promise<void> {
  assertMay(caller, 'organisation.change');
  const { actor, scope } = caller;
  const id = scope.orgId;
  await store.transaction(async (tx) => {
    const settings = await lockSettings(tx, { id });
    if (settings === undefined) throw new Error('the organisation was removed at the same time');
    const contracts = eidContractOf(scope, tx);
    const line = await nextLine(tx, scope, {
      subjectId: id,
      type: 'organisation.changed',
      actor,
      data: { changed: [{ setting: 'idin_contract' }], settings: settingsForLedger(settings) },
      at: await timeOf(tx),
    });
    const sealed = (text: string) => secrets.seal('eid-contract', eidContractBinding(id), text);
    const write =
      contract === null
        ? contracts.remove()
        : contracts.set(
            {
              value: sealed(contract.text),
              certificateEndsAt: contract.certificateEndsAt,
              simulated: contract.simulated,
            },
            contract.issuers,
          );
    await writeAtOnce(tx, [write, ...line]);
  });
}

/** What may be seen of a contract: no key and no address. Undefined if there is none. */
export async function shownContract(db: Db, scope: OrgScope) {
  const found = await eidContractOf(scope, db).find();
  if (found === undefined) return undefined;
  const { value: _, orgId: __, ...shown } = found;
  return shown;
}

/**
 * Gives the demo organisation a contract with the simulator of this machine: a new one at its beginning, and another one when the simulator
 * has another address. A real contract and one that somebody removed stay as they are.
 */
export async function followSimulator(
  ctx: ContractContext,
  organisation: string,
  { simulator, isNew }: { simulator: TriedContract; isNew: boolean },
): Promise<void> {
  const { db } = ctx.store;
  const settings = await findSettings(db, { name: organisation });
  if (settings === undefined) return;
  const machine = callerOfMachine({ orgId: settings.id, environment: 'live' });
  const contract = await openContract(ctx, db, machine.scope);
  const follows = contract === undefined ? isNew : contract.simulated && contract.text !== simulator.text;
  if (follows) await changeContract(ctx, machine, { contract: simulator });
}

type PersonsContext = Pick<Context, 'secrets' | 'simulator'>;

/**
 * Opens the contract under which the persons of this scope go to a bank. In sandbox it is that of the simulator. Undefined if there is none.
 * Throws if SECRETS_KEY has not its key.
 */
export async function openContract(
  { secrets, simulator }: PersonsContext,
  db: Db,
  scope: OrgScope,
): Promise<OpenContract | undefined> {
  if (scope.environment === 'sandbox') return simulator;
  const found = await eidContractOf(scope, db).find();
  if (found === undefined) return undefined;
  const text = secrets.open('eid-contract', eidContractBinding(scope.orgId), found.value);
  return { text, simulated: found.simulated, issuers: found.issuers };
}

/** The banks that the persons of this scope can choose from. Undefined if there is no contract. Opens no secret. */
export async function issuersOf(
  { simulator }: Pick<Context, 'simulator'>,
  db: Db,
  scope: OrgScope,
): Promise<readonly Issuer[] | undefined> {
  if (scope.environment === 'sandbox') return simulator?.issuers;
  return (await eidContractOf(scope, db).find())?.issuers;
}

const contractsAtOnce = 100;

/** An organisation whose acquirer gave no list. `err`: a fault of ours or of the contract. */
type Unnamed = { orgId: string; reason: string; err?: unknown };

/**
 * Asks the acquirers for their banks whose list is a day old. The list of an acquirer that does not answer stays as it is, and the next
 * call asks again. Returns the organisations whose acquirer gave no list, each with the reason.
 */
export async function refreshIssuers(
  { store: { db }, secrets, clock }: ContractContext & Pick<Context, 'clock'>,
  healthOf: (contract: string) => Promise<EidHealth>,
  signal: AbortSignal,
): Promise<Unnamed[]> {
  const yesterday = new Date(clock.now().getTime() - dayMs);
  const failed: Unnamed[] = [];
  for (const { value, ...place } of await findStaleIssuersOfAnyOrganisation(db, yesterday, contractsAtOnce)) {
    if (signal.aborted) break;
    const { orgId } = place;
    try {
      const health = await healthOf(secrets.open('eid-contract', eidContractBinding(orgId), value));
      if (health.works) await keepIssuersOfAnyOrganisation(db, place, health.issuers);
      else failed.push({ orgId, reason: health.reason });
    } catch (err) {
      failed.push({ orgId, reason: 'unusable contract', err });
    }
  }
  return failed;
}
