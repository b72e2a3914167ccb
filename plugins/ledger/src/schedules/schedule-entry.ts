import type { Line } from '../journal/index.ts';
import type { LedgerEntry, LedgerLineItem } from '../rows.gen.ts';
import { boundsOf, plusMonths } from '../values/index.ts';
import type { EntryTemplate } from './schedule-plan.ts';

/** The outcome of drafting one month (ledger L-183). */
export type DraftOutcome = 'created' | 'unchanged' | 'regenerated' | 'removed' | 'skipped';

/** The entry that a schedule requires for one month. */
export interface WantedEntry {
  readonly postingDate: string;
  readonly memo: string;
  readonly type: EntryTemplate['entry_type'];
  readonly lines: readonly Line[];
  /** The draft that reverses it on the first day of the next month (ledger L-184); null without auto_reverse. */
  readonly reversal: { readonly postingDate: string; readonly memo: string; readonly lines: readonly Line[] } | null;
}

/** The fields of a draft that are compared with the wanted entry. */
export interface ExistingDraft extends Pick<LedgerEntry, 'memo'> {
  readonly has_reversal: boolean;
  readonly lines: readonly (Pick<LedgerLineItem, 'element_id'> & { readonly debit: string; readonly credit: string })[];
}

/** The entry of a month with this amount in minor units, which is above 0. */
export function wantedEntry(
  schedule: { readonly name: string; readonly template: EntryTemplate },
  period: string,
  amount: bigint,
): WantedEntry {
  const { template } = schedule;
  const memo =
    template.memo_template === ''
      ? `Monthly schedule - ${schedule.name}`
      : template.memo_template.replaceAll('{structure_name}', () => schedule.name);
  const line = (elementId: string, debit: bigint, credit: bigint): Line => ({
    elementId,
    debit,
    credit,
    description: null,
    metadata: null,
  });
  return {
    postingDate: boundsOf(period).end,
    memo,
    type: template.entry_type,
    lines: [line(template.debit_element_id, amount, 0n), line(template.credit_element_id, 0n, amount)],
    reversal: template.auto_reverse
      ? {
          postingDate: boundsOf(plusMonths(period, 1)).start,
          memo: `Reverse: ${memo}`,
          lines: [line(template.debit_element_id, 0n, amount), line(template.credit_element_id, amount, 0n)],
        }
      : null,
  };
}

/** True when a draft already has the wanted accounts, amount, memo and reversal (ledger L-183). */
export function isAsWanted(draft: ExistingDraft, wanted: WantedEntry): boolean {
  return (
    draft.memo === wanted.memo &&
    draft.has_reversal === (wanted.reversal !== null) &&
    draft.lines.length === wanted.lines.length &&
    draft.lines.every((line, index) => {
      const other = wanted.lines[index];
      return (
        other !== undefined &&
        line.element_id === other.elementId &&
        line.debit === other.debit.toString() &&
        line.credit === other.credit.toString()
      );
    })
  );
}
