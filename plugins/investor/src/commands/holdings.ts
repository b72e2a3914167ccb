import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineCommand, invalidInput, kernel, model, notFound } from '@pacioli/core';
import { Type } from 'typebox';
import { holdingsLines, overviewOf, writeHoldingsPage } from '../holdings-page/index.ts';
import { investments } from '../investments.ts';
import { instruments } from '../terms/index.ts';

/** Prints the holdings of a portfolio, or writes them as a page. */
export default defineCommand({
  name: 'holdings',
  summary: 'Prints the holdings of a portfolio by issuer and by kind of security, or writes them as one HTML page.',
  help: 'The page contains everything it needs and runs nothing. With the embedded store, stop the server first.',
  options: model('HoldingsOptions', {
    portfolio: Type.String({ description: 'id of the portfolio' }),
    graph: Type.String({ description: 'id of the graph' }),
    html: Type.Optional(Type.Boolean({ description: 'write a page instead of text' })),
    out: Type.Optional(Type.String({ description: 'the file to write; standard output if absent' })),
  }),
  positional: ['portfolio'],
  services: { graphs: kernel.graphs, investments, instruments },

  async run({ options, ctx: { store, print, now }, use }) {
    const { graph: graphId, portfolio: portfolioId } = options;
    const graph = await store.transaction('kernel', (tx) => use.graphs.find(tx, graphId));
    if (graph === undefined) throw notFound(`There is no graph '${graphId}'. Give the id of one, such as kg1a2b.`);
    const held = await store.transaction({ graphId }, (tx) => use.investments.blocks.holdings(tx, portfolioId), {
      readOnly: true,
    });
    if (held === undefined) throw notFound(`The graph ${graphId} has no portfolio '${portfolioId}'.`);
    const overview = overviewOf(held, use.instruments);
    const text = options.html === true ? writeHoldingsPage(overview, now()) : `${holdingsLines(overview).join('\n')}\n`;
    if (options.out === undefined) print(text.trimEnd());
    else await write(options.out, text);
    return 0;
  },
});

async function write(path: string, text: string): Promise<void> {
  await writeFile(resolve(path), text).catch((error: Error) => {
    throw invalidInput(`${path} cannot be written: ${error.message}. Give a path in a folder that exists.`);
  });
}
