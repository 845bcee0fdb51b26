import { outcomeOf } from './commands.ts';
import { makeDeployment } from './deployment.ts';
import { type Engine, startEngine } from './engine.ts';
import { freePorts } from './ports.ts';
import { whyNot } from './requirements.ts';
import { type Scene, steps } from './steps.ts';

/**
 * Brings docker-compose.yml up in real containers and does with it what docs/operations.md says: npm run test:containers. Images
 * that are normally downloaded are stood in for by images of Debian's programs under the same names. Where containers cannot run,
 * it says why and ends well.
 */

const say = (line: string) => void process.stdout.write(`${line}\n`);
const seconds = (since: number) => `${((Date.now() - since) / 1_000).toFixed(1)} s`;

const reason = await whyNot();
if (reason !== undefined) {
  say(`skipped: ${steps.length} steps with containers: ${reason}`);
  say(`0 passed, 0 failed, ${steps.length} skipped`);
  process.exit(0);
}

const startedAt = Date.now();
const engine = await startEngine();
let ending: Promise<void> | undefined;
const stop = () => (ending ??= engine.stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)));

let passed = 0;
let failed = 0;
const deployment = makeDeployment(engine, await freePorts());
const scene: Scene = { engine, deployment, partner: undefined, earlier: [] };
try {
  for (const [number, { title, run }] of steps.entries()) {
    const at = Date.now();
    const seen = await run(scene).catch(async (error: unknown) => {
      say(`step ${number + 1}: ${title}: FAILED after ${seconds(at)}\n${error}`);
      failed++;
      await showLogs(engine);
    });
    if (failed > 0) break;
    passed++;
    say(`step ${number + 1}: ${title}: ok, ${seconds(at)}`);
    for (const line of seen ?? []) say(`  ${line}`);
  }
} finally {
  scene.partner?.stop();
  await stop();
}
say(`All of it took ${seconds(startedAt)}.`);
say(
  `Not tried here: the published images${process.env.TEMPORAL_BUILT === undefined ? ", and Temporal's server on Postgres" : ''}.`,
);
say(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Shows what every container wrote at last, and how it is. */
async function showLogs({ env }: Engine): Promise<void> {
  const { stdout: list } = await outcomeOf('podman', ['ps', '--all'], { env });
  say(list);
  const { stdout: names } = await outcomeOf('podman', ['ps', '--all', '--format', '{{.Names}}'], { env });
  for (const name of names.trim().split('\n'))
    say(`--- ${name}\n${(await outcomeOf('podman', ['logs', '--tail', '25', name], { env })).all}`);
}
