import { Migration } from '@mikro-orm/migrations';

/** A line of the ledger names the key that asked for what it records, also if a workflow writes the line later. */
export class Actors extends Migration {
  override up(): void {
    for (const table of ['requests', 'commands'])
      this.addSql(`alter table ${table} add column key_id uuid null`);
  }
}
