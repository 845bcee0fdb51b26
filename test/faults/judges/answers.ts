import { type Act, type ClientLine, isCreate } from '../client.ts';
import { type Evidence, type Finding, found, groups, isForgotten, keptLines } from '../evidence.ts';
import { seedOf } from '../items.ts';

const api = [0, 201, 503];
const page = [0, 303, 429, 503];
const expectedStatuses: Record<Act, number[]> = {
  ...{ create: api, replay: api, complete: [0, 200, 409, 503], command: [0, 200, 409, 503] },
  ...{ start: page, picture: page, 'no-movements': page, submit: page, thanked: [0, 200, 503] },
};

const idOf = (line: ClientLine): string => (JSON.parse(line.body) as { id: string }).id;

/** A verification that was acknowledged in forgotten time may be unknown afterwards. */
const forgottenCreates = (evidence: Evidence): ClientLine[] =>
  evidence.client.filter(
    ({ act, status, at, ms }) => isCreate(act) && status === 201 && isForgotten(evidence, at + ms),
  );

/** One key must always give one id and the same bytes. Only statuses that the interface promises are allowed. */
export function judgeAnswers(evidence: Evidence): Finding[] {
  const findings: Finding[] = [];
  const forgotten = new Set(forgottenCreates(evidence).map(({ key }) => key));
  for (const { act, status, body, key } of evidence.client)
    if (!expectedStatuses[act].includes(status) && !(status === 404 && forgotten.has(key)))
      findings.push(found('unexpected answer', seedOf(key), `${key}: ${act} was answered ${status} ${body}`));
  const creates = keptLines(evidence).filter(({ act }) => isCreate(act));
  for (const [key, lines] of groups(creates, ({ key }) => key)) {
    const seed = seedOf(key);
    const answers = lines.filter(({ status }) => status === 201);
    const bodies = new Set(answers.map(({ body }) => body));
    const ids = new Set(answers.map(idOf));
    if (answers.length === 0) findings.push(found('not acknowledged', seed, `${key} was never answered 201`));
    if (ids.size > 1) findings.push(found('doubled', seed, `${key} was answered with ${ids.size} ids`));
    else if (bodies.size > 1)
      findings.push(found('doubled', seed, `${key} was answered with ${bodies.size} different bodies`));
  }
  return findings;
}

/** Every acknowledged verification must be stored exactly once. */
export function judgeRows(evidence: Evidence): Finding[] {
  const { stored } = evidence;
  const findings: Finding[] = [];
  const ids = new Set(stored.verifications.map(({ id }) => id));
  for (const line of keptLines(evidence))
    if (isCreate(line.act) && line.status === 201 && !ids.has(idOf(line)))
      findings.push(
        found('lost', seedOf(line.key), `${line.key}: ${idOf(line)} was acknowledged and is not stored`),
      );
  for (const [key, rows] of groups(stored.verifications, ({ reference }) => reference))
    if (rows.length > 1)
      findings.push(found('doubled', seedOf(key), `${key} has ${rows.length} verifications`));
  for (const [key, rows] of groups(stored.requests, ({ idempotency_key }) => idempotency_key))
    if (rows.length > 1)
      findings.push(found('doubled', seedOf(key), `${key} was claimed ${rows.length} times`));
  return findings;
}

/** Every acknowledged completion must hold. A 409 is allowed only if an earlier attempt of the same caller may have succeeded. */
export function judgeCompletions({ client, stored }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const statusOf = new Map(stored.verifications.map(({ reference, status }) => [reference, status]));
  const completions = client.filter(({ act }) => act === 'complete');
  for (const [key, lines] of groups(completions, ({ key }) => key)) {
    const last = lines.at(-1);
    const acknowledged = last?.status === 200 || last?.status === 409;
    if (!acknowledged)
      findings.push(found('not acknowledged', seedOf(key), `${key}: its completion was never answered`));
    if (acknowledged && statusOf.get(key) !== 'completed')
      findings.push(
        found('lost', seedOf(key), `${key}: its completion was acknowledged, it is ${statusOf.get(key)}`),
      );
    if (lines[0]?.status === 409)
      findings.push(found('doubled', seedOf(key), `${key}: the first call to complete it was answered 409`));
  }
  return findings;
}

/** Of many commands at once, one wins at most, and its outcome is the one that is stored. */
export function judgeCommands(evidence: Evidence): Finding[] {
  const outcomeOf = new Map(evidence.stored.verifications.map((row) => [row.reference, row.outcome]));
  const commands = keptLines(evidence).filter(({ act }) => act === 'command');
  return [...groups(commands, ({ key }) => key)].flatMap(([key, lines]) => {
    const seed = seedOf(key);
    const won = lines.filter(({ status }) => status === 200);
    const stored = outcomeOf.get(key);
    if (won.length > 1) return [found('doubled', seed, `${key}: ${won.length} commands completed it`)];
    if (stored === null || stored === undefined)
      return [found('lost', seed, `${key}: many commands were to complete it, and it is open`)];
    const answered = won.map(({ body }) => (JSON.parse(body) as Completed).verdict.outcome);
    const right = won.every(({ asked }) => asked === stored) && answered.every((each) => each === stored);
    return right ? [] : [found('forged', seed, `${key}: "${won[0]?.asked}" won, and "${stored}" is stored`)];
  });
}

type Completed = { verdict: { outcome: string } };
