import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ok, poster, startBenchService } from './bench-service.ts';
import { ledgerPlugins, openBooks } from './books.ts';
import { startCallers } from './callers.ts';
import { type Figure, medianOf } from './measure.ts';
import { event } from './posting.ts';

const seconds = 8;
const startMs = 1_000;
const reads = 100;
const events = 200;

/** The trial balance of one graph over HTTP, while another one posts with sixteen callers and while nobody does. */
export async function neighbor(): Promise<readonly Figure[]> {
  const bench = await startBenchService(ledgerPlugins);
  const flooding = await openBooks(bench);
  const quiet = await openBooks(bench);
  const post = poster(bench.user.headers);
  const urlOf = (graph: string) => `${bench.service.url}/extensions/ledger/${graph}/operations/create-event-block`;
  const http = startCallers();
  try {
    for (let posted = 0; posted < events; posted += 1)
      await ok(post(urlOf(quiet.graph), JSON.stringify(event(quiet, randomUUID()))));
    const calls = {
      url: urlOf(flooding.graph),
      headers: bench.user.headers,
      body: JSON.stringify(event(flooding, '{id}')),
      callers: 16,
    };
    await http.rate({ ...calls, seconds: 3 });
    await bench.pool.query('ANALYZE');
    const query = JSON.stringify({ query: '{ trialBalance { totalDebits totalCredits } }' });
    const read = () => ok(post(`${bench.service.url}/extensions/${quiet.graph}/graphql`, query));
    const bare = await medianOf(reads, read);
    const flood = http.rate({ ...calls, seconds });
    await wait(startMs);
    const ours = await medianOf(reads, read);
    const note = `${Math.round(await flood)} events posted per second`;
    return [
      {
        name: 'neighbor, trial balance',
        unit: 'ms',
        kind: 'time',
        goal: '≤ 10 ×',
        ours,
        bare,
        beside: 'without other work',
        note,
      },
    ];
  } finally {
    http.close();
    await bench.close();
  }
}
