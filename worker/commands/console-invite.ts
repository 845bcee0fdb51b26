import { isEmail, type MemberRole, memberLimits, memberRoles, normalEmail } from '#contract/members.ts';
import { readConfig } from '#platform/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { type Invitation, inviteByOperator } from '#services/members/invite.ts';
import { openStore } from '#store/connection.ts';
import { findOrganisation } from '#store/organisations.ts';
import { misused, note, print, readArguments } from './command-line.ts';
import { consoleUrlOf, serversOf } from './servers.ts';

const usage = `Usage: npm run --silent console:invite -- --org NAME --email E --role ${memberRoles.join('|')}`;

const refusals: Record<Extract<Invitation, { refused: string }>['refused'], string> = {
  member: 'This address is a member already. An owner can make a reset link in the console.',
  too_many: 'The organisation has the most members that are possible.',
};

/** Prints a link with which somebody becomes a member of an organisation. Nothing is sent. */
async function main(): Promise<void> {
  const { org, email, role } = readOptions();
  const config = readConfig(process.env);
  const url = consoleUrlOf(config);
  const store = await openStore(serversOf(config).databaseUrl, 1);
  try {
    const isNew = (await findOrganisation(store, org)) === undefined;
    const invited = await inviteByOperator(store, org, { email, role });
    if ('refused' in invited) throw new StartFault(refusals[invited.refused], exitCodes.unavailable);
    if (isNew) note(`${org} is a new organisation. If the name is misspelt, give nobody this link.`);
    note(
      `Hand this link over. It works once, for ${memberLimits.linkLifetimeHours.invitation} hours, and is shown this once:`,
    );
    print(`${url}/link/${invited.link.token}`);
  } finally {
    await store.close();
  }
}

function readOptions(): { org: string; email: string; role: MemberRole } {
  const options = { org: { type: 'string' }, email: { type: 'string' }, role: { type: 'string' } } as const;
  const { values } = readArguments({ options }, usage);
  const org = values.org?.trim() ?? '';
  const email = normalEmail(values.email ?? '');
  const role = memberRoles.find((each) => each === values.role);
  if (org === '' || org.length > 200) throw misused(usage, '--org is required.');
  if (!isEmail(email)) throw misused(usage, '--email is not valid.');
  if (role === undefined) throw misused(usage, '--role is not valid.');
  return { org, email, role };
}

await main().catch(exitWith);
