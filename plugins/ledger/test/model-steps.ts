import fc from 'fast-check';
import type { Leg } from './books.ts';

/** Accounts of the generated books; 1100 is reserved for invoices and payments. */
export const codes = ['1000', '1010', '2000', '3000', '4000', '5000', '6000', '6300'] as const;

/** Types whose metadata is a journal, with their category. */
export const kinds = {
  journal_entry_recorded: 'adjustment',
  invoice_issued: 'sales',
  bill_received: 'purchase',
  payment_received: 'sales',
  bill_paid: 'purchase',
  deposit_received: 'treasury',
} as const;

export interface EntryStep {
  readonly day: string;
  readonly legs: readonly Leg[];
}

export interface RecordStep {
  readonly do: 'record';
  readonly kind: keyof typeof kinds;
  readonly mode: 'captured' | 'draft' | 'posted';
  readonly entries: readonly EntryStep[];
  readonly hasExternalId: boolean;
  readonly hasKey: boolean;
  readonly currency: 'USD' | 'EUR' | 'GBP';
}

/** A step of a caller; its numbers select among the existing rows, modulo their count. */
export type Step =
  | RecordStep
  | { readonly do: 'preview'; readonly record: RecordStep }
  /** Records an unbalanced event. */
  | { readonly do: 'spoil'; readonly record: RecordStep }
  | { readonly do: 'retry'; readonly event: number }
  | { readonly do: 'move'; readonly event: number; readonly to: string; readonly successor: number }
  | { readonly do: 'edit'; readonly entry: number; readonly day: string | null; readonly legs: readonly Leg[] | null }
  | { readonly do: 'remove'; readonly entry: number }
  | { readonly do: 'reverse'; readonly entry: number; readonly day: string }
  /** Closes the next month, or one that many months later. */
  | { readonly do: 'close'; readonly later: number }
  /** Reopens the newest closed month, or one that many months earlier. */
  | { readonly do: 'reopen'; readonly earlier: number }
  /** Reopens the newest closed month and closes it again without a write in between. */
  | { readonly do: 'reclose' };

const day = fc
  .tuple(
    fc.constantFrom('2026-02', '2026-03', '2026-03', '2026-04', '2026-04', '2026-05'),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([month, number]) => `${month}-${String(number).padStart(2, '0')}`);

/** Two to six balanced legs; the last one takes the difference. */
export const legs = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...codes), fc.integer({ min: 1, max: 10 ** 12 }), fc.boolean()), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.constantFrom(...codes),
  )
  .map(([free, code]): readonly Leg[] => {
    const given = free.map(([each, cents, isDebit]): Leg => [each, isDebit ? cents : 0, isDebit ? 0 : cents]);
    const net = given.reduce((sum, [, debit, credit]) => sum + debit - credit, 0);
    // A zero leg is invalid, so legs that already balance get another balanced pair.
    const last: readonly Leg[] =
      net === 0
        ? [
            [code, 1, 0],
            [code, 0, 1],
          ]
        : [[code, Math.max(-net, 0), Math.max(net, 0)]];
    return [...given, ...last].slice(0, 7);
  });

const entry: fc.Arbitrary<EntryStep> = fc.record({ day, legs });

export const recordStep: fc.Arbitrary<RecordStep> = fc.record({
  do: fc.constant('record' as const),
  kind: fc.constantFrom(...Object.keys(kinds).map((key) => key as keyof typeof kinds)), // The keys of `kinds`.
  mode: fc.constantFrom('captured', 'draft', 'draft', 'posted', 'posted'),
  entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
  hasExternalId: fc.boolean(),
  hasKey: fc.boolean(),
  currency: fc.constantFrom('USD', 'USD', 'EUR', 'GBP'),
});

const statuses = ['classified', 'committed', 'pending', 'fulfilled', 'voided', 'superseded'] as const;
const number = fc.nat(40);

/** A random step; records are frequent, so that the other steps find rows. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: recordStep },
  { weight: 1, arbitrary: recordStep.map((record): Step => ({ do: 'preview', record })) },
  { weight: 1, arbitrary: recordStep.map((record): Step => ({ do: 'spoil', record })) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const), event: number }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      event: number,
      to: fc.constantFrom(...statuses),
      successor: number,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      entry: number,
      day: fc.option(day),
      legs: fc.option(legs),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), entry: number }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reverse' as const), entry: number, day }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const), later: fc.constantFrom(0, 0, 0, 0, 1, 2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), earlier: fc.constantFrom(0, 0, 0, 1) }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'reclose' }) },
);
