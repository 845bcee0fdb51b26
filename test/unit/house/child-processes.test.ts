import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { downloadEnv, systemEnv } from '#worker/standalone/system-env.ts';

/** Our own environment can hold SECRETS_KEY, passwords and tokens. No program that we start gets it. */

const root = join(import.meta.dirname, '../../..');
const files = globSync('{activities,api,shared,worker,workflows}/**/*.{ts,mjs}', { cwd: root }).map(
  (file) => ({
    file,
    code: readFileSync(join(root, file), 'utf8'),
  }),
);
const starting = files.filter(({ code }) => code.includes("'node:child_process'"));

/** The text from a call that starts a process to its closing parenthesis. */
function callsIn(code: string): string[] {
  return [
    ...code.matchAll(/(?<![.\w])(?:spawn|spawnSync|execFile|execFileSync|exec|execSync|fork)\b\)?\(/g),
  ].map(({ index, 0: begin }) => {
    let depth = 1;
    let end = index + begin.length;
    for (; depth > 0 && end < code.length; end++) depth += { '(': 1, ')': -1 }[code[end] ?? ''] ?? 0;
    return code.slice(index, end);
  });
}

test('every call that starts a process names its environment', () => {
  expect(starting.length).toBeGreaterThan(5);
  const without = starting.flatMap(({ file, code }) =>
    callsIn(code)
      .filter((call) => !/\b(env|options)\b/.test(call))
      .map((call) => `${file}: ${call}`),
  );
  expect(without).toEqual([]);
});

test('nothing of the product hands on its whole environment', () => {
  expect(files.filter(({ code }) => /\.\.\.process\.env\b|env: process\.env\b/.test(code))).toEqual([]);
});

test('what is handed on has no secret and no setting of ours', () => {
  const before = { ...process.env };
  onTestFinished(() => {
    for (const name of Object.keys(ours)) delete process.env[name];
    Object.assign(process.env, before);
  });
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  const ours = Object.fromEntries(
    [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => [name, 'kept here']),
  );
  expect(Object.keys(ours)).toContain('SECRETS_KEY');
  Object.assign(process.env, ours, { HTTPS_PROXY: 'http://proxy.example', PGPASSWORD: 'kept here' });
  for (const env of [systemEnv(), downloadEnv()]) expect(Object.values(env)).not.toContain('kept here');
  expect(systemEnv()).toEqual({
    ...{ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    ...(process.env.HOME && { HOME: process.env.HOME }),
    ...(process.env.TMPDIR && { TMPDIR: process.env.TMPDIR }),
  });
  expect(downloadEnv().HTTPS_PROXY).toBe('http://proxy.example');
});
