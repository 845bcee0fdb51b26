import {
  type ConsoleRole,
  isEmail,
  type MemberRole,
  memberLimits,
  memberRoles,
  normalEmail,
  operatorsId,
} from '#contract/members.ts';
import { readConfig } from '#platform/config/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { callerOfOperator } from '#services/caller.ts';
import { removeByEmail, resetByEmail } from '#services/members/by-email.ts';
import { type Invitation, invite } from '#services/members/invite.ts';
import type { MemberRefusal } from '#services/members/manage.ts';
import { openStore, type Store } from '#store/database/connection.ts';
import { ensureOrganisation, findOrganisation } from '#store/organisations/organisations.ts';
import { misused, note, print, readArguments } from './parts/command-line.ts';
import { consoleUrlOf, serversOf } from './parts/servers.ts';

const command = 'npm run --silent console:invite --';
const usage = `Usage: ${command} --org NAME --email E --role ${memberRoles.join('|')}
       ${command} --org NAME --email E --reset
       ${command} --operator --email E [--reset|--remove]`;

const refusals: Record<Refusal, string> = {
  member: 'This address is a member or an operator already. With --reset they get a reset link.',
  too_many: 'The organisation has the most members that are possible.',
  unknown: 'There is no such member or operator.',
  not_joined: 'The invitation has not been accepted. Make a new one.',
  disabled: 'This member is disabled. An owner can enable the member in the console.',
};

type Refusal =
  | Extract<Invitation, { refused: string }>['refused']
  | Exclude<MemberRefusal, 'last_owner' | 'not_disabled'>;

/**
 * Prints a link for a new member or operator, or for one who has lost password or phone. Nothing is sent. With `--remove`, removes an
 * operator instead.
 */
async function main(): Promise<void> {
  const wanted = readOptions();
  const config = readConfig(process.env);
  const store = await openStore(serversOf(config).databaseUrl, 1);
  try {
    if (wanted.kind === 'remove') await remove(store, wanted.email);
    else await printLink(store, wanted, consoleUrlOf(config));
  } finally {
    await store.close();
  }
}

async function remove(store: Store, email: string): Promise<void> {
  if (!(await removeByEmail({ store }, operatorAt(operatorsId), { email })))
    throw new StartFault(refusals.unknown, exitCodes.unavailable);
  print(`${email} is no operator any more, and is signed out everywhere.`);
}

async function printLink(store: Store, wanted: WantedLink, url: string): Promise<void> {
  const { org, email } = wanted;
  const isNew = org !== undefined && (await findOrganisation(store, org)) === undefined;
  const made = await makeLink(store, wanted);
  if ('refused' in made) throw new StartFault(refusals[made.refused as Refusal], exitCodes.unavailable);
  if (isNew) note(`${org} is a new organisation. If the name is misspelt, give nobody this link.`);
  const hours = memberLimits.linkLifetimeHours[made.link.kind];
  note(`Hand this link over. It works once, for ${hours} hours, and is shown this once:`);
  if (wanted.kind === 'reset')
    note(`Whoever opens it becomes ${email}, so be sure who asks. The ledger has a line.`);
  print(`${url}/link/${made.link.token}`);
}

async function makeLink(store: Store, wanted: WantedLink) {
  const { org, email } = wanted;
  const orgId = org === undefined ? operatorsId : await findOrganisation(store, org);
  if (wanted.kind === 'reset')
    return orgId === undefined
      ? ({ refused: 'unknown' } as const)
      : resetByEmail({ store }, operatorAt(orgId), { email });
  const made = orgId ?? (await ensureOrganisation(store.db, org ?? ''));
  return invite({ store }, operatorAt(made), { email, role: wanted.role });
}

const operatorAt = (orgId: string) => callerOfOperator({ orgId, environment: 'live' });

/** Without `org` it is an operator's. */
type WantedLink = { org: string | undefined; email: string } & (
  | { kind: 'invitation'; role: ConsoleRole }
  | { kind: 'reset' }
);

function readOptions(): WantedLink | { kind: 'remove'; email: string } {
  const given = readArguments({ options }, usage).values;
  const fault = given.operator ? faultOfOperator(given) : faultOfMember(given);
  if (fault !== undefined) throw misused(usage, fault);
  const email = normalEmail(given.email ?? '');
  if (!isEmail(email)) throw misused(usage, '--email is not valid.');
  if (given.remove) return { kind: 'remove', email };
  const org = given.org?.trim();
  const role = given.operator ? 'operator' : roleIn(given);
  return given.reset || role === undefined
    ? { kind: 'reset', org, email }
    : { kind: 'invitation', org, email, role };
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = { org: text, role: text, email: text, operator: flag, reset: flag, remove: flag };

type Given = { org?: string; role?: string; reset: boolean; remove: boolean };

const roleIn = ({ role }: Given): MemberRole | undefined => memberRoles.find((each) => each === role);

function faultOfOperator({ org, role, reset, remove }: Given): string | undefined {
  if (org !== undefined || role !== undefined) return 'An operator has no organisation and no other role.';
  return reset && remove ? 'Give --reset or --remove, not both.' : undefined;
}

function faultOfMember(given: Given): string | undefined {
  const { org = '', role, reset, remove } = given;
  if (remove) return '--remove is for operators.';
  if (org.trim() === '' || org.trim().length > 200) return '--org is required.';
  if (reset && role !== undefined) return 'Give --role or --reset, not both.';
  return reset || roleIn(given) !== undefined ? undefined : '--role is not valid.';
}

await main().catch(exitWith);
