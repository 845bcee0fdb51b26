import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/** Creates everything. No version was released before, so databases of older versions are refused (`migrate`). */
export class Schema extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0001-schema.sql', import.meta.url), 'utf8'));
  }
}
