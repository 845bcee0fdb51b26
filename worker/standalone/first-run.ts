import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { grants } from '#contract/enums.ts';
import { createKey } from '#services/keys/create.ts';
import { hasOrganisations } from '#store/organisations.ts';
import type { Store } from '#store/orm.ts';

const demoOrganisation = 'Demo';

/** How the key of the first run was handed over; undefined when this is not the first run. */
export type DemoKey = { shown: string; forCurl: string } | undefined;

/** At the very first start: a demo organisation with a sandbox key, shown once on a terminal, else left in a private file. */
export async function ensureDemoKey(store: Store, dataDir: string, onTerminal: boolean): Promise<DemoKey> {
  if (await hasOrganisations(store)) return undefined;
  const { key } = await createKey(store, {
    organisation: demoOrganisation,
    environment: 'sandbox',
    grants: [...grants],
    name: 'made at the first start',
  });
  if (onTerminal) return { shown: key, forCurl: key };
  const file = join(dataDir, 'demo-key');
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  const path = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file);
  return { shown: `written to ${path}`, forCurl: `$(cat ${path})` };
}
