import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Forms that no line of a log may contain. */
const forms: Readonly<Record<string, RegExp>> = {
  'an API key': /svc_(test|live)_[0-9A-Za-z]{8}/,
  'a signing secret': /whsec_[\w-]{8}/,
  'a signature': /\bv1=[0-9a-f]{64}/,
  "a link's token": /\/verify\/[\w%-]{16}/,
  'a bearer token': /\bbearer\s+\S{8}/i,
  'the query of a url': /\/[\w./:-]+\?\w/,
  'a url with a password': /\b[a-z]+:\/\/[^\s:/@"]*:[^\s/@"]+@/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY/,
};

export type Leak = { file: string; line: number; what: string };

/** The numbers of files and bytes prove that there was something to search. */
export type Search = { files: number; bytes: number; leaks: Leak[] };

export const plantedSuffix = '.planted.json';

/**
 * Searches every log below a folder for `forms` and for planted texts. A file `x.planted.json` holds the texts that a test file
 * sent or received. They are searched for in the logs of that test file (`x.….log`) and in the logs of the shared servers. A leak
 * names its place, never the text.
 */
export function searchLogs(folder: string): Search {
  const plantedBy = new Map(
    globSync(`**/*${plantedSuffix}`, { cwd: folder }).map((file) => [
      basename(file, plantedSuffix),
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as string[],
    ]),
  );
  const all = [...new Set([...plantedBy.values()].flat())];
  const logs = globSync('**/*.log', { cwd: folder, exclude: ['**/postgres/**'] });
  const searched = logs.map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const [owner = ''] = basename(file).split('.');
    return { bytes: text.length, leaks: leaksIn(file, text, plantedBy.get(owner) ?? all) };
  });
  return {
    files: logs.length,
    bytes: searched.reduce((sum, { bytes }) => sum + bytes, 0),
    leaks: searched.flatMap(({ leaks }) => leaks),
  };
}

function leaksIn(file: string, text: string, planted: readonly string[]): Leak[] {
  const formed = Object.entries(forms).map(([what, form]) => ({ what, at: text.search(form) }));
  const literal = planted.flatMap((value) =>
    spellingsOf(value).map((spelling) => ({ what: 'what a test planted', at: text.indexOf(spelling) })),
  );
  return [...formed, ...literal]
    .filter(({ at }) => at >= 0)
    .map(({ what, at }) => ({ file, what, line: text.slice(0, at).split('\n').length }));
}

/** The text itself, and the text as it is written inside JSON. */
const spellingsOf = (value: string) => [...new Set([value, JSON.stringify(value).slice(1, -1)])];

/**
 * The environment variable of this name holds the folder of the run. The global setup sets it. The reporter, in the same process,
 * searches the logs. If they are clean, the reporter deletes the variable, which allows the removal of the logs.
 */
export const runFolderVariable = 'VERIFICATION_TEST_FOLDER';
export const allowRemovalOfLogs = () => void delete process.env[runFolderVariable];

/** Searches the logs of the run that just ended. Returns a summary and a line for each fault, or undefined if no servers ran. */
export function searchLogsOfRun(
  folder = process.env[runFolderVariable],
): { said: string; faults: string[] } | undefined {
  if (folder === undefined) return undefined;
  const { files, bytes, leaks } = searchLogs(folder);
  const said = `searched ${files} logs, ${Math.ceil(bytes / 1_024)} KiB, for what none may hold`;
  if (bytes === 0) return { said, faults: ['there are no logs to search, or all are empty'] };
  return {
    said,
    faults: leaks.map(({ file, line, what }) => `${join(folder, file)}, line ${line}, holds ${what}`),
  };
}
