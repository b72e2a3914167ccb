import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { defineCommand, invalidInput, kernel, model, notFound } from '@pacioli/core';
import { Type } from 'typebox';
import { downloadReport, findBundle, reportForecastServices } from '../reports/index.ts';
import { reportSerializers } from '../serialization/downloads/index.ts';

/** Prints a report as text, or writes it in any format of this deployment (reporting G-7). */
export default defineCommand({
  name: 'report',
  summary: 'Prints the statements of a report, or writes them as one HTML page or in another format.',
  help: 'The page contains everything it needs and runs nothing. With the embedded store, stop the server first.',
  options: model('ReportOptions', {
    report: Type.String({ description: 'id of the report' }),
    graph: Type.String({ description: 'id of the graph' }),
    html: Type.Optional(Type.Boolean({ description: 'write a page, like --format html' })),
    format: Type.Optional(
      Type.String({ description: 'text (the default), html, xlsx, csv, jsonld, holon-jsonld, xbrl-2.1 or xbrl-json' }),
    ),
    scenario: Type.Optional(
      Type.String({
        description: 'id of a forecast, whose months follow the columns of the report (text, html, xlsx)',
      }),
    ),
    out: Type.Optional(Type.String({ description: 'the file to write; standard output if absent' })),
  }),
  positional: ['report'],
  services: {
    ...reportForecastServices,
    graphs: kernel.graphs,
    files: kernel.fileStore,
    serializers: reportSerializers,
  },

  async run({ options, ctx: { store, print, signal }, use }) {
    const { graph: graphId, report: reportId, scenario: scenarioId, out } = options;
    const graph = await store.transaction('kernel', (tx) => use.graphs.find(tx, graphId));
    if (graph === undefined) throw notFound(`There is no graph '${graphId}'. Give the id of one, such as kg1a2b.`);
    const row = await store.transaction({ graphId }, (tx) => findBundle(tx, reportId), { readOnly: true });
    if (row === undefined) throw notFound(`The graph ${graphId} has no report '${reportId}'.`);
    const format = options.format ?? (options.html === true ? 'html' : 'text');
    const forecast = scenarioId === undefined ? undefined : { graphId, scenarioId };
    const { chunks, contentType } = await downloadReport(row, use, { format, forecast, signal });
    if (out !== undefined) await write(out, chunks);
    else if (isText(contentType)) print((await buffer(Readable.from(chunks))).toString('utf8').trimEnd());
    else throw invalidInput(`The format ${format} is not text. Name a file with --out.`);
    return 0;
  },
});

function isText(contentType: string): boolean {
  return contentType.startsWith('text/') || contentType.includes('json');
}

async function write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(Readable.from(chunks), createWriteStream(resolve(path))).catch((error: Error) => {
    throw invalidInput(`${path} cannot be written: ${error.message}. Give a path in a folder that exists.`);
  });
}
