import type { CheckResult, IncomeCheckKind, IncomeDocumentType, PayFrequency } from '#contract/enums.ts';
import type { Box, IncomePaper, ReadablePaper } from '#contract/income-papers.ts';
import type { Reading } from './reading.ts';
import type { Cell } from './sheet.ts';

/** A sign of something that a reviewer should see. The box is in points, as the page has them. */
export type Signal = {
  kind: IncomeCheckKind;
  documentId: string;
  /** Why, as a word that a page has a text for. */
  sign: string;
  page: number | null;
  box: Box | null;
  found: string | null;
  expected: string | null;
};

/** What one look at a paper says. `confidence` is from 0 to 1. */
export type Finding = {
  result: CheckResult;
  confidence: number;
  signals: Omit<Signal, 'kind' | 'documentId'>[];
};

export type Paper = { id: string; facts: IncomePaper };
export type ReadPaper = { id: string; facts: ReadablePaper; reading: Reading };

export type Check = {
  kind: IncomeCheckKind;
  result: CheckResult;
  confidence: number;
  documentId: string | null;
};

export type Context = {
  /** A calendar day such as `2026-11-21`. */
  today: string;
  /** The types that were asked for. Null if any will do. */
  wanted: readonly IncomeDocumentType[] | null;
  /** The name of the person of a linked verification. */
  linkedName: string | null;
  /** SHA-256 of files that came with other checks of the organisation, and of their words (`textSha256`). */
  known: ReadonlySet<string>;
  /** Types whose issuer signs every paper, as the configured anchors say. */
  signedTypes: readonly IncomeDocumentType[];
};

export type JudgedDocument = {
  id: string;
  type: IncomeDocumentType | null;
  pages: number | null;
  issuedOn: string | null;
  periodStart: string | null;
  periodEnd: string | null;
};

export type Result = {
  currency: 'EUR';
  employerName: string | null;
  periodStart: string | null;
  periodEnd: string | null;
  grossCents: number | null;
  netCents: number | null;
  annualGrossEstimateCents: number | null;
  payFrequency: PayFrequency | null;
};

export type Judgement = {
  checks: Check[];
  signals: Signal[];
  documents: JudgedDocument[];
  result: Result | null;
};

/** The confidence of a check that passed or failed. It does not say how likely it is that a paper is genuine. */
const clear = 0.99;
const half = 0.5;

export const notApplicable: Finding = { result: 'not_applicable', confidence: 0, signals: [] };
export const passed: Finding = { result: 'passed', confidence: clear, signals: [] };

type Sign = Finding['signals'][number];

export const sign = (name: string, where?: Partial<Omit<Sign, 'sign'>>): Sign => ({
  ...{ sign: name, page: null, box: null, found: null, expected: null },
  ...where,
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
