/**
 * Runs several processes on one PostgreSQL server and kills them.
 * @module-tag full-run
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startPostgresServer } from '@pacioli/store-postgres/testing';
import { TestClient } from '@pacioli/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from './start-standalone.ts';

const program = fileURLToPath(new URL('./cluster/process.ts', import.meta.url));
const runs = 18;
const steps = 5;
const inlineCallers = 4;
const inlineCalls = 40;
const kills = 4;
/** A process is killed after this many responses, so that the moment does not depend on a clock. */
const answersBeforeKill = 25;
const maxTries = 200;

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A process that restarts on the same port after it was killed. */
class Member {
  readonly url: string;
  readonly #words: readonly string[];
  #child: ChildProcess | undefined;

  constructor(role: 'serve' | 'work', database: string, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#words = [role, database, String(port)];
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--import', 'tsx', program, ...this.#words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const isReady = await Promise.race([
      once(child.stdout, 'data').then(() => true),
      once(child, 'exit').then(() => false),
    ]);
    if (!isReady) throw new Error(`A process of the cluster ended at its start: ${this.#words[0]}.`);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

interface Cluster {
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
}

async function startCluster(): Promise<Cluster> {
  const database = await startPostgresServer();
  undo.push(() => database.stop());
  const ports = [await freePort(), await freePort()];
  const apis = ports.map((port) => new Member('serve', database.url, port));
  const workers = [0, 1].map((port) => new Member('work', database.url, port));
  undo.push(async () => {
    await Promise.all([...apis, ...workers].map((member) => member.kill()));
  });
  // The first one runs the migrations.
  for (const member of [...apis, ...workers]) await member.start();
  return { apis, workers };
}

/** Calls one API after the other until one responds; the idempotency key makes the retry safe. */
class Caller {
  readonly #clients: readonly TestClient[];
  readonly #answered: () => void;
  #turn = 0;

  constructor(cluster: Cluster, headers: Readonly<Record<string, string>>, answered: () => void) {
    this.#clients = cluster.apis.map(({ url }) => new TestClient(url, headers));
    this.#answered = answered;
  }

  async ask<T extends { status: number }>(work: (client: TestClient) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < maxTries; attempt += 1) {
      this.#turn += 1;
      const client = this.#clients[this.#turn % this.#clients.length];
      const answer = client === undefined ? undefined : await work(client).catch(() => undefined);
      if (answer !== undefined && answer.status < 500) {
        this.#answered();
        return answer;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('No process of the cluster answered.');
  }

  /** Reads every event of a run to its end, reconnecting to alternating processes as often as needed. */
  async follow(operationId: string): Promise<readonly { id: number; event: string }[]> {
    const seen: { id: number; event: string }[] = [];
    for (let attempt = 0; attempt < maxTries; attempt += 1) {
      this.#turn += 1;
      const client = this.#clients[this.#turn % this.#clients.length];
      try {
        const last = seen.at(-1)?.id;
        const goingOn = last === undefined ? client : client?.withHeaders({ 'last-event-id': String(last) });
        for await (const frame of goingOn?.stream(`/v1/operations/${operationId}/stream`) ?? []) {
          if (frame.id !== undefined) seen.push({ id: Number(frame.id), event: frame.event });
          if (frame.event === 'stream_end' && frame.data.status !== 'running') return seen;
        }
      } catch {
        // The process was killed during the stream; the other one resumes where it ended.
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`The events of ${operationId} did not come to an end.`);
  }
}

describe('cluster of two API processes and two workers on one PostgreSQL server', () => {
  /**
   * Goal: whichever process dies, nothing is lost or executed twice. Method: callers with idempotency keys while the
   * four processes are killed in turn and restarted; each run is followed over streams that survive the kills.
   */
  it('loses nothing and executes nothing twice when any process is killed (platform L-8, L-10a, N-10, V-6, V-11)', {
    timeout: 300_000,
  }, async () => {
    const cluster = await startCluster();
    const first = new TestClient(cluster.apis[0]?.url ?? '', {});
    const person = { name: 'Kim', email: 'kim@example.org', password: 'Harbour-Lantern-42' };
    const registered = await first.post('/v1/auth/register', person);
    const owner = first.withHeaders({ authorization: `Bearer ${registered.body.token}` });
    const key = (await owner.post('/v1/user/api-keys', { name: 'cluster' })).body.key;
    const graph = await owner.createGraph('Tally', ['tally']);
    const path = `/extensions/tally/${graph}/operations`;

    const members = [...cluster.apis, ...cluster.workers];
    let answers = 0;
    let killed = 0;
    let killing = Promise.resolve();
    const answered = (): void => {
      answers += 1;
      if (killed === kills || answers < (killed + 1) * answersBeforeKill) return;
      // The order is fixed and covers every process: API, worker, API, worker.
      const victim = members[[0, 2, 1, 3][killed] ?? 0];
      killed += 1;
      killing = killing.then(async () => {
        await victim?.kill();
        await victim?.start();
      });
    };
    const caller = new Caller(cluster, { 'x-api-key': key }, answered);

    const started = Array.from({ length: runs }, async (_, run) => {
      const label = `run-${run}`;
      const accepted = await caller.ask((client) =>
        client.post(`${path}/mark-steps`, { label, steps }, { 'idempotency-key': label }),
      );
      return { label, id: String(accepted.body.operationId) };
    });
    const counting = Array.from({ length: inlineCallers }, async (_, number) => {
      for (let call = 0; call < inlineCalls; call += 1) {
        const headers = { 'idempotency-key': `add-${number}-${call}` };
        const body = { label: `add-${number}` };
        const done = await caller.ask((client) => client.post(`${path}/add-one`, body, headers));
        expect(done.status).toBe(200);
      }
    });
    const accepted = await Promise.all(started);
    const stories = accepted.map(async ({ id }) => caller.follow(id));
    await Promise.all(counting);
    for (const story of await Promise.all(stories)) {
      expect(story.map(({ id }) => id)).toEqual(story.map((_, index) => index + 1));
      expect(story.at(-1)?.event).toBe('operation_completed');
    }
    await killing;
    expect(killed).toBe(kills);
    const totals = await caller.ask((client) => client.post(`${path}/totals`, {}));
    expect(
      Object.fromEntries(
        totals.body.result.totals.map((row: { label: string; marks: number }) => [row.label, row.marks]),
      ),
    ).toEqual(
      Object.fromEntries([
        ...accepted.map(({ label }) => [label, steps]),
        ...Array.from({ length: inlineCallers }, (_, number) => [`add-${number}`, inlineCalls]),
      ]),
    );
  });
});
