import { request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { redisMissing, startRedis } from '#test/support/servers/redis.ts';
import { startStackWith } from '../outages/stack.ts';
import { startCollector } from './collector.ts';

test('commands to Redis are spans of the request, without what they are about', async ({ skip }) => {
  skip(redisMissing !== undefined, redisMissing);
  const redis = await startRedis();
  const collector = await startCollector();
  onTestFinished(() => collector.stop());
  const stack = await startStackWith({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    REDIS_URL: redis.url,
    TRUST_PROXY: '127.0.0.0/8',
  });
  onTestFinished(() => stack.stop());

  const stranger = '203.0.113.77';
  const refused = await request(`${stack.url}/v1/verifications`, {
    headers: { 'x-forwarded-for': stranger },
  });
  await refused.body.dump();
  expect(refused.statusCode).toBe(401);
  await vi.waitFor(
    () => {
      const spans = collector.spans();
      const root = spans.find(
        ({ attributes }) => attributes['request.id'] === refused.headers['x-request-id'],
      );
      const asked = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
      expect(asked.map(({ attributes }) => attributes['db.system.name'])).toContain('redis');
    },
    { timeout: 20_000, interval: 200 },
  );
  for (const { body } of collector.received) {
    expect(body).not.toContain(stranger);
    expect(body).not.toContain('rate-limit:');
  }
});
