import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Finding, found, groups, type Stored } from '../evidence.ts';

/** The chain of hashes is computed again with only RFC 8785 and SHA-256. */
export function judgeLedger(lines: Stored['ledger']): Finding[] {
  const findings: Finding[] = [];
  for (const [subject, chain] of groups(lines, ({ subject_id }) => subject_id)) {
    let previous = Buffer.alloc(32);
    chain
      .toSorted((a, b) => a.sequence - b.sequence)
      .forEach((line, index) => {
        const text = canonicalize({
          subject_id: subject,
          sequence: index + 1,
          previous_hash: previous.toString('hex'),
          type: line.type,
          at: line.created_at.toISOString(),
          data: line.data,
        });
        const hash = createHash('sha256').update(String(text)).digest();
        if (line.sequence !== index + 1 || !line.previous_hash.equals(previous) || !line.hash.equals(hash))
          findings.push(found('ledger', undefined, `${subject}: line ${line.sequence} breaks the chain`));
        previous = line.hash as typeof previous;
      });
    const types = chain.map(({ type }) => type);
    if (new Set(types).size !== types.length)
      findings.push(found('ledger', undefined, `${subject}: the same step stands there twice (${types})`));
  }
  return findings;
}
