// Plain JavaScript, because a worker thread starts from this very file: from the sources (where nothing translates
// TypeScript for a thread) and from dist alike. It moves bytes of the PostgreSQL protocol and knows nothing else.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

// The engine fills its buffers with zeros when it starts, so the standard 128 MB would be resident from then on. What
// they do not hold is read from the page cache of the system.
const settings = ['shared_buffers=16MB'];

const port = parentPort;
if (port === null) throw new Error('This file runs in a worker thread only.');

const firstMessage = once(port, 'message');
// The engine's own program loads while its code is compiled.
const [compiled, { PGlite }] = await Promise.all([
  workerData.compiled ?? compileEngine(),
  import('@electric-sql/pglite'),
]);
// The first message names the folder; the others are of the protocol.
const [{ folder }] = await firstMessage;
const engine = await PGlite.create({
  dataDir: folder,
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

/** Compiles the engine and hands it to the main thread, for the threads that follow this one. */
async function compileEngine() {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const compiled = await WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')));
  port.postMessage({ compiled });
  return compiled;
}
