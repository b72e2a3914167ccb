/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import { sql, type Transaction } from '@pacioli/core';
import { kernelPlugin } from '@pacioli/core/assembly';
import ledger, { bookVerifier, ledgerLog } from '@pacioli/ledger';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import taxonomy from '@pacioli/taxonomy';
import { startTestService, tamper } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';

/** Declared tables and functions that were added after the log. */
const later = ['ledger_resettlement', 'ledger_log_chain_link'];
/** Those of the kernel, which were added for sealing in batches. */
const batches = ['kernel_chain_batch', 'kernel_expire_single_seals'];
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

/** Lines of an entry in a balance of the given cents. */
const lines = (entry: string, version: number, cents: number, isPosted: boolean) => sql`
  INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
  SELECT 'kg1', ${entry}, n, ${`li_${entry}_${version}_`}::text || n, 'elem_' || n, '2026-03-05', 'USD', ${isPosted},
    CASE n WHEN 1 THEN ${cents}::bigint ELSE 0 END, CASE n WHEN 2 THEN ${cents}::bigint ELSE 0 END FROM generate_series(1, 2) AS n`;

const draft = (entry: string) => [
  sql`INSERT INTO ledger_entry (graph_id, id, event_id, type, status, posting_date, currency, memo, provenance, created_at, updated_at)
    VALUES ('kg1', ${entry}, 'evt_1', 'standard', 'draft', '2026-03-05', 'USD', 'draft', 'manual_entry', now(), now())`,
  lines(entry, 1, 50, false),
];

const edit = (entry: string) => [
  sql`UPDATE ledger_entry SET memo = NULL, version = version + 1, updated_at = now() WHERE id = ${entry}`,
  sql`DELETE FROM ledger_line_item WHERE entry_id = ${entry}`,
  lines(entry, 2, 70, false),
];

const post = (entry: string) => [
  sql`UPDATE ledger_entry SET status = 'posted', posted_at = now(), updated_at = now() WHERE id = ${entry}`,
];

const remove = (entry: string) => [sql`DELETE FROM ledger_entry WHERE id = ${entry}`];

const reverse = (entry: string) => [
  sql`INSERT INTO ledger_entry (graph_id, id, event_id, type, status, posting_date, currency, provenance, reversal_of, posted_at, created_at, updated_at)
    VALUES ('kg1', ${`${entry}_back`}, 'evt_1', 'reversing', 'posted', '2026-03-05', 'USD', 'manual_entry', ${entry}, now(), now(), now())`,
  sql`INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
    SELECT 'kg1', ${`${entry}_back`}, line_order, id || '_back', element_id, posting_date, currency, true, credit_amount, debit_amount
    FROM ledger_line_item WHERE entry_id = ${entry}`,
  sql`UPDATE ledger_entry SET status = 'reversed', updated_at = now() WHERE id = ${entry}`,
];

/** What an earlier version did to drafts; je_edited, je_open and je_left are still there. */
const changed = [
  ...draft('je_edited'),
  ...edit('je_edited'),
  ...post('je_edited'),
  ...draft('je_back'),
  ...post('je_back'),
  ...reverse('je_back'),
  ...draft('je_gone'),
  ...remove('je_gone'),
  ...draft('je_open'),
  ...edit('je_open'),
  ...draft('je_left'),
];

/** A posted event as one statement, which is how the ledger writes it. */
const postedAtOnce = sql`
  WITH event AS (
    INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source, currency, metadata, created_at, created_by)
    VALUES ('kg1', 'evt_new', 'journal_entry_recorded', 'economic', 'sales', 'fulfilled', now(), 'manual', 'USD', '{}', now(), 'user_1')
    RETURNING id
  ), entry AS (
    INSERT INTO ledger_entry (graph_id, id, event_id, type, status, posting_date, currency, provenance, posted_at, created_at, updated_at)
    SELECT 'kg1', 'je_new', id, 'standard', 'posted', '2026-03-05', 'USD', 'manual_entry', now(), now(), now() FROM event
  )
  INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
  SELECT 'kg1', 'je_new', n, 'li_new_' || n, 'elem_' || n, '2026-03-05', 'USD', true, 100 * (2 - n), 100 * (n - 1) FROM event, generate_series(1, 2) AS n`;

