import { Migration } from '@mikro-orm/migrations';

/**
 * The settings of an organisation (decision 44), and the sealed personal values of a command, such as the address that a consent came
 * from.
 */
export class OrganisationSettings extends Migration {
  override up(): void {
    this.addSql(`
      alter table organisations
        add column decisions text not null default 'people',
        add column purpose text null,
        add column contact text null,
        add column privacy_url text null,
        add column offers_other_way boolean not null default false,
        add column evidence_days smallint not null default 30,
        add column cover_portrait boolean not null default true
    `);
    this.addSql(`
      alter table organisations add constraint organisations_decisions
        check (decisions = 'people' or decisions = 'machine_may_reject' or decisions = 'machine_may_decide') not valid
    `);
    this.addSql(`
      alter table organisations add constraint organisations_evidence_days
        check (evidence_days >= 1 and evidence_days <= 365) not valid
    `);
    for (const name of ['organisations_decisions', 'organisations_evidence_days'])
      this.addSql(`alter table organisations validate constraint ${name}`);
    this.addSql('alter table commands add column personal bytea null');
  }
}
