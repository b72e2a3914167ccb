// Plain JavaScript, because a worker thread starts from this very file: from the sources (where nothing translates
// TypeScript for a thread) and from dist alike. It moves bytes of the PostgreSQL protocol and knows nothing else.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

// The engine fills its buffers with zeros when it starts, so the standard 128 MB would be resident from then on. What
// they do not hold is read from the page cache of the system.
const settings = ['shared_buffers=32MB'];

const port = parentPort;
if (port === null) throw new Error('This file runs in a worker thread only.');

const engine = await PGlite.create({
  dataDir: workerData.folder,
  pgliteWasmModule: workerData.engine,
  startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])],
});

port.on('message', (message) => {
  if (message === 'close') {
    engine.close().finally(() => process.exit(0));
    return;
  }
  // The engine reuses its output buffer, so the answer is copied before it crosses the thread.
  const answer = engine.execProtocolRawSync(message).slice();
  port.postMessage(answer, [answer.buffer]);
});
port.postMessage('ready');
