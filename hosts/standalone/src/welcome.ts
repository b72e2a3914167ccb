import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, sql } from '@pacioli/core';
import { SingleBar } from 'cli-progress';
import { renderBooks } from './demo-company/print-books.ts';
import { type DemoState, newDemo, seedDemo } from './demo-company/seed-demo.ts';
import type { RunningServer } from './serve.ts';
import type { Settings } from './settings.ts';

/** Sets up the demo company on an empty data folder, and tells a person what there is to try. */
export async function welcome(server: RunningServer, settings: Settings, log: Log): Promise<void> {
  if (!settings.isDemoOn) return;
  const file = join(settings.dataDir, 'demo.json');
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoState) : undefined; // Written below.
  if (known === undefined && !(await isEmpty(server))) return;
  try {
    const demo = await seed(server.url, known ?? newDemo(), file);
    if (known?.isComplete !== true) console.log(`\n${await renderBooks(server.url, demo.apiKey, demo.graphId)}`);
    console.log(textOf(server.url, demo));
  } catch (error) {
    log.error('the demo could not be set up', { error });
    console.error(`The demo could not be set up: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Nobody has registered yet. */
async function isEmpty(server: RunningServer): Promise<boolean> {
  const rows = await server.deployment.store.transaction('kernel', (tx) =>
    tx.query(sql`SELECT 1 FROM kernel_user LIMIT 1`),
  );
  return rows.length === 0;
}

async function seed(
  url: string,
  state: DemoState,
  file: string,
): Promise<DemoState & { readonly apiKey: string; readonly graphId: string }> {
  const { apiKey, graphId } = state;
  if (state.isComplete === true && apiKey !== undefined && graphId !== undefined) return { ...state, apiKey, graphId };
  console.log('Setting up the demo company …');
  const bar = process.stderr.isTTY
    ? new SingleBar({ format: '{bar} {value}/{total} events', stream: process.stderr, clearOnComplete: true })
    : undefined;
  let isStarted = false;
  try {
    return await seedDemo({
      url,
      state,
      onState: (next) => writeFileSync(file, JSON.stringify(next), { mode: 0o600 }),
      onProgress: (done, total) => {
        if (!isStarted) bar?.start(total, 0);
        isStarted = true;
        bar?.update(done);
      },
    });
  } finally {
    bar?.stop();
  }
}

function textOf(
  url: string,
  demo: { readonly apiKey: string; readonly graphId: string; readonly email: string },
): string {
  const { apiKey, graphId } = demo;
  const header = `-H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json'`;
  return `
Base URL   ${url}
API key    ${apiKey}   (user ${demo.email})
Explorer   ${url}/extensions/${graphId}/graphql

Three things to try:

  curl -s ${url}/extensions/${graphId}/graphql ${header} -d '{"query":"{ entity { name } trialBalance { totalDebits totalCredits } }"}'

  curl -s ${url}/extensions/roboledger/${graphId}/operations/live-financial-statement ${header} -d '{"statement_type":"income_statement","fiscal_year":2025}'

  curl -s ${url}/v1/graphs/${graphId}/operations/materialize ${header} -d '{"source":"extensions"}'
`;
}
