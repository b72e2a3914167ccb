import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Log } from '@pacioli/core';
import { hasAccounts, trustEmail } from '@pacioli/core/assembly';
import type { DemoAccess, DemoState } from './demo/seed-demo.ts';
import { failedSetUpText, welcomeText } from './demo/welcome.ts';
import type { RunningServer } from './serve.ts';
import type { Settings } from './settings.ts';

const secondCollectionMs = 1_000;

/** Sets up the demo company on an empty data folder, and prints examples. */
export async function welcome(server: RunningServer, settings: Settings, log: Log): Promise<void> {
  if (!settings.isDemoOn) return;
  const file = join(settings.dataDir, 'demo.json');
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoState) : undefined; // Written below.
  const { store } = server.deployment;
  if (known === undefined && (await store.transaction('kernel', hasAccounts))) return;
  try {
    const seeded = known === undefined ? undefined : accessOf(known, server.url);
    const demo =
      seeded ??
      (await seed(server, known, async (next) => {
        keep(next, file);
        if (next.graphId === undefined) await store.transaction('kernel', (tx) => trustEmail(tx, next.email));
      }));
    console.log(welcomeText(demo));
    if (seeded === undefined) collectGarbage();
  } catch (error) {
    const { ImportError } = await import('@pacioli/import-beancount/client');
    // An error of another kind is a defect, so its stack is wanted too.
    if (!(error instanceof ImportError)) log.error('the demo could not be set up', { error });
    console.error(failedSetUpText(error));
  }
}

/**
 * Setting up the demo leaves more garbage than hours of work, and V8 would keep its memory for minutes. The first
 * collection frees the pages, and the second returns them to the system.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // The flag adds it to new contexts.
  collect();
  setTimeout(collect, secondCollectionMs).unref();
}

/** Returns access to a complete demo only, because the printed examples need all of its ids; undefined otherwise. */
function accessOf(state: DemoState, url: string): DemoAccess | undefined {
  const { apiKey, graphId, cashId, salesId } = state;
  if (state.isComplete !== true) return undefined;
  if (apiKey === undefined || graphId === undefined || cashId === undefined || salesId === undefined) return undefined;
  return { ...state, apiKey, graphId, cashId, salesId, isComplete: true, url };
}

/** Sets up the demo company and prints its books. Imported on demand, because only the first start needs it. */
async function seed(
  { url, deployment }: RunningServer,
  known: DemoState | undefined,
  onState: (state: DemoState) => Promise<void>,
): Promise<DemoAccess> {
  const { SingleBar } = await import('cli-progress');
  const { renderBooks } = await import('./demo/print-books.ts');
  const { newDemo, seedDemo } = await import('./demo/seed-demo.ts');
  const { connectLedger } = await import('@pacioli/import-beancount/client');
  console.log('Setting up the demo company …');
  const bar = process.stderr.isTTY
    ? new SingleBar({ format: '{bar} {value}/{total} events', stream: process.stderr, clearOnComplete: true })
    : undefined;
  let isStarted = false;
  try {
    const demo = await seedDemo({
      url,
      state: known ?? newDemo(),
      headers: deployment.service.hostHeaders,
      onState,
      onProgress: (done, total) => {
        if (!isStarted) bar?.start(total, 0);
        isStarted = true;
        bar?.update(done);
      },
    });
    bar?.stop();
    console.log(`\n${await renderBooks(connectLedger({ url, apiKey: demo.apiKey }), demo.graphId)}`);
    return demo;
  } finally {
    bar?.stop();
  }
}

/** Written to a temporary file and renamed, so that a killed process leaves either the old or the new state. */
function keep(state: DemoState, file: string): void {
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
