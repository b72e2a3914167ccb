import { type Graphs, ServiceError, type Store, type WriteContext } from '@pacioli/core';
import { findReport } from './report-rows.ts';

interface AuthorServices {
  readonly store: Store;
  readonly graphs: Pick<Graphs, 'hasMember'>;
}

/**
 * Refuses an admin who is not the author while the author is a member of the graph; an admin acts only for authors who
 * left it (P-4). Comes before the transaction of the write, because members are not rows of the graph.
 */
export async function refuseOthersWork(
  { caller, graph }: Pick<WriteContext, 'caller' | 'graph'>,
  { store, graphs }: AuthorServices,
  reportId: string,
): Promise<void> {
  if (graph.role !== 'admin') return;
  const report = await store.transaction({ graphId: graph.id }, (tx) => findReport(tx, reportId), { readOnly: true });
  if (report === undefined || report.source_graph_id !== null || report.created_by === caller.userId) return;
  const author = report.created_by;
  const isMember = await store.transaction('kernel', (tx) => graphs.hasMember(tx, graph.id, author), {
    readOnly: true,
  });
  if (isMember) throw notAuthor(reportId);
}

export function notAuthor(reportId: string): ServiceError {
  return new ServiceError('forbidden', 'NOT_AUTHOR', `Only the author of report '${reportId}' can do this.`);
}

/** Nobody changes a copy, not even its sender; an admin may delete it (P-4). */
export function isCopy(reportId: string): ServiceError {
  const message = `Report '${reportId}' is a copy shared in from another graph; re-share from the source.`;
  return new ServiceError('forbidden', 'REPORT_IS_COPY', message);
}
