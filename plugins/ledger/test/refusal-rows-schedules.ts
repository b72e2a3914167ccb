import type { RefusalFixture } from './refusal-fixture-types.ts';
import { type Refusal, rowsOf } from './refusal-rows.ts';

const counted = 'has counted its entries as they are';
const on =
  (field: string, name: string, more: object = {}) =>
  ({ id }: RefusalFixture) => ({ [field]: id(name), ...more });

/**
 * Refusals to change entries that a disposal has counted, or a draft that reverses an accrual (ledger L-188, L-184).
 */
export const heldRefusals: readonly Refusal[] = [
  ...rowsOf('update-journal-entry', [
    [
      422,
      'disposal',
      counted,
      ({ id, books: { open } }) => ({
        entry_id: id('Truck entry'),
        line_items: [
          { element_id: open.id('6900'), debit_amount: 5 },
          { element_id: open.id('1590'), credit_amount: 5 },
        ],
      }),
    ],
    [422, 'reversal', 'cannot be changed alone', on('entry_id', 'Accrual reversal', { posting_date: '2026-04-02' })],
  ]),
  ...rowsOf('delete-journal-entry', [
    [422, 'disposal', counted, on('entry_id', 'Truck entry')],
    [422, 'reversal', 'cannot be changed alone', on('entry_id', 'Accrual reversal')],
  ]),
  ...rowsOf('update-event-block', [
    [422, 'disposal', counted, on('event_id', 'Truck month', { transition_to: 'voided' })],
  ]),
  ...rowsOf('delete-information-block', [
    [422, 'disposal', counted, ({ id }) => ({ block_type: 'schedule', payload: { structure_id: id('Truck') } })],
  ]),
];
