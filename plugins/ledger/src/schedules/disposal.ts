import type { Line } from '../journal/index.ts';

/** An asset that leaves the books; amounts in minor units. */
export interface Disposal {
  readonly assetElementId: string;
  /** The account that the schedule credits: the accumulated depreciation, or the asset itself. */
  readonly creditElementId: string;
  readonly cost: bigint;
  /** The depreciation that the schedule has recorded by then. */
  readonly accumulated: bigint;
  readonly proceeds: bigint;
  readonly proceedsElementId: string | null;
  readonly gainLossElementId: string | null;
}

export interface DisposalResult {
  readonly netBookValue: bigint;
  /** Negative for a loss. */
  readonly gain: bigint;
  readonly lines: readonly Line[];
}

/** Returns the problem of a disposal as a sentence; undefined when its lines can be made (ledger L-188). */
export function problemOfDisposal(disposal: Disposal): string | undefined {
  const { netBookValue, gain, lines } = dispose(disposal);
  if (disposal.accumulated < 0n)
    return `The entries of the schedule have increased the asset by ${-disposal.accumulated} instead of depreciating it; correct them first.`;
  if (netBookValue < 0n)
    return `The accumulated depreciation (${disposal.accumulated}) exceeds the cost of the asset (${disposal.cost}).`;
  if (disposal.proceeds > 0n && disposal.proceedsElementId === null)
    return 'metadata.proceeds_element_id: the account that receives the proceeds is required.';
  if (gain !== 0n && disposal.gainLossElementId === null)
    return `metadata.gain_loss_element_id: an account is required for the ${gain > 0n ? 'gain' : 'loss'} of ${gain > 0n ? gain : -gain}.`;
  return lines.length < 2
    ? 'There is nothing to dispose of: the asset has no cost and there are no proceeds.'
    : undefined;
}

/** Removes cost and accumulated depreciation from the books, against proceeds and gain or loss (ledger L-188). */
export function dispose(disposal: Disposal): DisposalResult {
  const { cost, accumulated, proceeds } = disposal;
  const netBookValue = cost - accumulated;
  const gain = proceeds - netBookValue;
  // A schedule that credits the asset itself has already reduced its cost.
  const isSelfCarried = disposal.assetElementId === disposal.creditElementId;
  const legs: readonly (readonly [id: string | null, debit: bigint, credit: bigint])[] = [
    [disposal.creditElementId, isSelfCarried ? 0n : accumulated, 0n],
    [disposal.assetElementId, 0n, isSelfCarried ? netBookValue : cost],
    [disposal.proceedsElementId, proceeds, 0n],
    [disposal.gainLossElementId, gain < 0n ? -gain : 0n, gain > 0n ? gain : 0n],
  ];
  const lines = legs.flatMap(([elementId, debit, credit]) =>
    debit === 0n && credit === 0n
      ? []
      : [{ elementId: elementId ?? '', debit, credit, description: null, metadata: null }],
  );
  return { netBookValue, gain, lines };
}
