import { Migration } from '@mikro-orm/migrations';

/** Columns that are never null are there for the lock alone, so every update of them is refused. */
const emptied = [
  { table: 'events', columns: ['body'] },
  { table: 'webhook_endpoints', columns: ['previous_secret', 'previous_secret_until'] },
  { table: 'delivery_attempts', columns: ['answer'] },
  { table: 'requests', columns: ['idempotency_key', 'input', 'answer_status', 'answer'] },
  { table: 'verifications', columns: ['pictures_taken'] },
  { table: 'evidence', columns: ['advised'] },
  { table: 'commands', columns: ['created_at'] },
];

/**
 * Lets the role of housekeeping only empty the columns that it may update, or lock their rows. A right to update cannot say so, and
 * whoever could fill the body of an event would send a verdict of their own. The product, the owner and a superuser are not concerned:
 * only who has the rights of housekeeping and not those of the product.
 */
export class HousekeepingEmpties extends Migration {
  override up(): void {
    this.addSql(`
      create function is_housekeeping() returns boolean language sql stable as $function$
        select coalesce(
          pg_has_role(to_regrole('verification_housekeeping')::oid, 'usage')
            and not pg_has_role(to_regrole('verification_app')::oid, 'usage'), false)
      $function$;

      create function only_empty() returns trigger language plpgsql as $function$
      begin
        raise insufficient_privilege using message = 'housekeeping empties this column, and never fills it';
      end $function$;

      create trigger requests_only_released before update of status, fingerprint on requests for each row
      when ((new.status not in (old.status, 'abandoned') or new.fingerprint <> '') and is_housekeeping())
      execute function only_empty();
    `);
    for (const { table, columns } of emptied)
      this.addSql(`
        create trigger ${table}_only_emptied before update of ${columns.join(', ')} on ${table} for each row
        when ((${columns.map((column) => `new.${column} is not null`).join(' or ')}) and is_housekeeping())
        execute function only_empty()`);
  }
}
