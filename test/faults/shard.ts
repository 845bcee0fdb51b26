/**
 * The rows of one shard of several: `2/3` is the second row, the fifth and so on. All shards together are all rows, and what takes long is
 * spread over them. Throws if the text names no shard.
 */
export function shardOf<Row>(rows: readonly Row[], text: string): Row[] {
  const [shard = 0, of = 0] = text.split('/').map(Number);
  if (!(Number.isInteger(shard) && shard >= 1 && shard <= of))
    throw new Error(`${text} is no shard, as 2/3 is`);
  return rows.filter((_, place) => place % of === shard - 1);
}
