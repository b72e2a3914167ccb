import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { startBenchService } from './bench-service.ts';
import { ledgerPlugins, openBooks } from './books.ts';
import { startCallers } from './callers.ts';
import { type Figure, inTurns } from './measure.ts';
import { event } from './posting.ts';

const variable = 'PACIOLI_BENCH_FORMANCE';
/** The same number as in our own store, so that both sides have equal capacity. */
const connections = 16;
const maxStartMs = 60_000;
const maxStderr = 2_000;

/**
 * The event of the benchmark `posting`, compared with the same business content posted to Formance Ledger: two services
 * with separate databases on one PostgreSQL server, called alternately by the same process.
 */
export async function peer(
  executable = process.env[variable],
  { seconds = 5, rounds = 3 }: { readonly seconds?: number; readonly rounds?: number } = {},
): Promise<readonly Figure[]> {
  if (executable === undefined || executable === '') {
    console.log(`peer: set ${variable} to the path of an executable of Formance Ledger v2 to run it.`);
    return [];
  }
  const bench = await startBenchService(ledgerPlugins);
  const http = startCallers();
  let other: Peer | undefined;
  try {
    await bench.pool.query('CREATE DATABASE peer');
    other = await startPeer(executable, databaseOn(bench.databaseUrl, 'peer'));
    await makeLedger(other.url);
    const books = await openBooks(bench);
    const ours = {
      url: `${bench.service.url}/extensions/ledger/${books.graph}/operations/create-event-block`,
      headers: bench.user.headers,
      body: JSON.stringify(event(books, '{id}')),
    };
    const theirs = {
      url: `${other.url}/v2/books/transactions`,
      headers: {},
      body: JSON.stringify(transaction('{id}')),
    };
    // Gathers statistics over the rows of the first posts, as on a server in use.
    for (const calls of [ours, theirs]) await http.rate({ ...calls, callers: connections, seconds });
    await bench.pool.query('ANALYZE');
    const figures: Figure[] = [];
    for (const callers of [1, 16]) {
      const rates = await inTurns(
        rounds,
        () => http.rate({ ...ours, callers, seconds }),
        () => http.rate({ ...theirs, callers, seconds }),
      );
      const name = `peer, ${callers} caller${callers === 1 ? '' : 's'}`;
      figures.push({ name, unit: 'posts/s', kind: 'rate', goal: 'none', beside: 'Formance', ...rates });
    }
    return figures;
  } finally {
    http.close();
    await other?.stop();
    await bench.close();
  }
}

/**
 * The sale with tax of `posting` as a request of the peer: three postings from sources to destinations. The date is
 * omitted, which is fastest for the peer: it dates the transaction at the time of writing.
 */
function transaction(reference: string): object {
  const asset = 'USD/2';
  return {
    reference,
    postings: [
      { source: 'world', destination: 'customer', asset, amount: 10_700 },
      { source: 'customer', destination: 'sales', asset, amount: 10_000 },
      { source: 'customer', destination: 'tax', asset, amount: 700 },
    ],
    metadata: { posting_date: '2026-03-31', memo: 'A sale with tax', source: 'manual' },
  };
}

/** Creates a ledger with the peer's default features. */
async function makeLedger(url: string): Promise<void> {
  const made = await fetch(`${url}/v2/books`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!made.ok) throw new Error(`The peer did not create a ledger (${made.status}): ${await made.text()}`);
}

interface Peer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the peer on a free port of 127.0.0.1; it migrates its own database. */
async function startPeer(executable: string, databaseUrl: string): Promise<Peer> {
  const port = await freePort();
  const pool = ['--postgres-max-open-conns', String(connections), '--postgres-max-idle-conns', String(connections)];
  const flags = ['--auto-upgrade', '--bind', `127.0.0.1:${port}`, '--postgres-uri', databaseUrl, ...pool];
  const child = spawn(executable, ['serve', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said = `${said}${text.toString()}`.slice(-maxStderr);
  });
  const stop = (): Promise<void> => stopped(child);
  const url = `http://127.0.0.1:${port}`;
  try {
    await Promise.race([failed(child), untilHealthy(url)]);
    return { url, stop };
  } catch (cause) {
    await stop();
    throw new Error(`The peer ${executable} did not start. It said: ${said}`, { cause });
  }
}

/** Rejects when the program cannot be started or exits. */
async function failed(child: ChildProcess): Promise<never> {
  const [code, signal] = await once(child, 'exit');
  throw new Error(`It ended (${code ?? signal}).`);
}

async function untilHealthy(url: string): Promise<void> {
  const until = performance.now() + maxStartMs;
  while (performance.now() < until) {
    const answer = await fetch(`${url}/_healthcheck`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`It was not healthy after ${maxStartMs} ms.`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function databaseOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  // The server from npm does not support TLS.
  url.searchParams.set('sslmode', 'disable');
  return url.href;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no free port.');
  return address.port;
}
