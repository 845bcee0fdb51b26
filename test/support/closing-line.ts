import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule, TestSpecification } from 'vitest/node';
import { type FileResult, type Look, linesOf, lookFileVariable } from '../suites/look.ts';
import { allowRemovalOfLogs, searchLogsOfRun } from './leaks.ts';

/**
 * Ends a run with one plain line that counts the tests. Before that line it says why each skipped test was skipped and, if a test
 * failed, the seed. A log line that contains a secret or a planted text fails the run. For a suite, which says this once for all its
 * runs, it writes the results into the file that `lookFileVariable` names.
 */
export class ClosingLine implements Reporter {
  #wanted: { file: string; project: string }[] = [];

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#wanted = specifications.map(({ moduleId, project }) => ({
      file: pathOf(moduleId),
      project: project.name,
    }));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const search = searchLogsOfRun();
    const leaks = search?.faults ?? [];
    if (leaks.length > 0) process.exitCode = 1;
    else allowRemovalOfLogs();
    const look: Look = {
      files: this.#wanted.map(({ file, project }) => {
        const module = modules.find(
          (found) => pathOf(found.moduleId) === file && found.project.name === project,
        );
        return module === undefined ? neverBegun(file, project) : resultOf(module);
      }),
      faults: leaks.map((fault) => `logs: ${fault}`),
      searched: search?.said,
    };
    for (const error of unhandledErrors) addError(look, error);
    const file = process.env[lookFileVariable];
    if (file !== undefined) writeFileSync(file, JSON.stringify(look));
    else for (const line of linesOf(look)) process.stdout.write(`${line}\n`);
  }
}

const pathOf = (file: string) => relative(process.cwd(), file);

function resultOf(module: TestModule): FileResult {
  const tests = [...module.children.allTests()];
  const named = (state: string) => tests.filter((test) => test.result().state === state);
  const failed = named('failed').map((test) => test.fullName);
  const broken = module.state() === 'failed' && failed.length === 0;
  return {
    file: pathOf(module.moduleId),
    project: module.project.name,
    seconds: module.diagnostic().duration / 1_000,
    passed: named('passed').length,
    failed: broken ? ['before its tests'] : failed,
    // Tests of a file that broke are not skipped for a reason.
    skipped: broken ? [] : named('skipped').map((test) => `${test.fullName} — ${reasonOf(test)}`),
    ended: module.state() !== 'pending' && module.state() !== 'queued',
  };
}

/** Vitest says nothing of the files that a process had still to run when it died. */
const neverBegun = (file: string, project: string): FileResult => ({
  ...{ file, project, seconds: 0, passed: 0, failed: [], skipped: [], ended: false },
});

type Test = ReturnType<TestModule['children']['allTests']> extends Generator<infer One> ? One : never;

function reasonOf(test: Test): string {
  const result = test.result();
  return (result.state === 'skipped' ? result.note : undefined) ?? 'no reason given';
}

/** An error outside of any test belongs to the file that ran, if vitest knows it. */
function addError(look: Look, error: SerializedError): void {
  const path = typeof error.VITEST_TEST_PATH === 'string' ? pathOf(error.VITEST_TEST_PATH) : undefined;
  const result = look.files.find(({ file }) => file === path);
  const said = `outside of a test: ${String(error.message).split('\n')[0]}`;
  // A process that died is seen by the files that it did not end.
  const isDeath = String(error.message).startsWith('[vitest-pool]') && look.files.some(({ ended }) => !ended);
  if (result === undefined && !isDeath) look.faults.push(said);
  else result?.failed.push(said);
}
