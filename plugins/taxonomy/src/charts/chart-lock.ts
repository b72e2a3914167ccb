/**
 * The key of an advisory lock: shared by all writers of lines, exclusive for a deletion of accounts, so that no line is
 * left without its account. It is acquired before the period locks (ledger L-150) and held until the transaction ends.
 */
export function chartLockKey(graphId: string): string {
  return `pacioli.chart.${graphId}`;
}
