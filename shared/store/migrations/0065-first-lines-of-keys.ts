import { Migration } from '@mikro-orm/migrations';

/**
 * Keys of versions that wrote no line about a key get their first one, with what their row says now. So each key has a chain, and a key
 * without one was planted. The text that is hashed is canonical JSON, as for every line.
 */
export class FirstLinesOfKeys extends Migration {
  override up(): void {
    this.addSql(`
      with first as (
        select id, org_id, decode(repeat('00', 32), 'hex') as nothing, date_trunc('milliseconds', now()) as at,
          case when revoked_at is not null then 'key.revoked' when replaced_by is not null then 'key.replaced'
            else 'key.created' end as type
        from api_keys where not exists (select from ledger where subject_id = api_keys.id)
      )
      insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, created_at)
      select id, 1, org_id, type, '{"actor": {"kind": "machine"}}', nothing, sha256(convert_to(
        '{"at":"' || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","data":{"actor":{"kind":"machine"}},"previous_hash":"' || encode(nothing, 'hex')
        || '","sequence":1,"subject_id":"' || id || '","type":"' || type || '"}', 'UTF8')), at
      from first
    `);
  }
}
