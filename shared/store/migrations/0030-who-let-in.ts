import { Migration } from '@mikro-orm/migrations';

/** Who made the link with which a member came in. Of two such members one could be the other. */
export class WhoLetIn extends Migration {
  override up(): void {
    this.addSql('alter table member_links add column made_by uuid null');
    this.addSql('alter table members add column let_in_by uuid null');
  }
}
