import { Command } from 'commander';
import { type Deployment, openDeployment } from '../deployment.ts';
import { changeView, type LibraryAnswer, reportGraph, reportRelease, showView } from '../library-answers.ts';
import { createLog } from '../log.ts';
import { readSettings } from '../settings.ts';
import { StartUpError } from '../start-up-error.ts';

/** Commands for the shipped library: the changes of a release, and the pins of graphs (taxonomy LB-9 to LB-12). */
export function libraryCommand(): Command {
  return new Command('library')
    .description('Reports the changes of this release to the shipped library, and sets the edition that a graph uses.')
    .addHelpText(
      'after',
      '\nNo command changes tables or the stored library: only "pacioli migrate" and the start of the server do.' +
        '\nWith the embedded store, stop the server first.',
    )
    .addCommand(reportCommand())
    .addCommand(showCommand())
    .addCommand(pinCommand())
    .addCommand(unpinCommand())
    .addCommand(hideCommand());
}

function reportCommand(): Command {
  return new Command('report')
    .description('Reports what this release would change in the library of the database, for all graphs or for one.')
    .argument('[graph]', 'id of a graph; without it, reports what would keep the release from starting')
    .option('--json', 'print one JSON object instead of text')
    .addHelpText(
      'after',
      '\nRun it with the new release before you start the server with it; nothing is written. The exit code is 1 when' +
        '\nthe release could not start.',
    )
    .action((graphId: string | undefined, { json: isJson = false }: { readonly json?: boolean }) =>
      answer((deployment) =>
        graphId === undefined ? reportRelease(deployment, { isJson }) : reportGraph(deployment, graphId, { isJson }),
      ),
    );
}

function showCommand(): Command {
  return new Command('show')
    .description('Prints the pin of a graph and the concepts that its lists hide, as JSON.')
    .argument('<graph>', 'id of the graph')
    .action((graphId: string) => answer((deployment) => showView(deployment, graphId)));
}

function pinCommand(): Command {
  return new Command('pin')
    .description('Pins a graph to an edition. A release without that edition does not start while the pin exists.')
    .argument('<graph>', 'id of the graph')
    .argument('<framework>', 'such as rs-gaap@v1')
    .argument('[packages...]', 'other versions of single packages, such as fac@v1')
    .action((graphId: string, framework: string, packages: readonly string[]) => {
      const overrides = versionsOf(packages);
      return answer((deployment) =>
        changeView(deployment, graphId, (views, work) => views.pin(work, { framework, overrides })),
      );
    });
}

function unpinCommand(): Command {
  return new Command('unpin')
    .description('Lets a graph follow the default edition of each release.')
    .argument('<graph>', 'id of the graph')
    .action((graphId: string) =>
      answer((deployment) => changeView(deployment, graphId, (views, work) => views.unpin(work))),
    );
}

function hideCommand(): Command {
  return new Command('hide')
    .description('Replaces the list of shipped concepts that the lists and suggestions of a graph omit.')
    .argument('<graph>', 'id of the graph')
    .argument('[concepts...]', 'such as rs-gaap:Goodwill; none shows everything again')
    .action((graphId: string, concepts: readonly string[]) =>
      answer((deployment) => changeView(deployment, graphId, (views, work) => views.exclude(work, concepts))),
    );
}

/**
 * Prints an answer of the deployment without applying migrations or the library: an operator who inspects a database,
 * or pins a graph to hold a release back, must not install that release's library by doing so (taxonomy LB-9, LB-11).
 */
async function answer(ask: (deployment: Deployment) => Promise<LibraryAnswer>): Promise<void> {
  const settings = readSettings(process.env);
  const deployment = await openDeployment(settings, createLog(settings.switches.logLevel), { untouched: true });
  try {
    const { text, exitCode } = await ask(deployment);
    console.log(text);
    if (exitCode !== 0) process.exitCode = exitCode;
  } finally {
    await deployment.close();
  }
}

/** Parses arguments such as `fac@v1` into versions by package. */
function versionsOf(packages: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    packages.map((each) => {
      const [name, version, ...rest] = each.split('@');
      if (!name || !version || rest.length > 0)
        throw new StartUpError(`'${each}' is not a package with a version. Write it as fac@v1.`);
      return [name, version];
    }),
  );
}
