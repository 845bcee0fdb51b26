import { expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { consented } from '#test/support/people/consented.ts';
import { person } from '#test/support/people/person.ts';

const harness = await startHarness();
const { key } = await harness.key();

/** COMMAND_ROUNDS=100 makes a longer run. */
const rounds = Number(process.env.COMMAND_ROUNDS ?? 2);
/** The request of a lost command is answered only after nine seconds. An answer within this time shows that the command was not lost. */
const forgottenAfterMs = 5_000;

/** Creates a sandbox verification by bank, and stops at the last step before the person submits. */
async function readyToSubmit() {
  const body = { method: 'idin', sandbox: { auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const user = person(harness, json.verify_url);
  const welcome = await user.look();
  await user.start();
  await user.specimen('bank');
  return { id: json.id as string, user, welcome, confirm: await user.look() };
}

type Ready = Awaited<ReturnType<typeof readyToSubmit>>;

const commands = {
  start: ({ user, welcome }: Ready) => user.press('start', { body: consented }, welcome),
  submit: ({ user, confirm }: Ready) => user.press('submit', {}, confirm),
  complete: ({ id }: Ready) => call(harness, 'POST', `/v1/verifications/${id}/complete`, { key }),
};
type Command = keyof typeof commands;

const times = (count: number, ...names: Command[]): Command[] =>
  Array.from({ length: count }, (_, i) => names[i % names.length] ?? 'complete');

async function timed(name: Command, ready: Ready) {
  const startedMs = performance.now();
  const { status } = await commands[name](ready);
  return { name, status, tookMs: Math.round(performance.now() - startedMs) };
}

test.each([
  { asked: times(2, 'complete') },
  { asked: times(2, 'submit') },
  { asked: times(2, 'submit', 'complete') },
  { asked: times(2, 'start', 'complete') },
  { asked: times(7, 'complete', 'submit', 'start') },
  { asked: times(20, 'complete') },
  { asked: times(20, 'complete', 'submit', 'start') },
])(
  'of commands at once none is forgotten and no run is left open: %j',
  async ({ asked }) => {
    for (let round = 0; round < rounds; round++) {
      const ready = await readyToSubmit();
      const answers = await Promise.all(asked.map((name) => timed(name, ready)));
      if (rounds > 2)
        process.stderr.write(`${asked.length} ${Math.max(...answers.map(({ tookMs }) => tookMs))} ms\n`);
      expect(answers.filter(({ tookMs }) => tookMs > forgottenAfterMs)).toEqual([]);
      const completes = answers.filter(({ name }) => name === 'complete').map(({ status }) => status);
      expect(completes.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
      expect(completes.filter((status) => status !== 200 && status !== 409)).toEqual([]);
      expect(answers.filter(({ name, status }) => name !== 'complete' && status !== 200)).toEqual([]);
      await expect.poll(() => isRunning(ready.id)).toBe(false);
    }
  },
  60_000 * rounds,
);

async function isRunning(id: string): Promise<boolean> {
  const { status } = await harness.temporal.workflow.getHandle(verificationWorkflowId(id)).describe();
  return status.name === 'RUNNING';
}
