/**
 * Does `act` for each row, for at most `atOnce` rows at the same time. A row that fails does not stop the others. If the signal is
 * aborted, no further row is begun. Returns the number of rows that failed.
 */
export async function forEachAtOnce<Row>(
  rows: readonly Row[],
  { atOnce, signal }: { atOnce: number; signal: AbortSignal },
  act: (row: Row) => Promise<void>,
): Promise<number> {
  let failed = 0;
  const left = rows.values();
  const inTurn = async () => {
    for (const row of left) {
      if (signal.aborted) return;
      await act(row).catch(() => {
        failed += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, inTurn));
  return failed;
}
