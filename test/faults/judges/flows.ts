import type { Environment } from '#contract/enums.ts';
import { type Evidence, type Finding, found, groups, keptLines } from '../evidence.ts';
import { seedOf } from '../items.ts';

const untilSent = ['verification.created', 'verification.started', 'verification.submitted'];

/**
 * In live the document is masked after the verdict. A masking that was due stays due if the database forgets the verdict, so it may come
 * before the verdict is recorded again.
 */
function expectedChains(environment: Environment, isVerdictForgotten: boolean): string[][] {
  if (environment === 'sandbox') return [[...untilSent, 'verification.completed']];
  const usual = [...untilSent, 'verification.completed', 'evidence.masked'];
  return isVerdictForgotten ? [usual, [...untilSent, 'evidence.masked', 'verification.completed']] : [usual];
}

/** True if a database was put back after the chain began and before its document was masked. */
function mayBeForgotten({ rounds }: Evidence, chain: readonly LedgerLine[]): boolean {
  const [first] = chain;
  const masked = chain.find(({ type }) => type === 'evidence.masked');
  if (first === undefined || masked === undefined) return false;
  const [began, ended] = [first.created_at.getTime(), masked.created_at.getTime()];
  return rounds.some(({ lost }) => lost !== undefined && began <= lost.to && lost.from <= ended);
}

type LedgerLine = Evidence['stored']['ledger'][number];

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
    const types = chain.map(({ type }) => type).join();
    const isWhole =
      expectedChains(environment, mayBeForgotten(evidence, chain)).some((each) => each.join() === types) &&
      ['passport_page', 'selfie'].every((kind) => JSON.stringify(submitted?.data).includes(kind));
    return isWhole ? [] : [found('ledger', seedOf(key), `${key}: the ledger has ${types}`)];
  });
}
