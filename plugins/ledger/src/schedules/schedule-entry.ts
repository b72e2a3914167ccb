import type { Line } from '../journal/index.ts';
import { boundsOf, plusMonths } from '../values/index.ts';
import type { EntryTemplate } from './schedule-plan.ts';

/** What became of the draft of one month (ledger L-183). */
export type DraftOutcome = 'created' | 'unchanged' | 'regenerated' | 'removed' | 'skipped';

/** The entry of one month as the schedule wants it. */
export interface WantedEntry {
  readonly postingDate: string;
  readonly memo: string;
  readonly type: EntryTemplate['entry_type'];
  readonly lines: readonly Line[];
  /** The draft that takes it back on the first day of the next month (ledger L-184); null without auto_reverse. */
  readonly reversal: { readonly postingDate: string; readonly memo: string; readonly lines: readonly Line[] } | null;
}

/** A draft as far as it can differ from what is wanted. */
export interface ExistingDraft {
  readonly memo: string | null;
  readonly has_reversal: boolean;
  readonly lines: readonly { readonly element_id: string; readonly debit: string; readonly credit: string }[];
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

/** Whether a draft says what is wanted already: accounts, amount, memo, and the reversal (ledger L-183). */
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
