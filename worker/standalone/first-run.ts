import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TriedContract } from '#contract/eid.ts';
import { type Environment, grants } from '#contract/enums.ts';
import { dayMs } from '#contract/time.ts';
import type { Secrets } from '#platform/crypto/crypto.ts';
import { callerOfMachine } from '#services/caller.ts';
import { followSimulator } from '#services/eid/contracts.ts';
import { createKey } from '#services/keys/create.ts';
import { invite } from '#services/members/invite.ts';
import type { Store } from '#store/database/connection.ts';
import { ensureOrganisation, hasOrganisations } from '#store/organisations/organisations.ts';

const demoOrganisation = 'Demo';
const demoOwner = 'owner@demo.example';
const files = { sandboxKey: 'demo-key', liveKey: 'demo-live-key', ownerLink: 'demo-owner-link' };
/** A service that somebody tried out and forgot keeps no key that works. */
const worksMs = 30 * dayMs;

/** A secret as text for the terminal, and for a command of the shell. */
export type Shown = { shown: string; inShell: string };

/** What the first start makes. `ownerLink` is undefined if there is no console. */
export type Demo = { sandboxKey: Shown; liveKey: Shown; worksUntil: Date; ownerLink: Shown | undefined };

type Place = {
  dataDir: string;
  onTerminal: boolean;
  consoleUrl: string | undefined;
  now: Date;
  /** The contract with the simulator of this machine, for live. */
  simulator: TriedContract | undefined;
};
type DemoContext = { store: Store; secrets: Secrets };

/**
 * If the database has no organisation, creates a demo organisation with a key for each environment, and a link for its owner. If there is
 * a terminal, they are shown there once. Otherwise they are written to private files, which a later start removes when the keys have
 * expired. Undefined if an organisation existed before.
 */
export async function ensureDemo(ctx: DemoContext, place: Place): Promise<Demo | undefined> {
  const demo = await demoOf(ctx.store, place);
  const { simulator } = place;
  if (simulator !== undefined)
    await followSimulator(ctx, demoOrganisation, { simulator, isNew: demo !== undefined });
  return demo;
}

async function demoOf(store: Store, place: Place): Promise<Demo | undefined> {
  if (await hasOrganisations(store)) {
    removeExpired(place);
    return undefined;
  }
  const worksUntil = new Date(place.now.getTime() + worksMs);
  return {
    sandboxKey: show(place, files.sandboxKey, await makeKey(store, 'sandbox', worksUntil)),
    liveKey: show(place, files.liveKey, await makeKey(store, 'live', worksUntil)),
    worksUntil,
    ownerLink: await makeOwnerLink(store, place),
  };
}

async function makeKey(store: Store, environment: Environment, expiresAt: Date): Promise<string> {
  const name = 'made at the first start';
  const orgId = await ensureOrganisation(store.db, demoOrganisation);
  const wanted = { grants: [...grants], name, expiresAt };
  const made = await createKey({ store }, callerOfMachine({ orgId, environment }), wanted);
  if (made === undefined) throw new Error('a new organisation has too many keys');
  return made.key;
}

async function makeOwnerLink(store: Store, place: Place): Promise<Shown | undefined> {
  if (place.consoleUrl === undefined) return undefined;
  const owner = { email: demoOwner, role: 'owner' } as const;
  const orgId = await ensureOrganisation(store.db, demoOrganisation);
  const invited = await invite({ store }, callerOfMachine({ orgId, environment: 'live' }), owner);
  if ('refused' in invited) return undefined;
  return show(place, files.ownerLink, `${place.consoleUrl}/link/${invited.link.token}`);
}

function show({ dataDir, onTerminal }: Place, name: string, secret: string): Shown {
  if (onTerminal) return { shown: secret, inShell: secret };
  const file = join(dataDir, name);
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  const path = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file);
  return { shown: `written to ${path}`, inShell: `$(cat ${path})` };
}

function removeExpired({ dataDir, now }: Place): void {
  for (const name of Object.values(files)) {
    const file = join(dataDir, name);
    const writtenMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (writtenMs !== undefined && writtenMs + worksMs <= now.getTime()) rmSync(file);
  }
}
