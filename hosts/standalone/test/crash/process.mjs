/**
 * A service with a worker, or a command of a plugin, that stops for good at one point of its work, and says so. Started by
 * the crash tests, which kill it there. Plain JavaScript, because a translator would take four more seconds of processor
 * time for each start on a slow machine.
 */
import { join } from 'node:path';
import { assemble } from '@pacioli/core/assembly';
import { localFileStore } from '@pacioli/files-local';
import graph from '@pacioli/graph';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import { createKoaApp, createLimitedServer } from '@pacioli/host-koa';
import search from '@pacioli/search';
import { duckdbStagingStore } from '@pacioli/staging-duckdb';
import { postgresStore } from '@pacioli/store-postgres';
import { letters, namedEmbedder, stoppingIndex } from './search-drivers.mjs';

const [folder = '', port = '0', firstPoint = '', command = '', options = '{}'] = process.argv.slice(2);
const { minutesLater = 0, embedder = 'first', withLetter = false } = JSON.parse(options);

/** Where it stops; a line on standard input sets another point. */
let point = firstPoint;
process.stdin.on('data', (line) => {
  point = line.toString().trim();
  console.log(`stops ${point}`);
});

/** @param {string} name */
async function stopAt(name) {
  if (name !== point) return;
  console.log(`reached ${name}`);
  await new Promise(() => {
    // Until the process is killed.
  });
}

/**
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {string} name
 */
async function* watched(chunks, name) {
  for await (const chunk of chunks) {
    yield chunk;
    await stopAt(name);
  }
}

/**
 * The embedded engine; of what is complete at the points, no row tells yet, except before a removal.
 *
 * @returns {import('@pacioli/core/ports').GraphStore}
 */
function stoppingGraphs() {
  const graphs = ladybugGraphStore({ folder: join(folder, 'graphs') });
  const { copy, restore, load, drop } = graphs;
  graphs.copy = async (...words) => {
    const stats = await copy.apply(graphs, words);
    await stopAt('after the copy');
    return stats;
  };
  graphs.restore = async (ref, { format, chunks }, signal) =>
    restore.call(graphs, ref, { format, chunks: watched(chunks, 'in the restored file') }, signal);
  graphs.load = async (...words) => {
    const report = await load.apply(graphs, words);
    await stopAt('after a table');
    return report;
  };
  graphs.drop = async (ref) => {
    await stopAt('before a removal');
    return drop.call(graphs, ref);
  };
  return graphs;
}

/**
 * The folder of files; the points are in the middle of an archive, and after it was stored.
 *
 * @returns {import('@pacioli/core/ports').FileStore}
 */
function stoppingFiles() {
  const files = localFileStore({ folder: join(folder, 'files') });
  const { write } = files;
  files.write = async (key, chunks, options) => {
    const info = await write.call(files, key, watched(chunks, 'in the archive'), options);
    await stopAt('after the archive');
    return info;
  };
  return files;
}

const service = await assemble({
  plugins: [graph, search, ...(withLetter ? [letters] : [])],
  // The store is not the subject, and a start on the embedded one takes twice the processor time.
  store: await postgresStore({ url: process.env.DATABASE_URL ?? '', maxConnections: 8 }),
  graphStore: stoppingGraphs(),
  fileStore: stoppingFiles(),
  searchIndex: stoppingIndex(folder, stopAt),
  embedder: namedEmbedder(embedder),
  clock: { now: () => new Date(Date.now() + minutesLater * 60_000) },
  stagingStore: duckdbStagingStore({ folder: join(folder, 'staging') }),
  auth: { jwtSecret: 'a secret that all processes share: 0123456789', issuer: 'crash', audience: 'crash' },
  // A short lease, so that the run of a killed process is repeated soon; a shorter one ends on a busy machine.
  settings: { rateLimits: { profile: 'test' }, operations: { leaseSeconds: 3 } },
});
if (command !== '') {
  const found = service.commands.find(({ name }) => name === command);
  const code = await found?.run({ options: JSON.parse(options), print: () => undefined });
  console.log(`ended ${code}`);
  await service.close();
  process.exit();
}
await service.startWorker();
createLimitedServer(createKoaApp(service).callback()).listen(Number(port), '127.0.0.1', () => console.log('ready'));
