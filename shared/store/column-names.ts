import {
  CamelCasePlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';

/**
 * Typed queries name columns as the entities do (`createdAt`). A query that is written as SQL keeps the names in it. MikroORM's
 * own plugin does the same at a higher cost: docs/choices/fast-path.md.
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

  /** Values are left as they are: Kysely would also rename the keys of objects in them. */
  protected override mapRow(row: UnknownRow): UnknownRow {
    const renamed: UnknownRow = {};
    for (const column in row) renamed[this.camelCase(column)] = row[column];
    return renamed;
  }
}
