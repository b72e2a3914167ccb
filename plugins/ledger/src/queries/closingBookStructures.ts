import { defineQuery, model, nullable } from '@pacioli/core';
import { taxonomyReads } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { closing } from '../books.ts';
import { monthOf } from '../close/index.ts';

const text = () => nullable(Type.String());

const ClosingBookItem = model('ClosingBookItem', {
  id: Type.String(),
  name: Type.String(),
  item_type: Type.String(),
  block_type: text(),
  report_id: text(),
  status: text(),
});

const ClosingBookCategory = model('ClosingBookCategory', {
  label: Type.String(),
  items: Type.Array(ClosingBookItem),
});

const scheduleStatus = { posted: 'complete', drafted: 'draft', pending: 'pending' } as const;

/** An item with only an id, a name and a type. */
const item = (id: string, name: string, itemType: string) => ({
  id,
  name,
  item_type: itemType,
  block_type: null,
  report_id: null,
  status: null,
});

export default defineQuery({
  name: 'closingBookStructures',
  summary: 'The items to review when a month is closed, in the order of a closing book.',
  returns: nullable(
    model('ClosingBookStructures', { categories: Type.Array(ClosingBookCategory), has_data: Type.Boolean() }),
  ),
  services: { closing, taxonomyReads },
  async resolve({ ctx, use }) {
    const hasData = await use.closing.closeReader.hasPosted(ctx.tx);
    const month = await use.closing.closeReader.monthToClose(ctx.tx, ctx.now().toISOString().slice(0, 10));
    const schedules = await use.closing.closeReader.schedules(ctx.tx, monthOf(month));
    const rollups = await use.taxonomyReads.mappings(ctx.tx);
    const categories = [
      { label: 'Period Close', items: [item('period_close', 'Period Close', 'period_close')] },
      { label: 'Account Rollups', items: rollups.map(({ id, name }) => item(id, name, 'account_rollups')) },
      {
        label: 'Schedules',
        items: schedules.map(({ structureId, name, status }) => ({
          ...item(structureId, name, 'schedule'),
          block_type: 'schedule',
          status: scheduleStatus[status],
        })),
      },
      {
        label: 'Trial Balance',
        items: hasData ? [item('trial_balance', 'Trial Balance', 'trial_balance')] : [],
      },
    ];
    return { categories: categories.filter(({ items }) => items.length > 0), has_data: hasData };
  },
});
