import { randomUUID } from 'node:crypto';
import type { DeliveryStatus, Environment } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import type { Context } from '#services/context.ts';
import { beginning, ledgerBinding, lineHash } from '#services/ledger/append.ts';
import { verdictForLedger } from '#services/ledger/verdict.ts';
import type { Harness } from '../harness.ts';
import type { Partner } from '../people/partner.ts';
import { rowsIn } from './rows.ts';

type Fill = {
  orgId: string;
  environment: Environment;
  /** The number of the rows. */
  count: number;
  /** The ids of the rows, for example of the subjects that `fillLedger` returned. */
  ids?: readonly string[];
  /** The number of rows with the same created_at. Equal times show a wrong order if rows are ordered by time alone. */
  perMoment?: number;
};

const verdict: Decision = {
  outcome: 'approved',
  assuranceLevel: 'substantial',
  reasonIds: ['all_checks_passed'],
  checks: [],
  reviewed: false,
};

/** Inserts many completed verifications, at the time of their chain if there is one. Each group of `perMoment` rows is a millisecond older than the group before. */
export async function fillVerifications(
  { store, secrets }: Pick<Context, 'store' | 'secrets'>,
  { orgId, environment, count, ids = Array.from({ length: count }, () => randomUUID()), perMoment = 1 }: Fill,
): Promise<void> {
  await rowsIn(store)`
    insert into verifications
      (id, org_id, environment, status, method, scenario, dossier_ref, link_key_id, link_expires_at, verdict,
       created_at, completed_at)
    select id, ${orgId}, ${environment}, 'completed', 'document_liveness', 'approved',
      'dos_' || gen_random_uuid(), ${secrets.newestKeyId}, now() + interval '7 days', ${JSON.stringify(verdict)}::jsonb,
      now() - (n / ${perMoment}::int) * interval '1 ms',
      coalesce((select max(created_at) from ledger where subject_id = made.id), now())
    from unnest(${ids}::uuid[]) with ordinality as made (id, n)`;
}

type FillDeliveries = {
  status: DeliveryStatus;
  count: number;
  perMoment?: number;
  attempts?: number;
};

/** Inserts many deliveries to this partner. Each delivery has its own event. */
export async function fillDeliveries(
  { rows }: Pick<Harness, 'rows'>,
  { organisationId: orgId, endpoint }: Pick<Partner, 'organisationId' | 'endpoint'>,
  { status, count, perMoment = 1, attempts = 1 }: FillDeliveries,
): Promise<void> {
  await rows`
    with made as (
      insert into events (id, org_id, environment, type, body, created_at)
      select 'evt_' || gen_random_uuid(), ${orgId}, 'sandbox', 'verification.completed', '\\x7b7d',
        now() - (n / ${perMoment}::int) * interval '1 ms'
      from generate_series(1, ${count}::int) as n returning id, created_at
    ), delivered as (
      insert into deliveries (id, org_id, environment, event_id, endpoint_id, status, attempts_allowed, created_at)
      select gen_random_uuid(), ${orgId}, 'sandbox', id, ${endpoint.id}, ${status}, 6, created_at from made
      returning id, created_at
    )
    insert into delivery_attempts (delivery_id, number, started_at, duration_ms, outcome, reason, response_status)
    select id, n, created_at + n * interval '1 ms', 5,
      case when ${status} = 'delivered' and n = ${attempts}::int then 'delivered' else 'failed' end,
      case when ${status} = 'delivered' and n = ${attempts}::int then null else 'http_status' end,
      case when ${status} = 'delivered' and n = ${attempts}::int then 200 else 500 end
    from delivered, generate_series(1, ${attempts}::int) as n`;
}

type FillLedger = { orgId: string; subjects: number; linesEach: number };

const linesAtOnce = 10_000;

/** Inserts the chains of new subjects, and returns the ids of the subjects in ascending order. Each line has a sealed personal value. */
export async function fillLedger(
  { store, secrets }: Pick<Context, 'store' | 'secrets'>,
  { orgId, subjects, linesEach }: FillLedger,
): Promise<string[]> {
  const ids = Array.from({ length: subjects }, newUuid).sort();
  let lines: object[] = [];
  const at = new Date();
  const write = async () => {
    await rowsIn(store)`
      with line as (
        select * from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line(
          subject_id uuid, sequence int, type text, data jsonb, previous_hash text, hash text, personal text, at timestamptz(3))
      ), sealed as (
        insert into ledger_personal (subject_id, sequence, org_id, value)
        select subject_id, sequence, ${orgId}, decode(personal, 'hex') from line
      )
      insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, created_at)
      select subject_id, sequence, ${orgId}, type, data, decode(previous_hash, 'hex'), decode(hash, 'hex'), at from line`;
    lines = [];
  };
  for (const subjectId of ids) {
    let previous = beginning;
    for (let sequence = 1; sequence <= linesEach; sequence += 1) {
      const entry = {
        subjectId,
        type: 'verification.created',
        data: { method: 'document_only', status: 'completed', verdict: verdictForLedger(verdict) },
        at,
      };
      const line = { sequence, hash: lineHash(previous, entry) };
      const personal = secrets.seal(
        'ledger-personal',
        ledgerBinding(subjectId, sequence),
        '{"reference":"of a person"}',
      );
      lines.push({
        ...{ subject_id: subjectId, sequence, type: entry.type, data: entry.data, at: entry.at },
        ...{ hash: line.hash.toString('hex'), previous_hash: previous.hash.toString('hex') },
        personal: personal.toString('hex'),
      });
      previous = line;
    }
    if (lines.length >= linesAtOnce) await write();
  }
  if (lines.length > 0) await write();
  return ids;
}
