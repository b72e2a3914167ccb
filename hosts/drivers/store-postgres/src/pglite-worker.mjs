// Plain JavaScript, because a worker thread starts from this file both in the sources (where nothing compiles
// TypeScript for a thread) and in dist. It only relays bytes of the PostgreSQL protocol.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const settings = [
  // The engine zeroes its buffers at start, so the default 128 MB would stay resident. Pages beyond the buffers are
  // read from the system's page cache.
  'shared_buffers=16MB',
  // A checkpoint removes the files of the write-ahead log that it makes superfluous, instead of keeping them for later.
  'wal_recycle=off',
  'min_wal_size=32MB',
  'max_wal_size=32MB',
];

/** The memory of the engine never shrinks, so a session beyond this is replaced after its transaction. */
const maxEngineBytes = 256 * 2 ** 20;

const port = parentPort;
if (port === null) throw new Error('This file runs in a worker thread only.');

const firstMessage = once(port, 'message');
// The engine's JavaScript loads while its WebAssembly is compiled.
const [compiled, { PGlite }] = await Promise.all([
  workerData.compiled ?? compileEngine(),
  import('@electric-sql/pglite'),
]);
// The first message names the folder; all later ones are protocol bytes.
const [{ folder }] = await firstMessage;
const engine = await PGlite.create({
  dataDir: folder,
  pgliteWasmModule: compiled,
  startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])],
});

let isGrown = false;
port.on('message', async (message) => {
  if (message === 'close') {
    engine.close().finally(() => process.exit(0));
    return;
  }
  const answer = await answerTo(message);
  if (!isGrown && engine.Module.HEAPU8.byteLength > maxEngineBytes) {
    isGrown = true;
    // Before the answer, so that the end of the transaction knows.
    port.postMessage('grown');
  }
  port.postMessage(answer, [answer.buffer]);
});
port.postMessage('ready');

/** Compiles the engine and sends it to the main thread, for later threads. */
async function compileEngine() {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const compiled = await WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')));
  port.postMessage({ compiled });
  return compiled;
}

/** Executes a message and returns the bytes of its answer. */
async function answerTo(message) {
  // The first message of a session begins with the zeros of its length; its answer is returned.
  if (message[0] === 0) return engine.execProtocolRawSync(message).slice();
  const parts = [];
  // Without a callback the engine would parse its answers and keep all of them. It reuses its buffer.
  const onRawData = (bytes) => void parts.push(bytes.slice());
  await engine.execProtocolRawStream(message, { syncToFs: false, onRawData });
  return joined(parts);
}

/** The parts in one array of its own. */
function joined(parts) {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
