import { answerCalls, type Handlers } from '@pacioli/worker-process/worker';
import type { Calls } from '../protocol.ts';
import type { Engine } from './engine.ts';
import { failureOf, WorkerFailure } from './failure.ts';
import { Loader } from './load.ts';
import { openEngine } from './open-engine.ts';

interface Work {
  engine: Engine | undefined;
  loader: Loader | undefined;
}

const work: Work = { engine: undefined, loader: undefined };

const handlers: Handlers<Calls> = {
  async open(ask) {
    work.engine = await openEngine(ask);
    work.loader = ask.mode === 'write' ? new Loader(work.engine, ask.path) : undefined;
    return null;
  },
  async define(ask) {
    await engine().define(ask.statements);
    return null;
  },
  analyze: (ask) => engine().analyze(ask.text),
  run: (ask) => engine().run(ask),
  write: (ask) => engine().write(ask),
  async checkpoint() {
    await engine().execute(['CHECKPOINT']);
    return null;
  },
  async tables() {
    const rows = await engine().execute(['CALL SHOW_TABLES() RETURN name, type']);
    return { tables: rows.map((row) => ({ name: String(row['name']), isNode: row['type'] !== 'REL' })) };
  },
  next: (ask) => engine().next(ask),
  async end(ask) {
    await engine().end(ask.stream);
    return null;
  },
  loadStart: (ask) => loader().start(ask),
  loadText: (ask) => loader().text(ask),
  loadParquet: (ask) => loader().parquet(ask),
  async loadCancel(ask) {
    loader().cancel(ask.load);
    return null;
  },
  loadEnd: (ask) => loader().end(ask.load),
  async close() {
    await work.loader?.close();
    await work.engine?.close();
    return null;
  },
};

function engine(): Engine {
  if (work.engine === undefined) throw new WorkerFailure('unavailable', 'No database is open in this worker.');
  return work.engine;
}

function loader(): Loader {
  if (work.loader === undefined) throw new WorkerFailure('read-only', 'This database was opened for reading.');
  return work.loader;
}

/** A worker process: one database, no network, no settings except its parent's. It exits with its parent. */
answerCalls<Calls>(handlers, failureOf);
