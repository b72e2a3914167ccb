import { columnsOf, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { ReportingStatement } from '../rows.gen.ts';
import type { ComposedStatement, StatementRowHead } from '../statement-facts/index.ts';
import type { Validation } from '../statements/index.ts';

const storedColumns = columnsOf<ReportingStatement>('s')(
  'block_type',
  'structure_id',
  'structure_name',
  'fact_set_id',
  'unmapped_count',
);

/** A statement of a report, without its figures. */
export type StatementRow = RowOf<typeof storedColumns> & {
  readonly rows: readonly StatementRowHead[];
  readonly validation: Validation;
};

/** The statements of a report, by block type and name, which is the display order within a type (P-23, P-24). */
export async function findStatements(tx: Transaction, reportId: string): Promise<readonly StatementRow[]> {
  return tx.query(sql<StatementRow>`select ${storedColumns}, s.rows, s.validation from reporting_statement s
    where s.graph_id = ${tx.graphId} and s.report_id = ${reportId} order by s.block_type, s.structure_name, s.fact_set_id`);
}

/** The parts of a statement that its envelope shows besides its facts. */
export interface StatementOfSet {
  readonly fact_set_id: ReportingStatement['fact_set_id'];
  readonly unmapped_count: ReportingStatement['unmapped_count'];
  readonly validation: Validation;
  /** The element of the opening balance; null for a statement without one. */
  readonly opening_element_id: string | null;
  /** The rows that follow those of the network (S-17). */
  readonly reconciliation: readonly StatementRowHead[];
}

/** The statements with these fact sets, by set. */
export async function findStatementsOfSets(
  tx: Transaction,
  factSetIds: readonly string[],
): Promise<ReadonlyMap<string, StatementOfSet>> {
  const rows = await tx.query(sql<StatementOfSet>`
    select s.fact_set_id, s.unmapped_count, s.validation, opening.id as opening_element_id,
      jsonb_path_query_array(s.rows, '$[*] ? (@.is_reconciliation == true)') as reconciliation
    from reporting_statement s left join lateral (select r ->> 'element_id' as id from jsonb_array_elements(s.rows) r
      where (r ->> 'is_opening')::boolean limit 1) opening on true
    where s.graph_id = ${tx.graphId} and s.fact_set_id = any(${[...factSetIds]}::text[])`);
  return new Map(rows.map((row) => [row.fact_set_id, row]));
}

/** Inserts the statements of a report at once. */
export async function insertStatements(
  tx: Transaction,
  reportId: string,
  statements: readonly { readonly statement: ComposedStatement; readonly factSetId: string }[],
  unmappedCount: number,
): Promise<void> {
  const rows = statements.map(({ statement, factSetId }) => ({
    block_type: statement.structure.blockType,
    structure_id: statement.structure.structureId,
    structure_name: statement.structure.name,
    fact_set_id: factSetId,
    rows: statement.rows,
    validation: statement.validation,
  }));
  await tx.query(sql`
    insert into reporting_statement (graph_id, report_id, unmapped_count, block_type, structure_id, structure_name,
      fact_set_id, rows, validation)
    select ${tx.graphId}, ${reportId}, ${unmappedCount}::int, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(block_type text, structure_id text,
      structure_name text, fact_set_id text, rows jsonb, validation jsonb)`);
}

export async function deleteStatements(tx: Transaction, reportId: string): Promise<void> {
  await tx.query(sql`delete from reporting_statement where graph_id = ${tx.graphId} and report_id = ${reportId}`);
}