const inOrder = async (tx: Transaction, statements: readonly ReturnType<typeof sql>[]): Promise<void> => {
  for (const statement of statements) await tx.query(statement);
};

describe('books whose log repeats whole entries', () => {
  it('keep its rows and seals, and continue it with rows that say each thing once (ledger L-214)', {
    timeout: 300_000,
  }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    const sealed = sql`SELECT id, seq, encode(hash, 'hex') AS hash, payload FROM ledger_log WHERE seq IS NOT NULL ORDER BY seq`;
    try {
      await migrateToEarlier(store, kernelPlugin, { before: '0014', without: batches });
      await migrateToEarlier(store, ledger, { before: '0016', without: [] });
      const before = await store.transaction(scope, async (tx) => {
        await inOrder(tx, [...rows, ...settled, ...changed]);
        await tx.query(sql`SELECT kernel_seal_chain('ledger_log', 'kg1', 1000)`);
        return tx.query(sealed);
      });
      // Not sealed before the migration.
      await store.transaction(scope, (tx) => inOrder(tx, draft('je_late')));
      const { service, close } = await startTestService({ plugins: [taxonomy, blocks, ledger], store, worker: false });
      const verify = () =>
        store.transaction(scope, async (tx) => {
          await service.services.resolve(ledgerLog).seal(tx);
          const broken = await service.services.resolve(bookVerifier).verify(tx);
          return broken.flatMap(({ offenders }) => offenders);
        });
      expect(await verify()).toEqual([]);
      const appended = await store.transaction(scope, async (tx) => {
        const [last] = await tx.query(sql<{ id: number }>`SELECT max(id) AS id FROM ledger_log`);
        const more = [...edit('je_open'), ...post('je_open'), ...reverse('je_edited'), ...remove('je_left')];
        await inOrder(tx, [...more, postedAtOnce]);
        return tx.query(
          sql<{ kind: string; subject: string; entry: string | null }>`
            SELECT kind, subject_id AS subject, (SELECT string_agg(k, ' ' ORDER BY k) FROM jsonb_object_keys(payload -> 'entry') AS k) AS entry
            FROM ledger_log WHERE id > ${last?.id ?? 0} ORDER BY id`,
        );
      });
      expect(appended.map(({ kind, subject, entry }) => [kind, subject, entry])).toEqual([
        ['entry_changed', 'je_open', 'updated_at version'],
        ['entry_written', 'je_open', null],
        ['entry_landed', 'je_open', 'posted_at status'],
        ['entry_written', 'je_edited_back', expect.stringContaining('reversal_of')],
        ['entry_reversed', 'je_edited', 'status updated_at'],
        ['entry_deleted', 'je_left', 'status'],
        ['event_recorded', 'evt_new', null],
      ]);
      expect(await verify()).toEqual([]);
      const after = await store.transaction(scope, (tx) => tx.query(sealed));
      expect(before.length).toBeGreaterThan(20);
      expect(after).toEqual(before);
      for (const id of ['je_back', 'je_late']) {
        const row = `l.id = (SELECT min(id) FROM ledger_log WHERE subject_id = '${id}')`;
        await tamper(store, `UPDATE ledger_log AS l SET payload = payload || '{"by": "nobody"}' WHERE ${row}`);
        expect((await verify())[0]).toMatch(new RegExp(`^log row \\d+ ${id} \\(changed\\)$`));
        await tamper(store, `UPDATE ledger_log AS l SET payload = payload - 'by' WHERE ${row}`);
      }
      for (const id of ['je_1', 'je_edited', 'je_back', 'je_open', 'je_late', 'je_new']) {
        await tamper(store, `CREATE TABLE kept AS SELECT * FROM ledger_entry WHERE id = '${id}'`);
        await tamper(store, `UPDATE ledger_entry SET memo = 'another memo' WHERE id = '${id}'`);
        expect(await verify()).toEqual([id]);
        await tamper(
          store,
          `UPDATE ledger_entry AS e SET memo = k.memo FROM kept AS k WHERE e.id = k.id; DROP TABLE kept`,
        );
      }
      expect(await verify()).toEqual([]);
      await close();
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});

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
          after: await tx.query(
            sql`SELECT seq, encode(hash, 'hex') AS hash FROM ledger_log WHERE seq IS NOT NULL ORDER BY seq`,
          ),
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
