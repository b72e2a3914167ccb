import { kernel, type Transaction } from '@pacioli/core';
import { type LibraryViews, library, libraryUpgradeReport, libraryViews } from '@pacioli/taxonomy';
import type { Deployment } from './deployment.ts';
import { describeGraphUpgrade, describeRelease } from './library-report.ts';
import { StartUpError } from './start-up-error.ts';

/** Kept as the author of what an operator sets. */
const operator = 'operator';

/** What `pacioli library` needs of a deployment. */
type Opened = Pick<Deployment, 'service' | 'store'>;

/** What `pacioli library` prints, and the exit code it ends with. */
export interface LibraryAnswer {
  readonly text: string;
  readonly exitCode: 0 | 1;
}

interface ReportOptions {
  readonly isJson: boolean;
}

/** Says what this release changes for all graphs; 1 when it would not start (taxonomy LB-9, LB-11). */
export async function reportRelease({ store, service }: Opened, { isJson }: ReportOptions): Promise<LibraryAnswer> {
  const report = await libraryUpgradeReport(store, service.services.resolve(library).rows);
  const isRefused = report.held.length + report.leftBehind.length > 0;
  return { text: isJson ? JSON.stringify(report) : describeRelease(report), exitCode: isRefused ? 1 : 0 };
}

/** Says what this release changes for a graph; 1 when the graph keeps it from starting (taxonomy LB-9, LB-12). */
export async function reportGraph(opened: Opened, graphId: string, { isJson }: ReportOptions): Promise<LibraryAnswer> {
  await requireGraph(opened, graphId);
  const { store, service } = opened;
  const { elements } = service.services.resolve(library).rows;
  const views = service.services.resolve(libraryViews);
  // It writes nothing, but holds off the closing of months while it looks, which a read-only transaction may not.
  const report = await store.transaction({ graphId }, async (tx) => {
    const leftBehind = await views.leftBehind(tx);
    return { ...(await views.dryRun(tx)), leftBehind: leftBehind ?? null };
  });
  const isRefused = report.missing.length > 0 || report.leftBehind !== null;
  const text = isJson ? JSON.stringify(report) : describeGraphUpgrade(graphId, report, elements);
  return { text, exitCode: isRefused ? 1 : 0 };
}

/** Says how a graph sees the library, as JSON. */
export async function showView(opened: Opened, graphId: string): Promise<LibraryAnswer> {
  await requireGraph(opened, graphId);
  const views = opened.service.services.resolve(libraryViews);
  const view = await opened.store.transaction({ graphId }, (tx) => views.view(tx), { readOnly: true });
  return { text: JSON.stringify(view), exitCode: 0 };
}

/** Changes how a graph sees the library, in one transaction, and says what holds then. Throws what the change throws. */
export async function changeView(
  opened: Opened,
  graphId: string,
  change: (
    views: LibraryViews,
    work: { readonly tx: Transaction; readonly userId: string; readonly now: Date },
  ) => Promise<unknown>,
): Promise<LibraryAnswer> {
  await requireGraph(opened, graphId);
  const { services } = opened.service;
  const views = services.resolve(libraryViews);
  const now = services.resolve(kernel.clock).now();
  const view = await opened.store.transaction({ graphId }, async (tx) => {
    await change(views, { tx, userId: operator, now });
    return views.view(tx);
  });
  return { text: JSON.stringify(view), exitCode: 0 };
}

async function requireGraph({ store, service }: Opened, graphId: string): Promise<void> {
  const graph = await store.transaction('kernel', (tx) => service.services.resolve(kernel.graphs).find(tx, graphId), {
    readOnly: true,
  });
  if (graph === undefined)
    throw new StartUpError(`There is no graph '${graphId}'. Give the id of one, such as kg1a2b.`);
}
