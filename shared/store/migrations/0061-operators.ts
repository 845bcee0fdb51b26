import { Migration } from '@mikro-orm/migrations';

/** The row of the operators in `organisations` (`contract/members.ts`). */
const operators = "'00000000-0000-4000-8000-000000000000'";

/**
 * Operators sign in to the console. They are the members of one row that is no organisation. So whatever the product does wrong, an owner
 * makes no operator, and no key and nobody of another role belongs to that row.
 */
export class Operators extends Migration {
  override up(): void {
    this.addSql(`
      alter table members add constraint members_operators
        check ((role = 'operator') = (org_id = ${operators})) not valid
    `);
    this.addSql(`
      alter table organisations add constraint organisations_operators
        check ((name = '') = (id = ${operators})) not valid
    `);
    this.addSql(`
      alter table api_keys add constraint api_keys_operators check (org_id <> ${operators}) not valid
    `);
    for (const table of ['members', 'organisations', 'api_keys'])
      this.addSql(`alter table ${table} validate constraint ${table}_operators`);
  }
}
