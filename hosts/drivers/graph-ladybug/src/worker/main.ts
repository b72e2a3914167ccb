import type { CallName, Calls, Reply, Request } from '../protocol.ts';
import { Engine } from './engine.ts';
import { failureOf, WorkerFailure } from './failure.ts';
import { Loader } from './load.ts';

const beatMs = 500;

interface Work {
  engine: Engine | undefined;
  loader: Loader | undefined;
}

type Handlers = { readonly [C in CallName]: (work: Work, ask: Calls[C]['ask']) => Promise<Calls[C]['answer']> };

const handlers: Handlers = {
  async open(work, ask) {
    work.engine = new Engine(ask);
    work.loader = ask.mode === 'write' ? new Loader(work.engine, ask.path) : undefined;
    // Opening is lazy, so a first connection verifies now that the file is usable.
    await (await work.engine.connect(10_000)).close();
    return null;
  },
  async define(work, ask) {
    await engineOf(work).execute(ask.statements);
    return null;
  },
  analyze: (work, ask) => engineOf(work).analyze(ask.text),
  run: (work, ask) => engineOf(work).run(ask),
  write: (work, ask) => engineOf(work).write(ask),
  async checkpoint(work) {
    await engineOf(work).execute(['CHECKPOINT']);
    return null;
  },
  async tables(work) {
    const rows = await engineOf(work).execute(['CALL SHOW_TABLES() RETURN name, type']);
    return { tables: rows.map((row) => ({ name: String(row['name']), isNode: row['type'] !== 'REL' })) };
  },
  next: (work, ask) => engineOf(work).next(ask),
  async end(work, ask) {
    await engineOf(work).end(ask.stream);
    return null;
  },
  loadStart: (work, ask) => loaderOf(work).start(ask),
  loadRows: (work, ask) => loaderOf(work).rows(ask),
  loadParquet: (work, ask) => loaderOf(work).parquet(ask.path),
  loadEnd: (work) => loaderOf(work).end(),
  async close(work) {
    await work.loader?.close();
    await work.engine?.close();
    return null;
  },
};

function engineOf(work: Work): Engine {
  if (work.engine === undefined) throw new WorkerFailure('unavailable', 'No database is open in this worker.');
  return work.engine;
}

function loaderOf(work: Work): Loader {
  if (work.loader === undefined) throw new WorkerFailure('read-only', 'This database was opened for reading.');
  return work.loader;
}

async function answer(work: Work, request: Request): Promise<Reply> {
  try {
    // The parent matches each reply to its request; both sides are typed by `Calls`.
    const handle = handlers[request.call] as (work: Work, ask: unknown) => Promise<unknown>;
    return { id: request.id, answer: await handle(work, request.ask) };
  } catch (error) {
    return { id: request.id, failure: failureOf(error) };
  }
}

/** A worker process: one database, no network, no settings except its parent's. It exits with its parent. */
function main(): void {
  const work: Work = { engine: undefined, loader: undefined };
  const send = (reply: Reply): void => {
    if (process.connected) process.send?.(reply);
  };
  const beats = setInterval(() => send({ beat: { residentBytes: process.memoryUsage.rss() } }), beatMs);
  process.on('message', (message) => {
    const request = message as Request; // Only the parent can write to this channel.
    void answer(work, request).then((reply) => {
      send(reply);
      if (request.call === 'close') {
        clearInterval(beats);
        process.disconnect();
      }
    });
  });
  process.on('disconnect', () => process.exit(0));
}

main();
