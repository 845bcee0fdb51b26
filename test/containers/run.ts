import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { endOf, oneLine, outcomeOf } from './commands.ts';
import { makeDeployment } from './deployment.ts';
import { type Engine, startEngine } from './engine.ts';
import { freePorts } from './ports.ts';
import { reportOf } from './report.ts';
import { whyNot } from './requirements.ts';
import type { Scene } from './steps/step.ts';
import { steps } from './steps/steps.ts';
import { whyNoContainers } from './trial.ts';

/**
 * Brings docker-compose.yml up in real containers and does with it what docs/operations.md says: npm run test:containers. Images
 * that are normally downloaded are stood in for by images of Debian's programs under the same names. Where containers cannot run,
 * it says why in one line and ends well. Two small containers of its own try that first. `--report FILE` writes the log of a run that
 * passed as a page.
 */

const said: string[] = [];
const say = (line: string) => {
  said.push(line);
  process.stdout.write(`${line}\n`);
};
const { report } = parseArgs({ options: { report: { type: 'string' } } }).values;
const seconds = (since: number) => `${((Date.now() - since) / 1_000).toFixed(1)} s`;

const skip = (reason: string): never => {
  say(`containers: skipped, ${steps.length} steps: ${reason}`);
  process.exit(0);
};

const reason = await whyNot();
if (reason !== undefined) skip(reason);
const startedAt = Date.now();
const engine = await startEngine().catch((error: unknown) => skip(oneLine(error)));
let ending: Promise<void> | undefined;
const stop = () => (ending ??= engine.stop().catch((error) => say(`Not all was removed: ${oneLine(error)}`)));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)));

const trouble = await whyNoContainers(engine);
if (trouble !== undefined) await stop().then(() => skip(trouble));

let passed = 0;
let failed = 0;
const deployment = makeDeployment(engine, await freePorts());
const scene: Scene = {
  ...{ engine, deployment, earlier: [] },
  ...{ partner: undefined, liveKey: undefined, handedIn: undefined },
  ...{ newMigrations: [], views: [] },
};
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
if (report !== undefined && failed === 0) writeFileSync(report, reportOf(said, scene.views));
process.exit(failed === 0 ? 0 : 1);

/** Shows what every container and podman wrote at last, and how each container is. */
async function showLogs({ env, serviceLog }: Engine): Promise<void> {
  const { stdout: list } = await outcomeOf('podman', ['ps', '--all'], { env });
  say(list);
  const { stdout: names } = await outcomeOf('podman', ['ps', '--all', '--format', '{{.Names}}'], { env });
  for (const name of names.trim().split('\n'))
    say(`--- ${name}\n${(await outcomeOf('podman', ['logs', '--tail', '25', name], { env })).all}`);
  say(`--- podman\n${endOf(readFileSync(serviceLog, 'utf8'))}`);
}
