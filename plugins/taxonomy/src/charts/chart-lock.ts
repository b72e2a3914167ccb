/**
 * The key of the advisory lock that everybody shares who writes lines, and that a deletion of accounts takes alone: no
 * line is left without its account. It comes before the locks of months (ledger L-150), and until the transaction ends.
 */
export function chartLockKey(graphId: string): string {
  return `pacioli.chart.${graphId}`;
}
