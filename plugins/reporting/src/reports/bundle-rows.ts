import { columnsOf, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { ReportingReport } from '../rows.gen.ts';
import type { BundleValidation } from '../serialization/shapes/index.ts';
import type { ReportColumn } from './report-columns.ts';

const storedColumns = columnsOf<ReportingReport>('r')(
  'id',
  'generation',
  'entity_id',
  'entity_name',
  'period_end',
  'bundle_key',
);

/** The stored bundle of a report; the key is null for a report from before bundles were stored. */
export type BundleRow = RowOf<typeof storedColumns> & {
  readonly columns: readonly ReportColumn[];
  /** Null if the validation is off. */
  readonly bundle_validation: (BundleValidation & { readonly validated_at: string }) | null;
};

export async function findBundle(tx: Transaction, reportId: string): Promise<BundleRow | undefined> {
  const [row] = await tx.query(sql<BundleRow>`select ${storedColumns}, r.columns, r.bundle_validation
    from reporting_report r
    where r.graph_id = ${tx.graphId} and r.id = ${reportId}`);
  return row;
}

/** Records the bundle of an unfiled report (P-16). */
export async function setBundle(
  tx: Transaction,
  reportId: string,
  bundle: { readonly key: string; readonly validation: BundleRow['bundle_validation'] },
): Promise<void> {
  const validation = bundle.validation === null ? null : JSON.stringify(bundle.validation);
  await tx.query(sql`update reporting_report
    set bundle_key = ${bundle.key}, bundle_validation = ${validation}::text::jsonb
    where graph_id = ${tx.graphId} and id = ${reportId} and filing_status in ('draft', 'under_review')`);
}
