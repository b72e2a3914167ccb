import { kernel, type Transaction } from '@pacioli/core';
import { type LibraryViews, library, libraryUpgradeReport, libraryViews } from '@pacioli/taxonomy';
import type { Deployment } from './deployment.ts';
import { describeGraphUpgrade, describeRelease } from './library-report.ts';
import { StartUpError } from './start-up-error.ts';

/** Stored as the author of changes by an operator. */
const operator = 'operator';

/** The parts of a deployment that `pacioli library` uses. */
type Opened = Pick<Deployment, 'service' | 'store'>;

/** The output and exit code of `pacioli library`. */
export interface LibraryAnswer {
  readonly text: string;
  readonly exitCode: 0 | 1;
}

interface ReportOptions {
  readonly isJson: boolean;
}

/** Reports the changes of this release for all graphs; exit code 1 if it would not start (taxonomy LB-9, LB-11). */
export async function reportRelease({ store, service }: Opened, { isJson }: ReportOptions): Promise<LibraryAnswer> {
  const report = await libraryUpgradeReport(store, service.services.resolve(library).rows);
  const isRefused = report.held.length + report.leftBehind.length > 0;
  return { text: isJson ? JSON.stringify(report) : describeRelease(report), exitCode: isRefused ? 1 : 0 };
}

/** Reports the changes of this release for a graph; exit code 1 if the graph blocks it (taxonomy LB-9, LB-12). */
export async function reportGraph(opened: Opened, graphId: string, { isJson }: ReportOptions): Promise<LibraryAnswer> {
  await requireGraph(opened, graphId);
  const { store, service } = opened;
  const { elements } = service.services.resolve(library).rows;
  const views = service.services.resolve(libraryViews);
  // It writes nothing, but it locks periods against closing, which a read-only transaction may not do.
  const report = await store.transaction({ graphId }, async (tx) => {
    const leftBehind = await views.leftBehind(tx);
    return { ...(await views.dryRun(tx)), leftBehind: leftBehind ?? null };
  });
  const isRefused = report.missing.length > 0 || report.leftBehind !== null;
  const text = isJson ? JSON.stringify(report) : describeGraphUpgrade(graphId, report, elements);
  return { text, exitCode: isRefused ? 1 : 0 };
}

/** Returns a graph's view of the library as JSON. */
export async function showView(opened: Opened, graphId: string): Promise<LibraryAnswer> {
  await requireGraph(opened, graphId);
  const views = opened.service.services.resolve(libraryViews);
  const view = await opened.store.transaction({ graphId }, (tx) => views.view(tx), { readOnly: true });
  return { text: JSON.stringify(view), exitCode: 0 };
}

/** Changes a graph's view of the library in one transaction and returns the new view. */
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
