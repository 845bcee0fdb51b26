import { Migration } from '@mikro-orm/migrations';

/** How the browser says that it got a picture. The version before says nothing. */
export class SourcesOfPictures extends Migration {
  override up(): void {
    this.addSql('alter table evidence add column source text null');
  }
}
