import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '#test/support/servers/free-port.ts';
import { startStackWith } from '../outages/stack.ts';
import { startCollector } from './collector.ts';

/** The product must answer and deliver as usual, whatever happens to its telemetry. */
async function expectUnhindered(endpoint: string) {
  const stack = await startStackWith({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  onTestFinished(() => stack.stop());
  await stack.expectOneEach(stack.createMany(5).keys);
  await Promise.all([stack.api, stack.worker].map(({ says }) => says('does not accept our traces')));
  await stack.expectHealthy();
  const stopping = performance.now();
  stack.api.signal('SIGTERM');
  stack.worker.signal('SIGTERM');
  expect(await Promise.all([stack.api.exited, stack.worker.exited])).toEqual([0, 0]);
  expect(performance.now() - stopping).toBeLessThan(10_000);
  for (const { output } of [stack.api, stack.worker])
    expect(output().match(/does not accept our traces/g), 'said once').toHaveLength(1);
}

test('a collector that is down hinders nothing, is said once, and delays no stop', {
  timeout: 90_000,
}, async () => {
  await expectUnhindered(`http://127.0.0.1:${await freePort()}`);
});

test('a collector that takes everything and never answers hinders nothing either', {
  timeout: 90_000,
}, async () => {
  const collector = await startCollector({ silent: true });
  onTestFinished(() => collector.stop());
  await expectUnhindered(collector.url);
  expect(collector.received.length).toBeGreaterThan(0);
});
