// Plain JavaScript, because a worker thread starts from this very file: from the sources (where nothing translates
// TypeScript for a thread) and from dist alike. It moves bytes of the PostgreSQL protocol and knows nothing else.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

// The engine fills its buffers with zeros when it starts, so the standard 128 MB would be resident from then on. What
// they do not hold is read from the page cache of the system.
const settings = ['shared_buffers=16MB'];

const port = parentPort;
if (port === null) throw new Error('This file runs in a worker thread only.');

// The first message is the compiled engine; the others are of the protocol.
const [compiled] = await once(port, 'message');
const engine = await PGlite.create({
  dataDir: workerData.folder,
  pgliteWasmModule: compiled,
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
