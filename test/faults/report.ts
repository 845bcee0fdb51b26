import type { Act } from './client.ts';
import { isCreate } from './client.ts';
import { type Finding, isForgotten, type Kind } from './evidence.ts';
import { type Item, seedOf } from './items.ts';
import type { Outcome } from './rounds.ts';

/** Writes the result of a run as Markdown: a line per kind of fault, what was under way, a line per round, and all findings. */
export function reportOf(outcome: Outcome): string {
  const { evidence, findings, seconds } = outcome;
  const { rounds, client, stored, received } = evidence;
  const names = [...new Set(rounds.map(({ fault }) => fault))];
  const rows = names.map((name) => rowOf(outcome, name));
  const totals = (rows[0] ?? []).map((_, column) => sum(rows.map((row) => row[column] ?? 0)));
  const unanswered = client.filter(({ status }) => status === 0).length;
  const unknown = client.filter(({ status }) => status === 503).length;
  const slowest = Math.max(0, ...client.map(({ ms }) => ms));
  const by = (status: string) => stored.deliveries.filter((delivery) => delivery.status === status).length;
  const unsure = stored.attempts.filter(({ outcome }) => outcome === 'outcome_unknown').length;
  return `# Faults

${rounds.length} rounds in ${seconds} s, with the seeds ${seedsIn(rounds.map(({ seed }) => seed))}. This page is written by
\`FAULT_ROUNDS=${rounds.length} npm run test:faults -- --report docs/faults.md\`. One round is repeated alone by \`npm run test:faults -- --seed SEED\`.

Every column from Lost to Stuck must be 0. If an answer 2xx is lost together with a part or a connection, the receiver gets its event
again: these are the repeated events, at most one for each attempt that was in flight. Where a database was put back, Forgotten counts
the acknowledged requests of the lost seconds, which may be missing afterwards.

| Fault | Rounds | Struck | Requests | Acknowledged | Lost | Doubled | Forged | Wrong attempts | Stuck | Repeated events | Forgotten |
|---|---|---|---|---|---|---|---|---|---|---|---|
${names.map((name, index) => `| ${name} | ${rows[index]?.join(' | ')} |`).join('\n')}
| **All** | ${totals.join(' | ')} |

Client: ${client.length} requests; ${unanswered} got no answer, ${unknown} got 503; the slowest took ${slowest} ms.
Verifications: ${stored.verifications.length}; events: ${stored.events.length}; requests at the receiver: ${received.length}.
Deliveries: ${stored.deliveries.length}; delivered ${by('delivered')}, failed after six attempts ${by('failed')}, open ${by('pending') + by('retrying')}.
Attempts: ${stored.attempts.length}, of which ${unsure} of unknown outcome; deliveries with more than six: ${overSix(stored)}.
Ledger: ${stored.ledger.length} lines, ${findings.some(({ kind }) => kind === 'ledger') ? 'BROKEN' : 'every chain computed again and intact'}.

## What was under way

| Completed | Verifications | Answers |
|---|---|---|
${underWay(outcome)}

## Rounds

| Seed | Fault | Decided by the seed |
|---|---|---|
${rounds.map(({ seed, fault, detail }) => `| ${seed} | ${fault} | ${detail} |`).join('\n')}

## Verdict

${verdictOf(findings)}
`;
}

function rowOf({ evidence, findings, lateDuplicates }: Outcome, name: string): number[] {
  const { rounds, client } = evidence;
  const own = rounds.filter(({ fault }) => fault === name);
  const seeds = new Set(own.map(({ seed }) => seed));
  const lines = client.filter(({ key, act }) => seeds.has(seedOf(key) ?? 0) && act !== 'replay');
  const acknowledged = lines.filter(({ status }) => status > 0 && status < 400);
  const count = (...kinds: Kind[]) =>
    findings.filter(({ kind, seed }) => kinds.includes(kind) && seeds.has(seed ?? 0)).length;
  const forgotten = acknowledged.filter(({ at, ms }) => isForgotten({ rounds: own }, at + ms));
  return [
    own.length,
    own.filter(({ hit }) => hit).length,
    lines.length,
    acknowledged.length,
    count('lost', 'not acknowledged', 'event'),
    count('doubled', 'late duplicate'),
    count('forged', 'bytes', 'clock'),
    count('attempts'),
    count('stuck'),
    sum([...seeds].map((seed) => lateDuplicates.get(seed) ?? 0)),
    forgotten.length,
  ];
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

function seedsIn(seeds: number[]): string {
  const [first = 0] = seeds;
  const inRow = seeds.every((seed, index) => seed === first + index);
  return inRow && seeds.length > 1 ? `${first} to ${seeds.at(-1)}` : seeds.join(', ');
}

function underWay({ evidence: { items, client } }: Outcome): string {
  const kinds = Map.groupBy(items, ({ ending, environment }) => `${ending}, ${environment}`);
  return [...kinds]
    .map(([kind, own]) => `| ${kind} | ${own.length} | ${answersTo(own, client)} |`)
    .join('\n');
}

/** For each act the number of each status, such as `submit 303: 4`. */
function answersTo(items: Item[], client: Outcome['evidence']['client']): string {
  const keys = new Set(items.map(({ key }) => key));
  const lines = client.filter(({ key, act }) => keys.has(key) && !isCreate(act));
  const name = ({ act, status }: { act: Act; status: number }) => `${act} ${status || 'without answer'}`;
  const counts = [...Map.groupBy(lines, name)].map(([what, { length }]) => `${what}: ${length}`);
  return counts.toSorted().join('; ');
}

function overSix({ attempts }: Outcome['evidence']['stored']): number {
  const counts = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return [...counts.values()].filter((rows) => rows.length > 6).length;
}

export function verdictOf(findings: Finding[]): string {
  if (findings.length === 0) return 'Nothing lost, nothing doubled, nothing forged, nothing stuck.';
  return findings.map(({ kind, line }) => `- FAILED (${kind}): ${line}`).join('\n');
}
