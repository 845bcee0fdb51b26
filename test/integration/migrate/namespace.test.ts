import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { searchAttributes } from '#contract/workflows.ts';
import { prepareNamespace } from '#platform/temporal-namespace.ts';
import { startTestTemporal } from '#test/support/temporal.ts';

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
