import type { Environment } from '#contract/enums.ts';
import { type Evidence, type Finding, found, groups, keptLines } from '../evidence.ts';
import { seedOf } from '../items.ts';

/** In live the document is masked before the verdict. */
const stepsIn = (environment: Environment) => [
  ...['verification.created', 'verification.started', 'verification.submitted'],
  ...(environment === 'live' ? ['evidence.masked'] : []),
  'verification.completed',
];

/** Whoever was thanked at the end of the flow has a verdict, and the ledger knows every step and what was handed in. */
export function judgeFlows(evidence: Evidence): Finding[] {
  const { items, stored } = evidence;
  const rowOf = new Map(stored.verifications.map((row) => [row.reference, row]));
  const chains = groups(stored.ledger, ({ subject_id }) => subject_id);
  const thanked = new Set(
    keptLines(evidence)
      .filter(({ act, status }) => act === 'thanked' && status === 200)
      .map(({ key }) => key),
  );
  const walked = items.filter(({ ending }) => ending === 'by a person');
  return walked.flatMap(({ key, environment }) => {
    const row = rowOf.get(key);
    if (row?.submitted && row.status !== 'completed')
      return [found('stuck', seedOf(key), `${key}: everything was sent, and there is no verdict`)];
    if (!thanked.has(key))
      return [found('not acknowledged', seedOf(key), `${key}: its person never came to the end`)];
    if (row?.status !== 'completed')
      return [found('lost', seedOf(key), `${key}: its person was thanked, and it is ${row?.status}`)];
    const chain = (chains.get(row.id) ?? []).toSorted((a, b) => a.sequence - b.sequence);
    const submitted = chain.find(({ type }) => type === 'verification.submitted');
    const isWhole =
      chain.map(({ type }) => type).join() === stepsIn(environment).join() &&
      ['passport_page', 'selfie'].every((kind) => JSON.stringify(submitted?.data).includes(kind));
    return isWhole
      ? []
      : [found('ledger', seedOf(key), `${key}: the ledger has ${chain.map(({ type }) => type)}`)];
  });
}
