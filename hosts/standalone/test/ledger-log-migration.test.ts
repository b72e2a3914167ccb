/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import { sql } from '@pacioli/core';
import ledger, { bookVerifier, ledgerLog } from '@pacioli/ledger';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import taxonomy from '@pacioli/taxonomy';
import { startTestService } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';

/** Declared tables and functions that were added after the log. */
const later = ['ledger_resettlement', 'ledger_log_chain_link'];
const scope = { graphId: 'kg1' };

const rows = [
  sql`INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source, currency, metadata, created_at, created_by)
    VALUES ('kg1', 'evt_1', 'journal_entry_recorded', 'economic', 'sales', 'fulfilled', now(), 'manual', 'USD', '{}', now(), 'user_1')`,
  sql`INSERT INTO ledger_entry (graph_id, id, event_id, type, status, posting_date, currency, memo, provenance, posted_at, created_at, updated_at)
    VALUES ('kg1', 'je_1', 'evt_1', 'standard', 'posted', '2026-03-05', 'USD', 'old', 'manual_entry', now(), now(), now())`,
  sql`INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
    VALUES ('kg1', 'je_1', 1, 'li_1', 'elem_a', '2026-03-05', 'USD', true, 5, 0), ('kg1', 'je_1', 2, 'li_2', 'elem_b', '2026-03-05', 'USD', true, 0, 5)`,
  sql`INSERT INTO ledger_calendar_event (graph_id, id, type, actor, actor_type, at) VALUES ('kg1', 'fce_1', 'initialized', 'user_1', 'user', now())`,
  sql`INSERT INTO ledger_fiscal_period (graph_id, name, status, close_receipt) VALUES ('kg1', '2026-02', 'closed', '{"version": 1}')`,
];

/** Books of a version whose log covers only events, entries and the calendar: a partially paid invoice. */
const settled = [
  sql`INSERT INTO ledger_entity (graph_id, id, name, is_parent, functional_currency, created_at, updated_at) VALUES ('kg1', 'ent_1', 'Vega', true, 'USD', now(), now())`,
  sql`INSERT INTO ledger_entity_taxonomy (graph_id, entity_id, taxonomy_id, basis, is_primary, created_at) VALUES ('kg1', 'ent_1', 'tax_1', 'chart_of_accounts', true, now())`,
  sql`INSERT INTO ledger_agent (graph_id, id, agent_type, name, source, is_active, is_1099_recipient, metadata, created_at, updated_at, created_by)
    VALUES ('kg1', 'agt_1', 'customer', 'Orion', 'manual', true, false, '{}', now(), now(), 'user_1')`,
  sql`INSERT INTO ledger_fiscal_calendar (graph_id, id, fiscal_year_start_month, initialized_at) VALUES ('kg1', 'fcal_1', 1, now())`,
  sql`INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source, amount, currency, metadata, agent_id,
      discharges_event_id, created_at, created_by)
    VALUES ('kg1', 'evt_2', 'invoice_issued', 'economic', 'sales', 'fulfilled', now(), 'manual', 500, 'USD', '{}', 'agt_1', NULL, now(), 'user_1'),
      ('kg1', 'evt_3', 'payment_received', 'economic', 'treasury', 'fulfilled', now(), 'manual', 200, 'USD', '{}', 'agt_1', 'evt_2', now(), 'user_1')`,
  sql`INSERT INTO ledger_event_settlement (graph_id, discharging_event_id, originating_event_id, amount) VALUES ('kg1', 'evt_3', 'evt_2', 200)`,
  sql`INSERT INTO ledger_transaction (graph_id, id, event_id, type, amount, currency, date, source, status, posted_at, created_at, updated_at)
    VALUES ('kg1', 'txn_2', 'evt_2', 'invoice_issued', 500, 'USD', '2026-03-05', 'manual', 'posted', now(), now(), now())`,
  sql`INSERT INTO ledger_entry (graph_id, id, transaction_id, event_id, type, status, posting_date, currency, memo, provenance, posted_at, created_at, updated_at)
    VALUES ('kg1', 'je_2', 'txn_2', 'evt_2', 'standard', 'posted', '2026-03-05', 'USD', 'old', 'manual_entry', now(), now(), now())`,
  sql`INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
    VALUES ('kg1', 'je_2', 1, 'li_3', 'elem_a', '2026-03-05', 'USD', true, 500, 0), ('kg1', 'je_2', 2, 'li_4', 'elem_b', '2026-03-05', 'USD', true, 0, 500)`,
];

describe('books of versions with no or an incomplete log', () => {
  it('get a log that begins with their existing rows (ledger L-214)', { timeout: 300_000 }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    try {
      const without = [...later, 'ledger_log', 'ledger_gather_statistics'];
      await migrateToEarlier(store, ledger, { before: '0008', without });
      for (const row of rows) await store.transaction(scope, (tx) => tx.query(row));
      const { service, close } = await startTestService({ plugins: [taxonomy, blocks, ledger], store, worker: false });
      const log = service.services.resolve(ledgerLog);
      const { kinds, head, broken } = await store.transaction(scope, async (tx) => ({
        kinds: await tx.query(sql<{ kind: string }>`SELECT kind FROM ledger_log ORDER BY id`),
        sealed: await log.seal(tx),
        head: await log.head(tx),
        broken: await service.services.resolve(bookVerifier).verify(tx),
      }));
      await close();
      expect(kinds.map(({ kind }) => kind)).toEqual(['event_recorded', 'entry_written', 'calendar', 'month_added']);
      expect([head?.seq, broken]).toEqual([4, []]);
    } finally {
      await dispose();
      await driver.stop();
    }
  });

  it('get settlements, transactions and settings added to the log, whose seals stay valid (ledger L-214)', {
    timeout: 300_000,
  }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    try {
      await migrateToEarlier(store, ledger, { before: '0010', without: later });
      for (const row of [...rows, ...settled]) await store.transaction(scope, (tx) => tx.query(row));
      const before = await store.transaction(scope, async (tx) => {
        await tx.query(sql`SELECT ledger_seal_log('kg1', 1000)`);
        return tx.query(
          sql`SELECT seq, encode(hash, 'hex') AS hash FROM ledger_log WHERE seq IS NOT NULL ORDER BY seq`,
        );
      });
      const { service, close } = await startTestService({ plugins: [taxonomy, blocks, ledger], store, worker: false });
      const verifier = service.services.resolve(bookVerifier);
      const { after, kinds, broken } = await store.transaction(scope, async (tx) => {
        await service.services.resolve(ledgerLog).seal(tx);
        return {
          after: await tx.query(sql`SELECT seq, encode(hash, 'hex') AS hash FROM ledger_log ORDER BY seq`),
          kinds: await tx.query(sql<{ kind: string }>`SELECT kind FROM ledger_log ORDER BY id`),
          broken: await verifier.verify(tx),
        };
      });
      await close();
      expect(before.length).toBeGreaterThan(0);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(kinds.slice(before.length).map(({ kind }) => kind)).toEqual([
        'entity_added',
        'entity_link_added',
        'calendar_settings_added',
        'month_added',
        'agent_added',
        'transaction_added',
        'settlement_added',
      ]);
      expect(broken).toEqual([]);
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});
