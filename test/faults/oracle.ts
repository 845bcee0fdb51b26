import type { Evidence, Finding } from './evidence.ts';
import { found } from './evidence.ts';
import { judgeAnswers, judgeCommands, judgeCompletions, judgeRows } from './judges/answers.ts';
import { judgeAttempts, judgeDeliveries, judgeDuplicates } from './judges/attempts.ts';
import { judgeBytes, judgeEvents, judgeFanOut, judgeOutcomes } from './judges/events.ts';
import { judgeFlows } from './judges/flows.ts';
import { judgeLedger } from './judges/ledger.ts';
import { judgeRest } from './judges/rest.ts';

export type Verdict = { findings: Finding[]; lateDuplicates: Map<number, number> };

export function judge(evidence: Evidence): Verdict {
  const { lateDuplicates, findings } = judgeDuplicates(evidence);
  return {
    lateDuplicates,
    findings: [
      ...judgeRounds(evidence),
      ...judgeAnswers(evidence),
      ...judgeRows(evidence),
      ...judgeCompletions(evidence),
      ...judgeCommands(evidence),
      ...judgeFlows(evidence),
      ...judgeOutcomes(evidence),
      ...judgeEvents(evidence),
      ...judgeBytes(evidence),
      ...judgeFanOut(evidence),
      ...judgeDeliveries(evidence),
      ...judgeAttempts(evidence),
      ...findings,
      ...judgeLedger(evidence.stored.ledger),
      ...judgeRest(evidence),
    ],
  };
}

/** Every fault must have happened, and it must not have ended any other part. */
const judgeRounds = ({ rounds }: Evidence): Finding[] =>
  rounds.flatMap(({ seed, fault, hit, casualties }) => [
    ...(hit ? [] : [found('not reached', seed, `seed ${seed}: "${fault}" did not come about`)]),
    ...casualties.map((part) =>
      found('died by itself', seed, `seed ${seed}: "${fault}" made the ${part} end`),
    ),
  ]);
