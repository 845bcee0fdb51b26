import { setTimeout as pause } from 'node:timers/promises';
import type { Connection, ConnectionLike } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time.js';
import { dayMs } from '#contract/time.ts';
import { searchAttributes } from '#contract/workflows.ts';

const retentionMs = 7 * dayMs;
const indexedValueTypes = { KEYWORD: 2, INT: 3, DATETIME: 6 } as const;

/**
 * Registers the namespace and its search attributes if they are missing. Raises the retention to seven days,
 * after which Temporal deletes the history of a closed workflow. A longer retention stays. The call may be repeated at any time.
 */
export async function prepareNamespace(
  connection: ConnectionLike & Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<void> {
  if (await isMissing(connection, namespace)) await registerNamespace(connection, namespace);
  // Another process may have registered it a moment ago.
  await usable(connection, { namespace });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributes).filter(
    ({ name }) => customAttributes?.[name] === undefined,
  );
  if (missing.length > 0) {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, indexedValueTypes[type]])),
    });
    await usable(connection, {
      namespace,
      query: missing.map(({ name }) => `${name} IS NULL`).join(' AND '),
    });
  }
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  if ((optionalTsToMs(config?.workflowExecutionRetentionTtl) ?? 0) >= retentionMs) return;
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: msToTs(retentionMs) },
  });
}

/** Status codes of gRPC. */
const alreadyExists = 6;
const notFound = 5;
const invalidArgument = 3;
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

async function isMissing({ workflowService }: ConnectionLike, namespace: string): Promise<boolean> {
  try {
    await workflowService.describeNamespace({ namespace });
    return false;
  } catch (error) {
    if (codeOf(error) === notFound) return true;
    throw error;
  }
}

const usableWithinMs = 60_000;

/** Returns when the query succeeds. The server needs some seconds until it knows a new namespace or search attribute. */
async function usable(
  { workflowService }: ConnectionLike,
  wanted: { namespace: string; query?: string },
): Promise<void> {
  for (const until = Date.now() + usableWithinMs; ; await pause(500))
    try {
      return void (await workflowService.countWorkflowExecutions(wanted));
    } catch (error) {
      const isNew = [notFound, invalidArgument].includes(Number(codeOf(error)));
      if (!isNew || Date.now() > until) throw error;
    }
}

/** Another process may register the same namespace at the same time. */
async function registerNamespace(connection: ConnectionLike, namespace: string): Promise<void> {
  await connection.workflowService
    .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(retentionMs) })
    .catch((error: unknown) => {
      if (codeOf(error) !== alreadyExists) throw error;
    });
}
