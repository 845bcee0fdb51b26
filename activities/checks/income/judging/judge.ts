import type { IncomeCheckKind } from '#contract/enums.ts';
import type { JudgedBy, Judgement } from '#contract/income/papers.ts';
import { contentComplete, otherEmployer } from './content.ts';
import { fileIntegrity, unreadable } from './file.ts';
import {
  doubt,
  type Finding,
  notApplicable,
  type Paper,
  passed,
  type ReadPaper,
  sign,
  together,
} from './finding.ts';
import { addedAfterSigning, digitalSignature, revisionHistory } from './history.ts';
import { legalMinimum } from './legal.ts';
import { periodFinding } from './period.ts';
import { bankAccount, citizenServiceNumber, nameMatch } from './person.ts';
import { documentOf, resultOf } from './result.ts';
import { statementArithmetic } from './statements.ts';
import { followingSlips, type Settled, settledOf, slipArithmetic, unsettled } from './sums.ts';
import { readingOf } from './values/reading.ts';

/** Judges all papers of a case together. The same papers on the same day always give the same judgement. */
export function judge(papers: readonly Paper[], context: JudgedBy): Judgement {
  const read = papers.flatMap(({ id, facts }): ReadPaper[] =>
    facts.readable ? [{ id, facts, reading: readingOf(facts) }] : [],
  );
  const settled = new Map(read.map(({ id, reading }) => [id, settledOf(reading)]));
  const findings = papers.flatMap((paper, index) => {
    const one = read.find(({ id }) => id === paper.id);
    const kinds = one === undefined ? unreadableKinds(paper) : kindsOf(one, read, settled, context);
    return Object.entries({ ...kinds, duplicate: duplicateOf(paper, papers.slice(0, index), context) }).map(
      ([kind, finding]) => ({ id: paper.id, kind: kind as IncomeCheckKind, finding }),
    );
  });
  return {
    checks: findings.map(({ id, kind, finding: { result, confidence } }) => ({
      kind,
      result,
      confidence,
      documentId: id,
    })),
    signals: findings.flatMap(({ id, kind, finding }) =>
      finding.signals.map((each) => ({ kind, documentId: id, ...each })),
    ),
    documents: papers.map((paper) =>
      documentOf(
        paper,
        read.find(({ id }) => id === paper.id),
      ),
    ),
    result: resultOf(read, settled),
  };
}

type Kinds = Record<Exclude<IncomeCheckKind, 'duplicate'>, Finding>;

/** Nothing else can be said of a paper that was not read. */
const unreadableKinds = ({ facts }: Paper): Pick<Kinds, 'file_integrity'> => ({
  file_integrity: facts.readable ? notApplicable : unreadable(facts.reason),
});

function kindsOf(
  paper: ReadPaper,
  read: readonly ReadPaper[],
  settled: ReadonlyMap<string, Settled>,
  { today, wanted, linkedName, signedTypes }: JudgedBy,
): Kinds {
  const { facts, reading } = paper;
  const own = settled.get(paper.id) ?? unsettled;
  const isSlip = reading.type === 'payslip';
  const slips = read.filter((each) => each.reading.type === 'payslip');
  const before = read.slice(0, read.indexOf(paper));
  const following = followingSlips(
    slips.map((each) => ({ paper: each, settled: settled.get(each.id) ?? unsettled })),
  ).flatMap(({ id, finding }) => (id === paper.id ? [finding] : []));
  const isSignedType = reading.type !== null && signedTypes.includes(reading.type);
  return {
    file_integrity: fileIntegrity(facts, reading.type === 'employer_statement'),
    revision_history: together([revisionHistory(facts), addedAfterSigning(facts)]),
    digital_signature: digitalSignature(facts, isSignedType),
    content_complete: together([
      contentComplete(reading, own, wanted),
      isSlip ? notApplicable : otherEmployer(paper, slips),
    ]),
    arithmetic: isSlip
      ? together([slipArithmetic(reading, own), ...following])
      : statementArithmetic(paper, slips, settled),
    period: periodFinding(paper, today),
    legal_minimum: isSlip ? legalMinimum(reading, own) : notApplicable,
    bank_account: bankAccount(paper),
    name_match: nameMatch(paper, linkedName, before),
    citizen_service_number: citizenServiceNumber(paper, before),
  };
}

/** A person can send a file twice by mistake, or again with a later application. So a duplicate is never a failure. */
function duplicateOf({ facts }: Paper, before: readonly Paper[], { known }: JudgedBy): Finding {
  if (before.some((other) => other.facts.sha256 === facts.sha256)) return doubt(sign('same_file_twice'));
  if (known.includes(facts.sha256)) return doubt(sign('file_seen_before'));
  const text = textOf(facts);
  if (text === null) return passed;
  if (before.some((other) => textOf(other.facts) === text)) return doubt(sign('same_text_twice'));
  return known.includes(text) ? doubt(sign('text_seen_before')) : passed;
}

/** The same paper, saved again, has other bytes and the same words. */
const textOf = (facts: Paper['facts']) => (facts.readable ? facts.textSha256 : null);
