import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longest } from './slow.ts';

/**
 * Begins the longest files of the gate before all others. In a fresh clone vitest knows no durations and goes by size, so a short file
 * that mostly waits would begin last, and keep the processors idle until it ends.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.indexOf(relative(process.cwd(), moduleId));
      return at < 0 ? longest.length : at;
    };
    const order = (file: TestSpecification) => file.project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => order(one) - order(other) || rank(one) - rank(other));
  }
}
