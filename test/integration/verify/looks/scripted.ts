import type { DocumentReader, PictureLooker } from '#activities/checks/port.ts';
import type { LookResult, PictureKind } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';

const good: Check[] = [
  { kind: 'document_integrity', result: 'not_applicable', confidence: 0 },
  { kind: 'document_expiry', result: 'passed', confidence: 0.99 },
  { kind: 'mrz_check_digits', result: 'passed', confidence: 0.99 },
  { kind: 'data_consistency', result: 'passed', confidence: 0.99 },
];

/** A looker and a reader whose answers a test sets, and what they were asked. A held one answers when it is released. */
export function scripted() {
  const asked: PictureKind[] = [];
  const examined: Uint8Array[] = [];
  const plan = {
    looks: {} as Partial<Record<PictureKind, LookResult | 'fails'>>,
    expected: 0,
    failures: 0,
    heldLook: undefined as Promise<void> | undefined,
    heldCheck: undefined as Promise<void> | undefined,
  };
  const looker: PictureLooker = {
    async look(kind) {
      asked.push(kind);
      const found = plan.looks[kind] ?? 'fine';
      await plan.heldLook;
      if (found === 'fails') throw new Error('The picture could not be looked at');
      return found;
    },
    expect: () => {
      plan.expected += 1;
    },
    close: async () => undefined,
  };
  const documents: DocumentReader = {
    async check({ front }) {
      examined.push(front);
      await plan.heldCheck;
      if (plan.failures-- > 0) throw new Error('The document could not be examined');
      return { checks: good, read: null };
    },
    close: async () => undefined,
  };
  return { looker, documents, plan, asked, examined };
}

/** Holds an answer of `scripted` until it is released. */
export function held(plan: ReturnType<typeof scripted>['plan'], what: 'heldLook' | 'heldCheck') {
  const { promise, resolve } = Promise.withResolvers<void>();
  plan[what] = promise;
  return () => {
    plan[what] = undefined;
    resolve();
  };
}
