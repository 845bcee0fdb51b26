import { Migration } from '@mikro-orm/migrations';

/**
 * A migration that builds indexes on existing tables. Such a table may hold millions of rows, so it stays readable and writable
 * during the build. This is only possible outside a transaction. If a build fails, it leaves an invalid index; the next run drops
 * that index and builds it again.
 */
export abstract class ConcurrentIndexes extends Migration {
  /** The indexes by name. The value is the text after `on`: table, columns and condition. */
  abstract readonly indexes: Readonly<Record<string, string>>;

  /** The names of indexes that the new indexes replace. They are dropped last. */
  readonly replaced: readonly string[] = [];

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    // A build waits for older transactions, for example for a backup. Nobody waits for the build meanwhile.
    this.addSql('set lock_timeout = 0');
    for (const [name, definition] of Object.entries(this.indexes)) {
      if (await this.#isInvalid(name)) this.addSql(`drop index concurrently ${name}`);
      this.addSql(`create index concurrently if not exists ${name} on ${definition}`);
    }
    for (const name of this.replaced) this.addSql(`drop index concurrently if exists ${name}`);
    this.addSql('reset lock_timeout');
  }

  async #isInvalid(name: string): Promise<boolean> {
    const found = await this.execute(
      'select from pg_index where indexrelid = to_regclass(?) and not indisvalid',
      [name],
    );
    return found.length > 0;
  }
}
