import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newApiKey } from '#platform/crypto/api-key.ts';
import { searchLogs, searchLogsOfRun } from '#test/support/leaks.ts';

let folder: string;
const put = (file: string, text: string) => writeFileSync(join(folder, file), text);
const line = (fields: object) => `${JSON.stringify({ level: 30, ...fields })}\n`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leaks-'));
  mkdirSync(join(folder, 'logs'));
  put('logs/one.harness.log', line({ msg: 'GET /verify/:token 404', route: '/v1/verifications/:id' }));
  put('logs/one.planted.json', JSON.stringify(['Jansen "de" Vries', 'a reference of one']));
});
afterEach(() => rmSync(folder, { recursive: true }));

const token = 'AaH-AbeDcua_'.repeat(6).slice(0, 64);

test.each([
  ['an API key', newApiKey('live')],
  ['a signing secret', 'whsec_c2VjcmV0LXNlY3JldA'],
  ['a signature', `t=1795262888,v1=${'0f'.repeat(32)}`],
  ["a link's token", `http://localhost:3000/verify/${token}`],
  ['a bearer token', 'authorization: Bearer c2VjcmV0LXNlY3JldA'],
  ['the query of a url', '/v1/verifications?reference=x'],
  ['the query of a url', 'https://hooks.partner.example/in?token=x'],
  ['a url with a password', 'postgres://postgres:geheim@127.0.0.1:5432/verification'],
  ['a private key', '-----BEGIN EC PRIVATE KEY-----'],
  ['what a test planted', 'for Jansen "de" Vries, born'],
])('%s in a log is found, told by file and line, and not repeated', (what, text) => {
  put('logs/one.worker.log', line({ msg: 'fine' }) + line({ msg: text }));
  const { leaks } = searchLogs(folder);
  expect(leaks).toEqual([{ file: join('logs', 'one.worker.log'), line: 2, what }]);
  const [fault = ''] = searchLogsOfRun(folder)?.faults ?? [];
  expect(fault).toContain('one.worker.log, line 2, holds ');
  expect(fault).not.toContain(text);
});

test('what a test planted is looked for in its own logs and in those of shared servers, not in those of other tests', () => {
  put('logs/two.harness.log', line({ msg: 'a reference of one' }));
  put('logs/two.planted.json', JSON.stringify(['a reference of two']));
  expect(searchLogs(folder).leaks).toEqual([]);
  put('temporal.log', 'a reference of two\n');
  expect(searchLogs(folder).leaks).toEqual([{ file: 'temporal.log', line: 1, what: 'what a test planted' }]);
});

test('sound logs are searched and no fault is found; a run whose logs are missing or empty is one', () => {
  expect(searchLogs(folder)).toMatchObject({ files: 1, leaks: [] });
  expect(searchLogsOfRun(folder)).toMatchObject({
    said: 'searched 1 logs, 1 KiB, for what none may hold',
    faults: [],
  });
  put('logs/one.harness.log', '');
  expect(searchLogsOfRun(folder)?.faults).toEqual([expect.stringContaining('no logs')]);
  rmSync(join(folder, 'logs/one.harness.log'));
  expect(searchLogsOfRun(folder)?.faults).toEqual([expect.stringContaining('no logs')]);
});
