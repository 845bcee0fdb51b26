import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { root } from './lockfile.ts';

/**
 * Looks for secrets in every tracked text file below 4 MiB, and in the messages and the changed lines of the last commits. A find is
 * reported by place, kind and the beginning of its hash, never by its text. `allowed` lists, by that hash, the texts that only look
 * like secrets.
 */

type Kind = { what: string; form: RegExp; isReal?: (found: string) => boolean };

/** Returns the entropy of a text in bits per character. Random text has more than words of the same length. */
export function entropyOf(text: string): number {
  const counts = Object.values(Object.groupBy([...text], (character) => character));
  return counts.reduce((sum, same = []) => {
    const share = same.length / text.length;
    return sum - share * Math.log2(share);
  }, 0);
}

const isRandom = (text: string) => entropyOf(text) > 3.5;

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * True if the last six characters are the CRC-32 of the characters before them. Text that only looks like a key of the service has
 * a wrong CRC-32.
 */
function hasKeyChecksum(key: string): boolean {
  const [unsigned, checksum] = [key.slice(0, -6), key.slice(-6)];
  return [...checksum].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0) === crc32(unsigned);
}

const kinds: Kind[] = [
  { what: 'a private key', form: /-----BEGIN [A-Z ]*PRIVATE KEY-----\s*[\w+/=\\]{20,}/g },
  { what: 'an API key of this service', form: /svc_(?:test|live)_[0-9A-Za-z]{39}/g, isReal: hasKeyChecksum },
  { what: 'a signing secret of this service', form: /whsec_[\w-]{32,}/g, isReal: isRandom },
  { what: 'a key of a cloud', form: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}\b/g },
  { what: 'a token of a code host', form: /\b(?:gh[opsu]_\w{36}|github_pat_\w{60,}|glpat-[\w-]{20,})/g },
  { what: 'a token of a package registry', form: /\bnpm_[0-9A-Za-z]{36}\b|_authToken=[\w-]{16,}/g },
  {
    what: 'a key of some service',
    form: /\b(?:sk|rk)[-_](?:live|ant|proj)[-_][\w-]{20,}|\bxox[abprs]-[\w-]{20,}/g,
  },
  { what: 'a JSON web token', form: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g },
  {
    what: 'a secret that is assigned',
    form: /(?<=(?:secret|token|passw(?:or)?d|api_?key|private_?key|secrets_?key)\w{0,20}['"]?\s?[:=]\s?['"]?)(?<![\w+/])[\w+/-]{24,100}={0,2}/gi,
    isReal: (found) =>
      entropyOf(found) > 4.2 && /\d/.test(found) && /[a-z]/.test(found) && /[A-Z]/.test(found),
  },
];

/** Texts that look like a secret and are none: the beginning of their SHA-256, and what they are. */
const allowed: Readonly<Record<string, string>> = {
  '0347a3c5f2e1': 'a token of no link, in the test of the line for nginx',
  '4d54a884aa25': "the secret in the description's example, which says that it is one",
  '96ad2ccd8146': 'the secret of most vectors of signatures, used nowhere else',
  eba9464ab77e: 'the other secret of those vectors',
};

export type Find = { place: string; line: number; what: string; hash: string };

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

export const secretsIn = (place: string, text: string): Find[] =>
  kinds.flatMap(({ what, form, isReal = () => true }) =>
    [...text.matchAll(form)]
      .filter(([found]) => isReal(found))
      .map(({ 0: found, index }) => ({
        place,
        line: text.slice(0, index).split('\n').length,
        what,
        hash: hashOf(found),
      })),
  );

const sizeBytesMax = 4 * 1024 * 1024;
const isText = (bytes: Buffer) => !bytes.subarray(0, 8_000).includes(0);
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

function secretsInFiles(folder: string): { files: number; finds: Find[] } {
  const files = git(folder, 'ls-files', '-z')
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(folder, file)) && statSync(join(folder, file)).isFile());
  const finds = files.flatMap((file) => {
    const bytes = readFileSync(join(folder, file));
    return isText(bytes) && bytes.length < sizeBytesMax ? secretsIn(file, bytes.toString('utf8')) : [];
  });
  return { files: files.length, finds };
}

/** Searches every line that a commit added or removed, since a clone also contains removed lines. */
function secretsInHistory(folder: string, commitsMax: number): { commits: number; finds: Find[] } {
  const commits = git(folder, 'rev-list', `--max-count=${commitsMax}`, 'HEAD').trim().split('\n');
  const finds = commits.flatMap((commit) => {
    const patch = git(folder, 'show', '--format=%B', '--unified=0', '--no-color', '--no-ext-diff', commit);
    return secretsIn(`commit ${commit.slice(0, 10)}`, patch);
  });
  return { commits: commits.length, finds };
}

/** Returns the finds that are not allowed in a checkout and its last commits. */
export function searchCheckout(folder: string, commitsMax: number) {
  const [ofFiles, ofHistory] = [secretsInFiles(folder), secretsInHistory(folder, commitsMax)];
  const finds = [...ofFiles.finds, ...ofHistory.finds].filter(({ hash }) => allowed[hash] === undefined);
  return { files: ofFiles.files, commits: ofHistory.commits, finds };
}

if (import.meta.main && !existsSync(join(root, '.git'))) {
  console.log('secrets: NOT RUN. This is no checkout of git, so there is no telling what belongs to it.');
} else if (import.meta.main) {
  const { files, commits, finds } = searchCheckout(root, 300);
  for (const { place, line, what, hash } of finds) console.error(`${place}, line ${line}: ${what} (${hash})`);
  console.log(`secrets: ${files} files and ${commits} commits searched, ${finds.length} found`);
  process.exitCode = finds.length === 0 ? 0 : 1;
}
