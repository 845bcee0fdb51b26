import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { expect, test } from 'vitest';
import { searchAttributes } from '#contract/workflows.ts';
import { prepareNamespace } from '#platform/temporal/namespace.ts';
import { startTestTemporal } from '#test/support/servers/temporal.ts';

test('a retention that an operator lengthened stays, and a shorter one is raised', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'namespace-'));
  const temporal = await startTestTemporal(folder);
  const connection = await Connection.connect({ address: temporal.address });
  const namespace = 'kept-longer';
  const service = connection.workflowService;
  const days = async () => {
    const { config } = await service.describeNamespace({ namespace });
    return Number(config?.workflowExecutionRetentionTtl?.seconds) / 86_400;
  };
  try {
    await prepareNamespace(connection, namespace);
    for (const [given, kept] of [
      [30, 30],
      [1, 7],
    ] as const) {
      const workflowExecutionRetentionTtl = msToTs(`${given} days`);
      await service.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } });
      await prepareNamespace(connection, namespace);
      expect(await days()).toBe(kept);
    }
  } finally {
    await connection.close();
    await temporal.stop();
    await rm(folder, { recursive: true });
  }
});

test('a namespace that is missing is registered, with its search attributes and a week of histories; twice at once does no harm', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'namespace-'));
  const temporal = await startTestTemporal(folder);
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const namespace = 'not-there-yet';
    await Promise.all([prepareNamespace(connection, namespace), prepareNamespace(connection, namespace)]);
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(7 * 86_400);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes ?? {}).sort()).toEqual(
      Object.values(searchAttributes)
        .map(({ name }) => name)
        .sort(),
    );
  } finally {
    await connection.close();
    await temporal.stop();
    await rm(folder, { recursive: true });
  }
});
