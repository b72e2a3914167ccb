import { columnsOf, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { ReportingStatement } from '../rows.gen.ts';
import type { Validation } from '../statements/index.ts';
import type { ComposedStatement, StatementRowHead } from './composed-statements.ts';

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

/** The statements of a report. */
export async function findStatements(tx: Transaction, reportId: string): Promise<readonly StatementRow[]> {
  return tx.query(sql<StatementRow>`select ${storedColumns}, s.rows, s.validation from reporting_statement s
    where s.graph_id = ${tx.graphId} and s.report_id = ${reportId} order by s.block_type`);
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
