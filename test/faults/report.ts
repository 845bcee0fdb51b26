import type { Finding, Kind } from './oracle.ts';
import type { Outcome } from './rounds.ts';

/** Writes the result of a run as Markdown: one line per fault, then all findings. */
export function reportOf({ evidence, findings, lateDuplicates, seconds }: Outcome): string {
  const { rounds, client, stored, received } = evidence;
  const names = [...new Set(rounds.map(({ fault }) => fault))];
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  const rows = names.map((name) => {
    const own = rounds.filter(({ fault }) => fault === name);
    const numbers = new Set(own.map(({ number }) => number));
    const lines = client.filter(({ round, act }) => numbers.has(round) && act !== 'replay');
    const acknowledged = new Set(
      lines.filter(({ act, status }) => act === 'create' && status === 201).map(({ key }) => key),
    );
    const count = (kind: Kind) =>
      findings.filter((finding) => finding.kind === kind && numbers.has(finding.round ?? 0)).length;
    return [
      own.length,
      own.filter(({ hit }) => hit).length,
      lines.length,
      acknowledged.size,
      count('lost'),
      count('doubled'),
      sum([...numbers].map((number) => lateDuplicates.get(number) ?? 0)),
      count('attempts'),
      count('stuck'),
    ];
  });
  const totals = (rows[0] ?? []).map((_, column) => sum(rows.map((row) => row[column] ?? 0)));
  const unanswered = client.filter(({ status }) => status === 0).length;
  const unknown = client.filter(({ status }) => status === 503).length;
  const slowest = Math.max(0, ...client.map(({ ms }) => ms));
  const by = (status: string) => stored.deliveries.filter((delivery) => delivery.status === status).length;
  return `# Faults

${rounds.length} rounds in ${seconds} s. All columns after the fourth must be 0, except late duplicates. When an
answer 2xx is lost together with the worker, Temporal or Postgres, the receiver gets its event again.

| Fault | Rounds | Struck | Requests | Acknowledged | Lost | Doubled | Late duplicates | Wrong attempts | Stuck |
|---|---|---|---|---|---|---|---|---|---|
${names.map((name, index) => `| ${name} | ${rows[index]?.join(' | ')} |`).join('\n')}
| **All** | ${totals.join(' | ')} |

Client: ${client.length} requests; ${unanswered} got no answer, ${unknown} got 503; the slowest took ${slowest} ms.
Verifications: ${stored.verifications.length}; events: ${stored.events.length}; requests at the receiver: ${received.length}.
Deliveries: ${stored.deliveries.length}; delivered ${by('delivered')}, failed after six attempts ${by('failed')}, open ${by('pending') + by('retrying')}.
Attempts: ${stored.attempts.length}, of which ${stored.attempts.filter(({ outcome }) => outcome === 'outcome_unknown').length} of unknown outcome; deliveries with more than six: ${overSix(stored)}.
Ledger: ${stored.ledger.length} lines, ${findings.some(({ kind }) => kind === 'ledger') ? 'BROKEN' : 'every chain computed again and intact'}.

## Verdict

${verdictOf(findings)}
`;
}

function overSix({ attempts }: Outcome['evidence']['stored']): number {
  const counts = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return [...counts.values()].filter((rows) => rows.length > 6).length;
}

export function verdictOf(findings: Finding[]): string {
  if (findings.length === 0) return 'Nothing lost, nothing doubled, nothing stuck.';
  return findings.map(({ kind, line }) => `- FAILED (${kind}): ${line}`).join('\n');
}
