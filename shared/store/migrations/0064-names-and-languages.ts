import { Migration } from '@mikro-orm/migrations';

/** The name of an organisation is the handle of the commands and has to be unique. This one is for its end users. */
export class NamesAndLanguages extends Migration {
  override up(): void {
    this.addSql(`
      alter table organisations
        add column display_name text null,
        add column languages text not null default 'nl,en'
    `);
    this.addSql(`
      alter table organisations add constraint organisations_languages
        check (languages ~ '^(nl|en|nl[[:punct:]]en)$') not valid
    `);
    this.addSql('alter table organisations validate constraint organisations_languages');
  }
}
