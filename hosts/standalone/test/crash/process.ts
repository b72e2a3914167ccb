/**
 * A service with a worker that stops for good at one point of a copy or a backup, and says so. Started by the crash
 * test, which kills it there.
 */
import { join } from 'node:path';
import { assemble } from '@pacioli/core/assembly';
import type { FileStore, GraphStore } from '@pacioli/core/ports';
import { localFileStore } from '@pacioli/files-local';
import graph from '@pacioli/graph';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import { createKoaApp, createLimitedServer } from '@pacioli/host-koa';
import { duckdbStagingStore } from '@pacioli/staging-duckdb';
import { embeddedStore } from '@pacioli/store-postgres';

const [folder = '', port = '0', point = ''] = process.argv.slice(2);

async function stopAt(name: string): Promise<void> {
  if (name !== point) return;
  console.log(`reached ${name}`);
  await new Promise(() => {
    // Until the process is killed.
  });
}

/** The embedded engine; the point is after a copy, of which no row tells yet. */
function stoppingGraphs(): GraphStore {
  const graphs = ladybugGraphStore({ folder: join(folder, 'graphs') });
  const { copy } = graphs;
  graphs.copy = async (...words) => {
    const stats = await copy.apply(graphs, words);
    await stopAt('after the copy');
    return stats;
  };
  return graphs;
}

/** The folder of files; the points are in the middle of an archive, and after it was stored. */
function stoppingFiles(): FileStore {
  const files = localFileStore({ folder: join(folder, 'files') });
  const { write } = files;
  files.write = async (key, chunks, options) => {
    async function* watched(): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        yield chunk;
        await stopAt('in the archive');
      }
    }
    const info = await write.call(files, key, watched(), options);
    await stopAt('after the archive');
    return info;
  };
  return files;
}

const service = await assemble({
  plugins: [graph],
  store: await embeddedStore({ folder: join(folder, 'store') }),
  graphStore: stoppingGraphs(),
  fileStore: stoppingFiles(),
  stagingStore: duckdbStagingStore({ folder: join(folder, 'staging') }),
  auth: { jwtSecret: 'a secret that all processes share: 0123456789', issuer: 'crash', audience: 'crash' },
  // A short lease, so that the run of a killed process is repeated soon.
  settings: { rateLimits: { profile: 'test' }, operations: { leaseSeconds: 1 } },
});
await service.startWorker();
createLimitedServer(createKoaApp(service).callback()).listen(Number(port), '127.0.0.1', () => console.log('ready'));
