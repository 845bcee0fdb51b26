import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cannotCreate } from './data-dir.ts';
import { identityOf } from './processes.ts';

/** Describes the running instance on a data directory, for other programs on the same machine. */
export type RunInfo = {
  pid: number;
  started_at: string;
  port: number;
  database_url: string;
  /** For `npm run migrate`. */
  owner_database_url: string;
  temporal_address: string;
  public_url: string;
  /** Null if there is no console. */
  console_url: string | null;
};

/** The address at which `npm run listen` receives deliveries. */
export type ListenerInfo = { pid: number; host: string; port: number };

export const writeRunFile = (dataDir: string, info: RunInfo) => write(dataDir, 'run.json', info);
export const readRunFile = (dataDir: string) => read<RunInfo>(dataDir, 'run.json');
export const removeRunFile = (dataDir: string) => remove(dataDir, 'run.json');

/** Several may listen at once, each on a port of its own. */
export const writeListenerFile = (dataDir: string, info: ListenerInfo) =>
  write(dataDir, listenerFile(info.port), info);
export const removeListenerFile = (dataDir: string, port: number) => remove(dataDir, listenerFile(port));
export const readListener = (dataDir: string, port: number) =>
  read<ListenerInfo>(dataDir, listenerFile(port));

const listenerFile = (port: number) => `listener.${port}.json`;

type Owned = { pid: number };

function write(dataDir: string, name: string, info: Owned): void {
  const file = join(dataDir, name);
  const draft = `${file}.${process.pid}`;
  try {
    const text = JSON.stringify({ ...info, process: identityOf(info.pid) }, null, 2);
    writeFileSync(draft, `${text}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw cannotCreate(dataDir, 'DATA_DIR', error);
  }
}

/** Returns undefined if the file is missing or incomplete, or if its process has ended. */
function read<Info extends Owned>(dataDir: string, name: string): Info | undefined {
  try {
    const { process: identity, ...info } = JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
    const found = identityOf(info.pid);
    return found !== undefined && found === identity ? info : undefined;
  } catch {
    return undefined;
  }
}

function remove(dataDir: string, name: string): void {
  rmSync(join(dataDir, name), { force: true });
}
