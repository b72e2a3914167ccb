/** @module-tag sessions */
// Goal: a report for people shows the months of a forecast after its own, marked as such and with the stored amounts.
// Method: a real service over HTTP with the books and the figures of the worked example.
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReport, type Loose, type ReportingService } from './example-books.ts';
import { createForecast, type ForecastBooks, openForecastBooks, startForecasts } from './forecast-books.ts';

let reporting: ReportingService;
let books: ForecastBooks;
let reportId: string;
let scenarioId: string;
beforeAll(async () => {
  reporting = await startForecasts();
  books = await openForecastBooks(reporting);
  reportId = (await createReport(books)).id;
  scenarioId = await computed({});
});
afterAll(() => reporting.service.close());

async function computed(plan: object): Promise<string> {
  const { id } = await createForecast(books, plan);
  await books.done('compute-forecast', { structure_id: id });
  return id;
}

function get(format: string, scenario: string): Promise<Response> {
  const path = `/v1/graphs/${books.graph}/reports/${reportId}/download?format=${format}&scenario_id=${scenario}`;
  return fetch(`${reporting.user.url}${path}`, { headers: reporting.user.headers });
}

it('draft', async () => {
  const long = await computed({ name: 'Long plan', horizon_months: 12 });
  for (const [name, id] of [['three', scenarioId], ['twelve', long]] as const) {
    for (const f of ['html', 'text', 'xlsx']) {
      const r = await get(f, id);
      writeFileSync(`/tmp/n16-${name}.${f}`, Buffer.from(await r.arrayBuffer()));
      console.log(f, r.status, r.headers.get('content-disposition'));
    }
  }
  console.log(await (await get('csv', long)).text());
});
