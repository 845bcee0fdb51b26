import { Migration } from '@mikro-orm/migrations';

/**
 * Divides the request log into a table for each day. The old table becomes the partition of all lines until its end, which is in a
 * week, so that there is time to repeat the migration. No statement stops writers for longer than a moment, because the old table is
 * checked before it is attached.
 */
export class DailyRequestLog extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const [table] = await this.execute(`select relkind from pg_class where oid = 'request_log'::regclass`);
    if (table?.relkind === 'r') this.#divide();
    this.#addFunctions();
    this.addSql('select make_request_log_days()');
  }

  #divide(): void {
    this.addSql(`
      do $check$
      begin
        alter table request_log drop constraint if exists request_log_before_end;
        execute format('alter table request_log add constraint request_log_before_end check (created_at < %L) not valid',
          (date_trunc('day', now() at time zone 'UTC') + interval '7 days') at time zone 'UTC');
      end $check$
    `);
    this.addSql('alter table request_log validate constraint request_log_before_end');
    this.addSql(`
      do $divide$
      declare
        is_empty boolean;
        before_end timestamptz;
      begin
        alter table request_log rename to request_log_before;
        alter index request_log_newest rename to request_log_before_newest;
        alter index request_log_expiring rename to request_log_before_expiring;
        alter index request_log_pkey rename to request_log_before_pkey;

        create table request_log (like request_log_before including defaults) partition by range (created_at);
        create index request_log_newest on request_log (org_id, created_at desc, id desc);
        create index request_log_expiring on request_log (created_at);
        alter sequence request_log_id_seq owned by request_log.id;

        is_empty := not exists (select from request_log_before);
        select case when is_empty then date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
          else (regexp_match(pg_get_constraintdef(oid), $re$'(.+)'$re$))[1]::timestamptz end into before_end
          from pg_constraint where conname = 'request_log_before_end';
        execute format('alter table request_log attach partition request_log_before for values from (minvalue) to (%L)',
          before_end);
        alter table request_log_before drop constraint request_log_before_end;
        create table request_log_default partition of request_log default;
        alter table request_log_default add primary key (id);
      end $divide$
    `);
  }

  /**
   * The functions run with the rights of the role that migrates. So the role of the API and the worker need not be allowed to create
   * or drop tables.
   */
  #addFunctions(): void {
    this.addSql(`
      create or replace function make_request_log_days() returns void language plpgsql security definer as $function$
      declare
        day date;
        name text;
      begin
        for day in select (now() at time zone 'UTC')::date + ahead from generate_series(0, 14) as ahead loop
          name := 'request_log_' || to_char(day, 'YYYYMMDD');
          continue when to_regclass(name) is not null;
          begin
            execute format('create table %I (like request_log_default including all)', name);
            execute format('alter table request_log attach partition %I for values from (%L) to (%L)', name,
              day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
          exception
            -- Another partition covers the day, or the default partition has lines of the day.
            when invalid_object_definition or check_violation then null;
          end;
        end loop;
      end $function$
    `);
    this.addSql(`
      create or replace function drop_request_log_days(before timestamptz) returns void language plpgsql security definer as $function$
      declare
        part regclass;
      begin
        for part in
          select child.oid from pg_inherits join pg_class as child on child.oid = inhrelid
          where inhparent = 'request_log'::regclass
            and (regexp_match(pg_get_expr(relpartbound, child.oid), 'TO .''(.+)''.$'))[1]::timestamptz <= before
        loop
          execute format('drop table %s', part);
        end loop;
      end $function$
    `);
    for (const name of ['make_request_log_days()', 'drop_request_log_days(timestamptz)']) {
      this.addSql(`
        do $set$
        begin
          execute format('alter function ${name} set search_path = %I, pg_temp', current_schema());
        end $set$
      `);
      // Whoever wants to write the request log waits behind the lock that these functions wait for.
      this.addSql(`alter function ${name} set lock_timeout = '500ms'`);
      this.addSql(`revoke execute on function ${name} from public`);
    }
  }
}
