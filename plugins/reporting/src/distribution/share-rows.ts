import { columnsOf, type Ids, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { ReportingDelivery, ReportingShare } from '../rows.gen.ts';
import type { ShareResult } from './refusals.ts';
import type { GraphNames } from './target-graphs.ts';

/** A delivery without progress for this time is repeated by another process. */
export const leaseMs = 300_000;

const deliveryColumns = columnsOf<ReportingDelivery>('d')(
  'report_id',
  'target_graph_id',
  'snapshot_key',
  'requested_by',
  'requested_at',
  'leased_until',
  'attempts',
  'operation_id',
);

/** A delivery that has not been completed. */
export type DeliveryRow = RowOf<typeof deliveryColumns>;

/** The columns that all deliveries of one call have in common. */
type SharedColumns = Pick<DeliveryRow, 'report_id' | 'snapshot_key' | 'requested_by' | 'requested_at' | 'operation_id'>;

/** A delivery of a run, with its outcome if it has been completed. */
export type RunDelivery = DeliveryRow & { readonly outcome: ShareResult | null };

/** True while a call or a run delivers; false for a delivery that was interrupted. */
export function isInProgress({ operation_id, leased_until }: DeliveryRow, now: Date): boolean {
  return operation_id !== null || leased_until > now;
}

const maxDeliveries = 1_000;
const maxRunsRead = 1_000;

/** The open deliveries of a report. */
export async function findDeliveries(tx: Transaction, reportId: string): Promise<readonly DeliveryRow[]> {
  return tx.query(sql<DeliveryRow>`select ${deliveryColumns} from reporting_delivery d
    where d.graph_id = ${tx.graphId} and d.report_id = ${reportId} and d.outcome is null
    order by d.target_graph_id limit ${maxDeliveries}`);
}

/** Opens deliveries of a report, in place of interrupted or completed ones to the same graphs (D-12). */
export async function openDeliveries(
  tx: Transaction,
  targets: readonly string[],
  delivery: SharedColumns,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into reporting_delivery (graph_id, report_id, target_graph_id, snapshot_key, requested_by, requested_at,
      operation_id, ordinal, leased_until, attempts)
    select ${tx.graphId}, ${delivery.report_id}, t.id, ${delivery.snapshot_key}, ${delivery.requested_by},
      ${delivery.requested_at}, ${delivery.operation_id}, t.ordinal, ${new Date(now.getTime() + leaseMs)}, 1
    from unnest(${[...targets]}::text[]) with ordinality as t (id, ordinal)
    on conflict (graph_id, report_id, target_graph_id) do update set snapshot_key = excluded.snapshot_key,
      requested_by = excluded.requested_by, requested_at = excluded.requested_at,
      operation_id = excluded.operation_id, ordinal = excluded.ordinal, outcome = null,
      leased_until = excluded.leased_until, attempts = 1`);
}

/** The deliveries of a run in the order of its list, completed ones included. */
export async function deliveriesOfRun(tx: Transaction, operationId: string): Promise<readonly RunDelivery[]> {
  return tx.query(sql<RunDelivery>`select ${deliveryColumns}, d.outcome from reporting_delivery d
    where d.graph_id = ${tx.graphId} and d.operation_id = ${operationId} order by d.ordinal limit ${maxDeliveries}`);
}

/** Removes the deliveries of a run that has ended. */
export async function removeDeliveriesOfRun(tx: Transaction, operationId: string): Promise<void> {
  await tx.query(sql`delete from reporting_delivery
    where graph_id = ${tx.graphId} and operation_id = ${operationId}`);
}

/** Extends the leases that a call still has on the deliveries of its snapshot; interrupted ones stay free. */
export async function extendLeases(tx: Transaction, snapshotKey: string, now: Date): Promise<void> {
  await tx.query(sql`update reporting_delivery set leased_until = ${new Date(now.getTime() + leaseMs)}
    where graph_id = ${tx.graphId} and snapshot_key = ${snapshotKey} and leased_until > ${now}`);
}

/** Takes over an interrupted delivery; undefined if it was completed or another process has it. */
export async function takeOverDelivery(
  tx: Transaction,
  { reportId, targetGraphId }: { readonly reportId: string; readonly targetGraphId: string },
  now: Date,
): Promise<DeliveryRow | undefined> {
  const [row] = await tx.query(sql<DeliveryRow>`
    update reporting_delivery d set leased_until = ${new Date(now.getTime() + leaseMs)}, attempts = d.attempts + 1
    where d.graph_id = ${tx.graphId} and d.report_id = ${reportId} and d.target_graph_id = ${targetGraphId}
      and d.leased_until <= ${now} returning ${deliveryColumns}`);
  return row;
}

/** Completes a delivery. That of a run keeps its outcome until the run has ended, so that a restart continues there. */
export async function closeDelivery(
  tx: Transaction,
  { reportId, targetGraphId }: { readonly reportId: string; readonly targetGraphId: string },
  outcome: ShareResult | null,
): Promise<void> {
  const one = sql`graph_id = ${tx.graphId} and report_id = ${reportId} and target_graph_id = ${targetGraphId}`;
  await tx.query(sql`
    with kept as (
      update reporting_delivery set outcome = ${JSON.stringify(outcome)}::text::jsonb
      where ${one} and operation_id is not null and outcome is null)
    delete from reporting_delivery where ${one} and operation_id is null`);
}

/** True while a delivery has yet to read the snapshot. */
export async function isSnapshotUsed(tx: Transaction, snapshotKey: string): Promise<boolean> {
  const [row] = await tx.query(sql<{ readonly used: boolean }>`select exists (select from reporting_delivery
    where graph_id = ${tx.graphId} and snapshot_key = ${snapshotKey} and outcome is null) as used`);
  return row?.used === true;
}

/** The interrupted deliveries of all graphs, oldest first, except those of runs; in a kernel transaction. */
export async function dueDeliveries(
  tx: Transaction,
  now: Date,
): Promise<readonly Pick<ReportingDelivery, 'graph_id' | 'report_id' | 'target_graph_id'>[]> {
  return tx.query(sql<Pick<ReportingDelivery, 'graph_id' | 'report_id' | 'target_graph_id'>>`
    select graph_id, report_id, target_graph_id from reporting_delivery
    where leased_until <= ${now} and operation_id is null
    order by leased_until, graph_id, report_id, target_graph_id limit 100`);
}

/** The runs of all graphs that have deliveries, oldest first; in a kernel transaction. */
export async function runsWithDeliveries(
  tx: Transaction,
): Promise<readonly Pick<ReportingDelivery, 'graph_id' | 'operation_id' | 'snapshot_key'>[]> {
  return tx.query(sql<Pick<ReportingDelivery, 'graph_id' | 'operation_id' | 'snapshot_key'>>`
    select graph_id, operation_id, min(snapshot_key) as snapshot_key from reporting_delivery
    where operation_id is not null group by graph_id, operation_id order by min(requested_at), operation_id
    limit ${maxRunsRead}`);
}

/** Records a delivered copy as a new active share, or updates the one that exists (investor H-7). */
export async function recordShare(
  tx: Transaction,
  ids: Ids,
  share: Pick<ReportingShare, 'report_id' | 'target_graph_id' | 'shared_by' | 'shared_at' | 'fact_count'> & {
    readonly names: GraphNames;
  },
): Promise<void> {
  await tx.query(sql`
    insert into reporting_share (graph_id, id, report_id, target_graph_id, shared_by, shared_at, fact_count,
      target_graph_name, target_org_name)
    values (${tx.graphId}, ${ids.make('shr')}, ${share.report_id}, ${share.target_graph_id}, ${share.shared_by},
      ${share.shared_at}, ${share.fact_count}, ${share.names.graphName}, ${share.names.orgName})
    on conflict (graph_id, report_id, target_graph_id) where revoked_at is null
    do update set shared_by = excluded.shared_by, shared_at = excluded.shared_at, fact_count = excluded.fact_count,
      target_graph_name = excluded.target_graph_name, target_org_name = excluded.target_org_name`);
}

export async function hasActiveShare(tx: Transaction, reportId: string, targetGraphId: string): Promise<boolean> {
  const [row] = await tx.query(sql<{ readonly found: boolean }>`select exists (select from reporting_share
    where graph_id = ${tx.graphId} and report_id = ${reportId} and target_graph_id = ${targetGraphId}
      and revoked_at is null) as found`);
  return row?.found === true;
}

/** The number of graphs that have, or are about to get, a copy of the report (investor B-9). */
export async function countActiveShares(tx: Transaction, reportId: string): Promise<number> {
  const [row] = await tx.query(sql<{ readonly total: number }>`select count(*)::int as total from (
    select target_graph_id from reporting_share
    where graph_id = ${tx.graphId} and report_id = ${reportId} and revoked_at is null
    union select target_graph_id from reporting_delivery
    where graph_id = ${tx.graphId} and report_id = ${reportId} and outcome is null) as s`);
  return row?.total ?? 0;
}

/** Ends every active share of a report with a graph. */
export async function revokeShares(
  tx: Transaction,
  { reportId, targetGraphId }: { readonly reportId: string; readonly targetGraphId: string },
  by: { readonly userId: string; readonly now: Date },
): Promise<void> {
  await tx.query(sql`update reporting_share set revoked_at = ${by.now}, revoked_by = ${by.userId}
    where graph_id = ${tx.graphId} and report_id = ${reportId} and target_graph_id = ${targetGraphId}
      and revoked_at is null`);
}

/** Selects the graphs that have accepted a share of this graph (investor L-3). */
export async function acceptedTargets(tx: Transaction, targetIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query(sql<Pick<ReportingShare, 'target_graph_id'>>`
    select distinct target_graph_id from reporting_share
    where graph_id = ${tx.graphId} and target_graph_id = any(${[...targetIds]}::text[])`);
  return new Set(rows.map((row) => row.target_graph_id));
}
