import { type AnswerKind, answerKinds, canHave, type Fault, faultOf } from './faults.ts';
import type { Memory } from './memory.ts';

/** The fault of the simulator's answers, and the kind of answers that have it. Null: each that can have it. */
export type Setting = { fault: Fault | null; on: AnswerKind | null };

export const faultless: Setting = { fault: null, on: null };

export const kindOf = (name: string | null): AnswerKind | null =>
  answerKinds.find((each) => each === name) ?? null;

/** Holds the setting, which a tester changes while the simulator runs. */
export function createSetting(first: Setting, memory?: Memory<Setting>) {
  let now = memory?.read() ?? first;
  return {
    read: () => now,

    change(form: URLSearchParams): void {
      now = { fault: faultOf(form.get('fault')), on: kindOf(form.get('on')) };
      memory?.write(now);
    },

    /** The fault of an answer of this kind. */
    for(kind: AnswerKind): Fault | null {
      const { fault, on } = now;
      return fault !== null && (on ?? kind) === kind && canHave(fault, kind) ? fault : null;
    },
  };
}
export type FaultSetting = ReturnType<typeof createSetting>;
