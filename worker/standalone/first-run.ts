import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Environment, grants } from '#contract/enums.ts';
import { createKey } from '#services/keys/create.ts';
import { inviteByOperator } from '#services/members/invite.ts';
import type { Store } from '#store/connection.ts';
import { hasOrganisations } from '#store/organisations.ts';

const demoOrganisation = 'Demo';
const demoOwner = 'owner@demo.example';

/** A secret as text for the terminal, and for a command of the shell. */
export type Shown = { shown: string; inShell: string };

/** What the first start makes. `ownerLink` is undefined if there is no console. */
export type Demo = { sandboxKey: Shown; liveKey: Shown; ownerLink: Shown | undefined };

type Place = { dataDir: string; onTerminal: boolean; consoleUrl: string | undefined };

/**
 * If the database has no organisation, creates a demo organisation with a key for each environment, and a link for its owner. If there is
 * a terminal, they are shown there once. Otherwise they are written to private files. Undefined if an organisation existed before.
 */
export async function ensureDemo(store: Store, place: Place): Promise<Demo | undefined> {
  if (await hasOrganisations(store)) return undefined;
  return {
    sandboxKey: show(place, 'demo-key', await makeKey(store, 'sandbox')),
    liveKey: show(place, 'demo-live-key', await makeKey(store, 'live')),
    ownerLink: await makeOwnerLink(store, place),
  };
}

async function makeKey(store: Store, environment: Environment): Promise<string> {
  const name = 'made at the first start';
  const wanted = { organisation: demoOrganisation, environment, grants: [...grants], name };
  return (await createKey(store, wanted, { kind: 'machine' })).key;
}

async function makeOwnerLink(store: Store, place: Place): Promise<Shown | undefined> {
  if (place.consoleUrl === undefined) return undefined;
  const owner = { email: demoOwner, role: 'owner' } as const;
  const invited = await inviteByOperator(store, demoOrganisation, owner, { kind: 'machine' });
  if ('refused' in invited) return undefined;
  return show(place, 'demo-owner-link', `${place.consoleUrl}/link/${invited.link.token}`);
}

function show({ dataDir, onTerminal }: Place, name: string, secret: string): Shown {
  if (onTerminal) return { shown: secret, inShell: secret };
  const file = join(dataDir, name);
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  const path = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file);
  return { shown: `written to ${path}`, inShell: `$(cat ${path})` };
}
