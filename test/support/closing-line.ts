import type { Reporter, TestModule } from 'vitest/node';
import { allowRemovalOfLogs, searchLogsOfRun } from './leaks.ts';
import { seed } from './seed.ts';

/**
 * Ends a run with one plain line that counts the tests. Before that line it says why each skipped test was skipped and, if a test
 * failed, the seed. A log line that contains a secret or a planted text fails the run.
 */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const states = tests.map((test) => test.result().state);
    const count = (state: string) => states.filter((found) => found === state).length;
    const broken = modules.filter(
      (module) => module.state() === 'failed' && [...module.children.allTests('failed')].length === 0,
    );

    for (const test of tests) {
      const result = test.result();
      if (result.state === 'skipped')
        write(`skipped: ${test.fullName} — ${result.note ?? 'no reason given'}`);
    }
    const search = searchLogsOfRun();
    if (search !== undefined) write(search.said);
    const faultsInLogs = search?.faults ?? [];
    for (const fault of faultsInLogs) write(`FAIL logs: ${fault}`);
    if (faultsInLogs.length > 0) process.exitCode = 1;
    else allowRemovalOfLogs();
    const failed = count('failed') + broken.length + unhandledErrors.length + faultsInLogs.length;
    if (failed > 0) write(`seed: ${seed} (TEST_SEED=${seed} draws the same again)`);
    const skipped = count('skipped');
    write(`${count('passed')} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  }
}

const write = (line: string) => void process.stdout.write(`${line}\n`);
