import { ParentClosePolicy, setCurrentDetails, startChild, workflowInfo } from '@temporalio/workflow';
import { type Expiring, housekeepingPartId } from '#contract/workflows.ts';
import { purges } from '#policy/retention.ts';
import { purge } from './purge.ts';
import { signLedger } from './sign-ledger.ts';

/**
 * Starts a workflow for each kind of data, which purges what has expired (decision 21), and one that signs the ledger. A schedule starts
 * this workflow every hour. It does not wait for these workflows, so a part that fails delays no other part. It has no input and no
 * result, because Temporal would hand them from run to run, and an encrypted value belongs to one run.
 */
export async function housekeeping(): Promise<void> {
  const running: string[] = [];
  const startPart = async (part: Expiring | 'ledger', start: (options: PartOptions) => Promise<unknown>) => {
    if (!(await isStarted(start(optionsOf(part))))) running.push(part);
  };
  for (const input of purges)
    await startPart(input.what, (options) =>
      startChild(purge, { ...options, args: [input], staticSummary: `purges ${input.what}` }),
    );
  await startPart('ledger', (options) =>
    startChild(signLedger, { ...options, staticSummary: 'signs the ends of the ledger, once a day' }),
  );
  if (running.length > 0) setCurrentDetails(`Still running from an hour before: ${running.join(', ')}.`);
}

/** If a run lasts for an hour, something stops it, so it ends and the next one begins anew. */
const optionsOf = (part: Expiring | 'ledger') =>
  ({
    workflowId: housekeepingPartId(workflowInfo().workflowId, part),
    parentClosePolicy: ParentClosePolicy.ABANDON,
    workflowRunTimeout: '1h',
  }) as const;
type PartOptions = ReturnType<typeof optionsOf>;

/** False if the part still runs from an hour before. It then goes on. */
async function isStarted(starting: Promise<unknown>): Promise<boolean> {
  try {
    await starting;
    return true;
  } catch (error) {
    if ((error as Error).name !== 'WorkflowExecutionAlreadyStartedError') throw error;
    return false;
  }
}
