import {
  CamelCasePlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';

/**
 * Typed queries use the property names of the entities (`createdAt`). If a query is written as SQL, its rows keep the names in
 * that SQL. MikroORM's own plugin does the same but costs more processor time: docs/choices/fast-path.md.
 */
export class ColumnNames extends CamelCasePlugin {
  readonly #writtenAsSql = new WeakSet<object>();

  override transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    if (args.node.kind === 'RawNode') this.#writtenAsSql.add(args.queryId);
    return super.transformQuery(args);
  }

  override async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return this.#writtenAsSql.has(args.queryId) ? args.result : super.transformResult(args);
  }

  /** Renames only columns. Kysely's own method would also rename the keys of JSON objects in the values. */
  protected override mapRow(row: UnknownRow): UnknownRow {
    const renamed: UnknownRow = {};
    for (const column in row) renamed[this.camelCase(column)] = row[column];
    return renamed;
  }
}
