import { kernel, type Transaction } from '@pacioli/core';
import { type LibraryViews, library, libraryUpgradeReport, libraryViews } from '@pacioli/taxonomy';
import { Command } from 'commander';
import { type Deployment, openDeployment } from '../deployment.ts';
import { describeGraphUpgrade, describeRelease } from '../library-report.ts';
import { createLog } from '../log.ts';
import { readSettings } from '../settings.ts';
import { StartUpError } from '../start-up-error.ts';

/** Kept as the author of what an operator sets. */
const operator = 'operator';

/** What an operator asks of the shipped library: what a release changes, and pins of graphs (taxonomy LB-9 to LB-12). */
export function libraryCommand(): Command {
  return new Command('library')
    .description('Says what this release changes in the shipped library, and which edition a graph looks at.')
    .addHelpText('after', '\nWith the embedded store, stop the server first.')
    .addCommand(reportCommand())
    .addCommand(showCommand())
    .addCommand(pinCommand())
    .addCommand(unpinCommand())
    .addCommand(hideCommand());
}

function reportCommand(): Command {
  return new Command('report')
    .description('Says what this release would change in the library of the database, for all graphs or for one.')
    .argument('[graph]', 'id of a graph; without it, what would keep the release from starting')
    .option('--json', 'print one JSON object instead of text')
    .addHelpText(
      'after',
      '\nRun it with the new release before the server is started with it; nothing is written. The exit code is 1 when' +
        '\nthe release would be refused.',
    )
    .action((graphId: string | undefined, options: ReportOptions) =>
      withDeployment({ untouched: true }, (deployment) =>
        graphId === undefined ? reportRelease(deployment, options) : reportGraph(deployment, graphId, options),
      ),
    );
}

interface ReportOptions {
  readonly json?: boolean;
}

async function reportRelease({ store, service }: Deployment, { json = false }: ReportOptions): Promise<void> {
  const report = await libraryUpgradeReport(store, service.services.resolve(library).rows);
  console.log(json ? JSON.stringify(report) : describeRelease(report));
  if (report.held.length + report.leftBehind.length > 0) process.exitCode = 1;
}

async function reportGraph(deployment: Deployment, graphId: string, { json = false }: ReportOptions): Promise<void> {
  await requireGraph(deployment, graphId);
  const { store, service } = deployment;
  const { elements } = service.services.resolve(library).rows;
  const views = service.services.resolve(libraryViews);
  // It writes nothing, but holds off the closing of months while it looks, which a read-only transaction may not.
  const report = await store.transaction({ graphId }, (tx) => views.dryRun(tx));
  console.log(json ? JSON.stringify(report) : describeGraphUpgrade(graphId, report, elements));
  if (report.missing.length > 0) process.exitCode = 1;
}

function showCommand(): Command {
  return new Command('show')
    .description('Prints the pin of a graph and the concepts that its lists hide, as JSON.')
    .argument('<graph>', 'id of the graph')
    .action((graphId: string) => inGraph(graphId, async () => undefined));
}

function pinCommand(): Command {
  return new Command('pin')
    .description('Pins a graph to an edition. A release without that edition does not start while the pin is there.')
    .argument('<graph>', 'id of the graph')
    .argument('<framework>', 'such as rs-gaap@v1')
    .argument('[packages...]', 'other versions of single packages, such as fac@v1')
    .action((graphId: string, framework: string, packages: readonly string[]) =>
      inGraph(graphId, async (views, work) => {
        await views.pin(work, { framework, overrides: versionsOf(packages) });
      }),
    );
}

function unpinCommand(): Command {
  return new Command('unpin')
    .description('Lets a graph follow the default edition of each release.')
    .argument('<graph>', 'id of the graph')
    .action((graphId: string) => inGraph(graphId, (views, work) => views.unpin(work)));
}

function hideCommand(): Command {
  return new Command('hide')
    .description('Replaces the list of shipped concepts that lists and suggestions of a graph leave out.')
    .argument('<graph>', 'id of the graph')
    .argument('[concepts...]', 'such as rs-gaap:Goodwill; none shows everything again')
    .action((graphId: string, concepts: readonly string[]) =>
      inGraph(graphId, (views, work) => views.exclude(work, concepts)),
    );
}

/** Carries out one change of how a graph sees the library and prints what holds then. */
async function inGraph(
  graphId: string,
  change: (
    views: LibraryViews,
    work: { readonly tx: Transaction; readonly userId: string; readonly now: Date },
  ) => Promise<void>,
): Promise<void> {
  await withDeployment({}, async (deployment) => {
    await requireGraph(deployment, graphId);
    const { services } = deployment.service;
    const views = services.resolve(libraryViews);
    const clock = services.resolve(kernel.clock);
    const view = await deployment.store.transaction({ graphId }, async (tx) => {
      await change(views, { tx, userId: operator, now: clock.now() });
      return views.view(tx);
    });
    console.log(JSON.stringify(view));
  });
}

async function withDeployment(
  options: { readonly untouched?: boolean },
  work: (deployment: Deployment) => Promise<void>,
): Promise<void> {
  const settings = readSettings(process.env);
  const deployment = await openDeployment(settings, createLog(settings.switches.logLevel), options);
  try {
    await work(deployment);
  } finally {
    await deployment.close();
  }
}

async function requireGraph({ store, service }: Deployment, graphId: string): Promise<void> {
  const graph = await store.transaction('kernel', (tx) => service.services.resolve(kernel.graphs).find(tx, graphId));
  if (graph === undefined)
    throw new StartUpError(`There is no graph '${graphId}'. Give the id of one, such as kg1a2b.`);
}

/** `fac@v1` and the like, as versions by package. */
function versionsOf(packages: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    packages.map((each) => {
      const [name, version, ...rest] = each.split('@');
      if (!name || !version || rest.length > 0)
        throw new StartUpError(`'${each}' is no package with a version. Write it as fac@v1.`);
      return [name, version];
    }),
  );
}
