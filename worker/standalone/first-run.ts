import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { grants } from '#contract/enums.ts';
import { createKey, type NewKey } from '#services/keys/create.ts';
import type { Store } from '#store/connection.ts';
import { hasOrganisations } from '#store/organisations.ts';

const demoOrganisation = 'Demo';

/**
 * The key of the demo organisation, as text for the terminal and for a curl command. Undefined if an organisation existed before.
 */
export type DemoKey = { shown: string; forCurl: string } | undefined;

/**
 * If the database has no organisation, creates a demo organisation with a sandbox key. If there is a terminal, the key is shown
 * there once. Otherwise the key is written to a private file.
 */
export async function ensureDemoKey(store: Store, dataDir: string, onTerminal: boolean): Promise<DemoKey> {
  if (await hasOrganisations(store)) return undefined;
  const wanted: NewKey = {
    organisation: demoOrganisation,
    environment: 'sandbox',
    grants: [...grants],
    name: 'made at the first start',
  };
  const { key } = await createKey(store, wanted, { kind: 'machine' });
  if (onTerminal) return { shown: key, forCurl: key };
  const file = join(dataDir, 'demo-key');
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  const path = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file);
  return { shown: `written to ${path}`, forCurl: `$(cat ${path})` };
}
