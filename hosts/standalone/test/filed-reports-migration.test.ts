/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import { sql } from '@pacioli/core';
import { migrationSets } from '@pacioli/core/assembly';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';

describe('facts of earlier versions', () => {
  it('are not final, and results from then block no filing (reporting P-16, P-21)', async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    const run = <Row>(statement: ReturnType<typeof sql<Row>>) =>
      store.transaction({ graphId: 'kg1' }, (tx) => tx.query(statement));
    try {
      await migrateToEarlier(store, blocks, { before: '0003', without: [] });
      await run(sql`insert into blocks_fact_set (graph_id, id, structure_id, entity_id, period_end, factset_type,
          report_id, created_by, created_at)
        values ('kg1', 'fs_1', 'struct_1', 'ent_1', '2026-03-31', 'report', 'rpt_1', 'user_1', now())`);
      await run(sql`insert into blocks_fact (graph_id, id, fact_set_id, element_id, entity_id, period_end, period_type,
          fact_type, value, unit, fact_scope, created_at)
        values ('kg1', 'fact_1', 'fs_1', 'elem_1', 'ent_1', '2026-03-31', 'instant', 'Numeric', 5, 'USD', 'in_scope', now())`);
      await run(sql`insert into blocks_verification_result (graph_id, id, rule_id, structure_id, fact_set_id, run_id,
          status, detail, evaluated_at, created_by)
        values ('kg1', 'vr_1', 'rule_1', 'struct_1', 'fs_1', 'run_1', 'fail', '{}', now(), 'user_1')`);
      await store.migrate(migrationSets([blocks]));
      const found = await run(sql<{
        is_final: boolean;
        severity: string | null;
      }>`select s.is_final, v.severity from blocks_fact_set s
        join blocks_verification_result v on v.graph_id = s.graph_id and v.fact_set_id = s.id`);
      expect(found).toEqual([{ is_final: false, severity: null }]);
      await run(sql`update blocks_fact set value = 6 where graph_id = 'kg1'`);
      await run(sql`delete from blocks_fact_set where graph_id = 'kg1'`);
      expect(await run(sql`select from blocks_fact where graph_id = 'kg1'`)).toEqual([]);
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});
