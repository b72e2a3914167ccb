import {
  defineCommand,
  type EventPublisher,
  eventPublisher,
  invalidInput,
  kernel,
  model,
  notFound,
  systemCaller,
  type Transaction,
} from '@pacioli/core';
import { Type } from 'typebox';
import portfolioCreated from '../events/portfolio-created.ts';
import positionsOpened from '../events/positions-opened.ts';
import securityCreated from '../events/security-created.ts';
import {
  columnsHelp,
  type ImportedPortfolio,
  maxFileBytes,
  problemLines,
  readPortfolioFile,
  readTextFile,
  summaryLines,
} from '../imports/index.ts';
import { investments } from '../investments.ts';

/** Writes the positions of a file into a new portfolio, all of them or none. */
export default defineCommand({
  name: 'import-portfolio',
  summary: 'Imports a file of positions (comma-separated values) into a new portfolio of a graph.',
  help: `The first row of the file has the names of its columns, in any order; quantity is required, and every row has a
security_id or a security_name with a security_type. All rows are checked before anything is written; a line for each
row that is wrong says what to do, and the exit code is 1. A security of the graph with the same name, type and subtype
is used, others are created. Amounts are in major units, such as 1234.56. The limits are 5,000 positions and 16 MiB.
With the embedded store, stop the server first.

Columns:
${columnsHelp}`,
  options: model('ImportPortfolioOptions', {
    file: Type.String({ description: 'the file, in UTF-8' }),
    graph: Type.String({ description: 'id of the graph' }),
    name: Type.String({ minLength: 1, maxLength: 200, description: 'name of the new portfolio' }),
    base_currency: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{3}$', description: 'currency of its totals (ISO 4217); USD if absent' }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'check everything, write nothing' })),
  }),
  positional: ['file'],
  services: { graphs: kernel.graphs, events: eventPublisher, investments },

  async run({ options, ctx: { store, print, now }, use }) {
    const { graph: graphId } = options;
    const graph = await store.transaction('kernel', (tx) => use.graphs.find(tx, graphId));
    if (graph === undefined) throw notFound(`There is no graph '${graphId}'. Give the id of one, such as kg1a2b.`);
    if (!graph.extensions.includes('investor'))
      throw invalidInput(`The graph ${graphId} has no investor extension. Add it with add-extension first.`);
    const name = options.name.trim();
    if (name === '') throw invalidInput('--name: the name of the portfolio is blank.');
    const by = { userId: systemCaller.userId, now: now() };
    const file = readPortfolioFile(await readTextFile(options.file, maxFileBytes), by.now.toISOString().slice(0, 10));
    const baseCurrency = options.base_currency?.toUpperCase() ?? 'USD';
    const result = await store.transaction({ graphId }, async (tx) => {
      // Rows of a wrong form cannot be looked up, but the others are, so that one run finds everything.
      const plan = await use.investments.importer.check(tx, file.rows, baseCurrency);
      if ('problems' in plan) return { problems: [...file.problems, ...plan.problems] };
      if (file.problems.length > 0) return file;
      if (options.dry_run === true) return { plan };
      const imported = await use.investments.importer.write(tx, plan, { name, baseCurrency, by });
      await use.graphs.markStale(tx, graphId, 'portfolio_block_created');
      await publish(tx, use.events, imported);
      return { plan, portfolioId: imported.portfolioId };
    });
    if ('problems' in result) {
      for (const line of problemLines(result.problems)) print(line);
      print('Nothing was imported. Correct the rows and run the command again.');
      return 1;
    }
    for (const line of summaryLines(result.plan)) print(line);
    print(
      result.portfolioId === undefined
        ? 'All rows are valid; nothing was imported.'
        : `Imported into ${result.portfolioId}.`,
    );
    return 0;
  },
});

/** Limit of the ids of one event, and of the events of one statement. */
const maxIds = 1_000;

/** Publishes what the operations publish, with ids only (I-27). */
async function publish(tx: Transaction, events: EventPublisher, imported: ImportedPortfolio): Promise<void> {
  const { graphId } = tx;
  const ids = { graph_id: graphId, portfolio_id: imported.portfolioId };
  for (const part of parts(imported.newSecurityIds)) {
    const payloads = part.map((securityId) => ({ graph_id: graphId, security_id: securityId }));
    await events.publishAll(tx, securityCreated, payloads, graphId);
  }
  await events.publish(tx, portfolioCreated, ids, graphId);
  const opened = parts(imported.positionIds).map((part) => ({ ...ids, position_ids: [...part] }));
  await events.publishAll(tx, positionsOpened, opened, graphId);
}

function parts(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / maxIds);
  return Array.from({ length: count }, (_, index) => ids.slice(index * maxIds, (index + 1) * maxIds));
}
