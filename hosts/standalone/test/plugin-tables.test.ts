/** @module-tag sessions */
import { readFileSync } from 'node:fs';
import { describeTables } from '@pacioli/conformance/vitest';
import { describe, expect, it } from 'vitest';
import { plugins } from '../src/plugins.ts';

const period = '2026-01';
const currency = 'USD';

/** Values for columns whose check or trigger requires more than the type. */
const sampleRows: Readonly<Record<string, Parameters<typeof describeTables>[1]['sampleRows']>> = {
  blocks: { blocks_rule: { pattern: 'sum' } },
  reporting: {
    // Its own report; a copy would name its source.
    reporting_report: {
      filing_status: 'draft',
      filed_at: null,
      mapping_id: 'map_1',
      source_graph_id: null,
      source_report_id: null,
      shared_at: null,
    },
  },
  taxonomy: { taxonomy_rule: { rule_pattern: 'sum' } },
  investor: {
    investor_portfolio: { base_currency: currency },
    investor_position: { currency, status: 'active', disposition_date: null },
  },
  ledger: {
    ledger_close_receipt_history: { period },
    ledger_entry: { currency, status: 'draft' },
    ledger_event: [
      { id: 'discharging', event_class: 'support', event_category: 'control', currency },
      { id: 'originating', event_class: 'support', event_category: 'control', currency },
    ],
    ledger_event_settlement: { discharging_event_id: 'discharging', originating_event_id: 'originating' },
    ledger_fiscal_period: { name: period },
    ledger_open_item: { event_id: 'originating' },
    ledger_line_item: [
      { line_order: 1, debit_amount: 5, credit_amount: 0 },
      { line_order: 2, debit_amount: 0, credit_amount: 5 },
    ],
    ledger_month_total: { period, line_count: 1 },
    ledger_schedule: { currency },
    ledger_schedule_month: { period },
    ledger_transaction: { currency },
  },
};

for (const plugin of plugins.filter(({ migrations }) => migrations !== undefined))
  describe(`tables of ${plugin.name}`, () => {
    describeTables(plugin, { with: plugins, sampleRows: sampleRows[plugin.name] ?? {} });
  });

describe('conformance/README.md', () => {
  it('prints rows with which the tables of the ledger are tested', () => {
    const readme = readFileSync(new URL('../../../conformance/README.md', import.meta.url), 'utf8');
    const [, source = ''] = /```ts\n(describePlugin\(ledger[\s\S]*?)```/.exec(readme) ?? [];
    // The README prints one call, whose only names are these.
    const call = new Function('describePlugin', 'ledger', 'taxonomy', 'blocks', `return ${source}`);
    const printed = call((_plugin: unknown, options: { readonly sampleRows: object }) => options.sampleRows);
    expect(sampleRows['ledger']).toMatchObject(printed);
    expect(Object.keys(printed)).not.toEqual([]);
  });
});
