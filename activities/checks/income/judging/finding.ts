import type { CheckResult } from '#contract/enums.ts';
import type { IncomePaper, ReadablePaper, Signal } from '#contract/income/papers.ts';
import type { SignName } from '#contract/income/signs.ts';
import type { Reading } from './values/reading.ts';
import type { Cell } from './values/sheet.ts';

/** What one look at a paper says. `confidence` is from 0 to 1. */
export type Finding = {
  result: CheckResult;
  confidence: number;
  signals: Omit<Signal, 'kind' | 'documentId'>[];
};

export type Paper = { id: string; facts: IncomePaper };
export type ReadPaper = { id: string; facts: ReadablePaper; reading: Reading };

/** The confidence of a check that passed or failed. It does not say how likely it is that a paper is genuine. */
const clear = 0.99;
const half = 0.5;

export const notApplicable: Finding = { result: 'not_applicable', confidence: 0, signals: [] };
export const passed: Finding = { result: 'passed', confidence: clear, signals: [] };

type Sign = Finding['signals'][number];

/** Nobody reads more of what stands on a paper. Whoever writes one could hide an amount under thousands of words. */
const quotedMax = 500;
const quoted = (text: string | null | undefined) => text?.slice(0, quotedMax) ?? null;

export const sign = (name: SignName, where?: Partial<Omit<Sign, 'sign'>>): Sign => ({
  ...{ sign: name, page: null, box: null },
  ...where,
  ...{ found: quoted(where?.found), expected: quoted(where?.expected) },
});

export const at = ({ page, box }: Pick<Cell, 'page' | 'box'>) => ({ page, box });

export const doubt = (...signals: Sign[]): Finding => ({ result: 'doubt', confidence: half, signals });
export const failed = (...signals: Sign[]): Finding => ({ result: 'failed', confidence: clear, signals });

/** More signals of one kind tell a reviewer nothing new. */
const signalsMax = 40;

const order: readonly CheckResult[] = ['not_applicable', 'passed', 'doubt', 'failed'];

/** The worst of several findings, with the signals of all. */
export function together(findings: readonly Finding[]): Finding {
  const worst = findings.reduce(
    (one, other) => (order.indexOf(other.result) > order.indexOf(one.result) ? other : one),
    notApplicable,
  );
  return { ...worst, signals: findings.flatMap(({ signals }) => signals).slice(0, signalsMax) };
}
