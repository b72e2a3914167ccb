import { type GraphRecord, notFound, ServiceError, type Transaction } from '@pacioli/core';
import { findReport, lockReport, type ReportRow, writeConflict } from '../reports/index.ts';
import { findList, listMembers } from './publish-lists.ts';
import { deliveryErrors, listIsEmpty, listNotFound, type ShareResult } from './refusals.ts';
import { findDeliveries, hasActiveShare, isInProgress } from './share-rows.ts';
import { canReceive } from './target-graphs.ts';

/** The refusal of a target; undefined if it can receive reports (investor 7.2, steps 1 and 2). */
export function refusalOf(id: string, known: ReadonlyMap<string, GraphRecord> | undefined): ShareResult | undefined {
  if (known === undefined) return failed(id, deliveryErrors.notValidated);
  const graph = known.get(id);
  if (graph === undefined) return failed(id, deliveryErrors.notFound(id));
  return canReceive(graph) ? undefined : failed(id, deliveryErrors.noExtension);
}

/** The outcome of a delivery that failed. */
export function failed(targetGraphId: string, error: string): ShareResult {
  return { target_graph_id: targetGraphId, status: 'error', error, fact_count: 0 };
}

/** Reads the report and the members of the list; throws if the sender may not share it (investor 7.2). */
export async function requireShareable(
  tx: Transaction,
  { listId, reportId, userId }: { readonly listId: string; readonly reportId: string; readonly userId: string },
): Promise<{ readonly report: ReportRow; readonly targets: readonly string[] }> {
  if ((await findList(tx, listId)) === undefined) throw listNotFound();
  const targets = (await listMembers(tx, listId)).map((member) => member.target_graph_id);
  if (targets.length === 0) throw listIsEmpty();
  const report = await findReport(tx, reportId);
  if (report === undefined) throw notFound(`Report '${reportId}' not found.`);
  if (report.source_graph_id !== null || report.created_by !== userId) throw notSharer();
  if (report.generation_status !== 'published') {
    throw new ServiceError('invalid_input', 'INVALID_INPUT', 'Only published reports can be shared.');
  }
  return { report, targets };
}

function notSharer(): ServiceError {
  return new ServiceError('forbidden', 'NOT_AUTHOR', 'Not authorized to share this report.');
}

/** Locks the report and requires a share of it that is not being delivered (investor B-2). */
export async function requireRevocable(
  tx: Transaction,
  work: {
    readonly reportId: string;
    readonly targetGraphId: string;
    readonly userId: string;
    readonly isAdmin: boolean;
    readonly now: Date;
  },
): Promise<void> {
  const { reportId, targetGraphId } = work;
  const report = await lockReport(tx, reportId);
  const open = (await findDeliveries(tx, reportId)).find((row) => row.target_graph_id === targetGraphId);
  if (report === undefined || (open === undefined && !(await hasActiveShare(tx, reportId, targetGraphId)))) {
    throw notFound(`No active share of report '${reportId}' to '${targetGraphId}'.`);
  }
  if (report.created_by !== work.userId && !work.isAdmin) {
    throw new ServiceError(
      'forbidden',
      'NOT_AUTHOR',
      `Only the author of report '${reportId}' or an admin can do this.`,
    );
  }
  if (open !== undefined && isInProgress(open, work.now)) throw writeConflict(reportId);
}
