import { sql } from '@pacioli/core';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { done } from './books.ts';
import { captured } from './captured-event.ts';
import type { FixtureBooks } from './refusal-fixture-types.ts';
import { schedule } from './schedule-books.ts';

/** Adds a schedule with drafts, two with disposed assets, one with automatic reversals and one with a posted month. */
export async function addSchedules(fixture: FixtureBooks, ids: Map<string, string>): Promise<void> {
  const { open } = fixture.books;
  const make = async (name: string, months: object, more: object = {}) => {
    const payload = schedule(open, '6900', '1590', {
      name,
      period_start: '2026-04-01',
      period_end: '2026-12-31',
      ...months,
      ...more,
    });
    ids.set(name, (await done(open, 'create-information-block', { block_type: 'schedule', payload })).id);
  };
  await make('Rent', {});
  const asset = { original_amount: 270_000, asset_element_id: open.id('1500') };
  await make('Van', {}, { schedule_metadata: asset });
  await done(open, 'create-event-block', {
    ...captured('asset_disposed', { schedule_id: ids.get('Van'), gain_loss_element_id: open.id('7200') }),
    event_category: 'adjustment',
    occurred_at: '2026-04-01T00:00:00Z',
    apply_handlers: true,
  });
  await make('Posted', { period_start: '2026-02-01' });
  await done(open, 'create-event-block', {
    ...captured('schedule_entry_due', { schedule_id: ids.get('Posted'), period_end: '2026-03-31' }),
    event_category: 'recognition',
    source: 'schedule',
    apply_handlers: true,
  });
  await fixture.run(
    'open',
    sql`UPDATE ledger_entry SET status = 'posted', posted_at = now() WHERE source_structure_id = ${ids.get('Posted')}`,
  );
  await make('Truck', { period_start: '2026-03-01' }, { schedule_metadata: { ...asset, original_amount: 300_000 } });
  await done(open, 'create-event-block', {
    ...captured('asset_disposed', { schedule_id: ids.get('Truck'), gain_loss_element_id: open.id('7200') }),
    event_category: 'adjustment',
    occurred_at: '2026-03-31T00:00:00Z',
    apply_handlers: true,
  });
  const entryTemplate = {
    debit_element_id: open.id('6900'),
    credit_element_id: open.id('1590'),
    auto_reverse: true,
  };
  await make('Accrual', { period_start: '2026-03-01' }, { entry_template: entryTemplate });
  await done(open, 'create-event-block', {
    ...captured('schedule_entry_due', { schedule_id: ids.get('Accrual'), period_end: '2026-03-31' }),
    event_category: 'recognition',
    source: 'schedule',
    apply_handlers: true,
  });
  for (const name of ['Truck', 'Accrual']) {
    const drafts = await fixture.run(
      'open',
      sql<Pick<LedgerEntry, 'id' | 'reversal_of'> & { readonly event_id: NonNullable<LedgerEntry['event_id']> }>`
        SELECT id, event_id, reversal_of FROM ledger_entry WHERE source_structure_id = ${ids.get(name)}`,
    );
    for (const { id, event_id, reversal_of } of drafts) {
      ids.set(reversal_of === null ? `${name} entry` : `${name} reversal`, id);
      ids.set(`${name} month`, event_id);
    }
  }
}
