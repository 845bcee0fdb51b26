import {
  ApplicationFailure,
  condition,
  proxySinks,
  type Sinks,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow';

/** What a run tells its worker. */
export type RunSinks = Sinks & { run: { begunByAnotherBuild(): void } };

const { run } = proxySinks<RunSinks>();

/** `worker/bundle.ts` writes the id into the bundle. */
const ownBuild = 'the id of this build';

/**
 * A run belongs to the build that began it. If a worker of another build replays the run, the run fails and begins again
 * (docs/choices/upgrades.md). The first step of every workflow reads the row, so the new run continues from there (decision 36).
 * Temporal keeps the build of each workflow task in the history, and during a replay `workflowInfo` returns that build.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    inbound: [
      {
        async execute(input, next) {
          const begunBy = workflowInfo().currentDeploymentVersion?.buildId;
          if (begunBy !== ownBuild) {
            run.begunByAnotherBuild();
            // The SDK fails a run whose history has commands that the code does not issue. A failure of our own would be a second one,
            // and the server refuses two.
            await condition(() => !workflowInfo().unsafe.isReplaying);
            throw ApplicationFailure.retryable('begun by another build');
          }
          return next(input);
        },
      },
    ],
  };
}
