import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnChild } from '#worker/standalone/child-process.ts';
import { lockDataDir } from '#worker/standalone/lock.ts';
import { readRunFile, removeRunFile, writeRunFile } from '#worker/standalone/run-file.ts';
import { isGone, newDataDir, newFolder } from './support.ts';

const claims = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.lock'));

test('of many processes that lock a data directory at once exactly one gets it, and the next one after its release', async () => {
  const dataDir = newDataDir();
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => lockDataDir(dataDir)));
  const holders = results.filter((result) => result.status === 'fulfilled');
  expect(holders).toHaveLength(1);
  holders[0]?.value();
  (await lockDataDir(dataDir))();
  expect(claims(dataDir)).toEqual([]);
});

test('neither a dead owner nor a process that got its pid keeps a data directory locked', async () => {
  const dataDir = newFolder();
  const uuid = '00000000-0000-4000-8000-000000000000';
  writeFileSync(join(dataDir, `run.2147483000.0123456789abcdef.${uuid}.lock`), '');
  writeFileSync(join(dataDir, `run.${process.pid}.0123456789abcdef.${uuid}.lock`), '');
  const release = await lockDataDir(dataDir);
  expect(claims(dataDir)).toHaveLength(1);
  release();
});

test('the run file speaks only of a process that lives', () => {
  const dataDir = newFolder();
  const info = {
    pid: process.pid,
    started_at: new Date().toISOString(),
    port: 3000,
    database_url: 'postgres://127.0.0.1:1/verification',
    owner_database_url: 'postgres://127.0.0.1:1/verification',
    temporal_address: '127.0.0.1:2',
    public_url: 'http://localhost:3000',
    console_url: null,
  };
  expect(readRunFile(dataDir)).toBeUndefined();
  writeRunFile(dataDir, info);
  expect(readRunFile(dataDir)).toEqual(info);
  writeRunFile(dataDir, { ...info, pid: 2147483000 });
  expect(readRunFile(dataDir)).toBeUndefined();
  writeFileSync(join(dataDir, 'run.json'), '{"pid":');
  expect(readRunFile(dataDir)).toBeUndefined();
  removeRunFile(dataDir);
});

test('a child process gets its own signals only, and one that ignores them is killed after the grace', async () => {
  const logFile = join(newFolder(), 'log');
  const script =
    "trap '' TERM; ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 /proc/$$/stat; while :; do sleep 0.1; done";
  const stubborn = spawnChild({ command: '/bin/sh', args: ['-c', script], logFile });
  await expect.poll(() => Number(readFileSync(logFile, 'utf8')), { timeout: 10_000 }).toBe(stubborn.pid);
  await stubborn.stop('SIGTERM', 200);
  expect([await stubborn.exited, isGone(stubborn.pid)]).toEqual(['SIGKILL', true]);
});

test('the signal to end goes to the command, which ends its own children', async () => {
  const logFile = join(newFolder(), 'log');
  const grandchild = `trap 'echo struck' TERM; echo up; while :; do sleep 0.05; done`;
  const script = `sh -c "$0" & trap 'sleep 0.5; kill -9 $!; exit 3' TERM; wait`;
  const orderly = spawnChild({ command: '/bin/sh', args: ['-c', script, grandchild], logFile });
  await expect.poll(() => readFileSync(logFile, 'utf8'), { timeout: 10_000 }).toBe('up\n');
  await orderly.stop('SIGTERM', 10_000);
  expect([await orderly.exited, readFileSync(logFile, 'utf8')]).toEqual([3, 'up\n']);
});

test('the end of a child process is told by its exit code, and stopping it then does nothing', async () => {
  const ended = spawnChild({
    command: '/bin/sh',
    args: ['-c', 'exit 7'],
    logFile: join(newFolder(), 'log'),
  });
  expect(await ended.exited).toBe(7);
  await ended.stop('SIGTERM', 100);
});
