import { setTimeout as pause } from 'node:timers/promises';
import type { Connection, ConnectionLike } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time.js';
import { searchAttributes } from '#contract/workflows.ts';

const retentionMs = 7 * 86_400_000;
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
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributes).filter(
    ({ name }) => customAttributes?.[name] === undefined,
  );
  if (missing.length > 0)
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, indexedValueTypes[type]])),
    });
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

const namespaceUsableWithinMs = 60_000;

/**
 * Registers the namespace and returns when a query in the namespace succeeds. The server needs a few seconds
 * until the namespace is usable. Another process may register the same namespace at the same time.
 */
async function registerNamespace({ workflowService }: ConnectionLike, namespace: string): Promise<void> {
  await workflowService
    .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(retentionMs) })
    .catch((error: unknown) => {
      if (codeOf(error) !== alreadyExists) throw error;
    });
  for (const until = Date.now() + namespaceUsableWithinMs; ; await pause(500))
    try {
      return void (await workflowService.countWorkflowExecutions({ namespace }));
    } catch (error) {
      if (codeOf(error) !== notFound || Date.now() > until) throw error;
    }
}
