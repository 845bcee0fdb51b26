import { Migration } from '@mikro-orm/migrations';

/**
 * Each picture has the time of its own end. So pictures of a flow that nobody finished go with the link, and others later. The default is
 * for the version before, which deletes pictures 30 days after they were taken.
 */
export class PicturesThatExpire extends Migration {
  override up(): void {
    this.addSql(`
      alter table evidence add column expires_at timestamptz(3) not null default now() + interval '30 days'
    `);
    this.addSql(`update evidence set expires_at = taken_at + interval '30 days'`);
    this.addSql(`
      update evidence set expires_at = least(expires_at, greatest(verification.link_expires_at, now()))
      from verifications as verification
      where verification.id = evidence.verification_id and verification.submitted_at is null
        and verification.status <> 'completed'
    `);
  }
}
