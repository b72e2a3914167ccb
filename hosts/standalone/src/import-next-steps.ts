import type { ImportReport } from '@pacioli/import-beancount';
import { connectLedger } from '@pacioli/import-beancount/client';
import { asCommands, type ExampleRequest } from './example-request.ts';

interface Service {
  readonly url: string;
  readonly apiKey: string;
}

/** Addresses and commands to continue with after the import. */
export async function nextSteps(service: Service, report: ImportReport): Promise<string> {
  const api = connectLedger(service);
  const page = `/extensions/${report.graph_id}/graphql`;
  // Checked, because a deployment may have no explorer.
  const hasExplorer = await api.get(page).then(
    ({ status }) => status === 200,
    () => false,
  );
  const explorer = hasExplorer
    ? [`  # Explore the graph in a browser, with the same API key\n  ${api.url}${page}\n`]
    : [];
  return ['', 'Next steps:', '', ...explorer, asCommands(requestsFor({ ...service, url: api.url }, report))].join('\n');
}

function requestsFor({ url, apiKey }: Service, report: ImportReport): readonly ExampleRequest[] {
  const { graph_id: graphId, mapping_id: mappingId, last_date: end } = report;
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  const operation = (name: string) => `${url}/extensions/roboledger/${graphId}/operations/${name}`;
  const query = '{ trialBalance { totalDebits totalCredits rows { accountName netBalance } } }';
  const requests = [
    { title: 'Read the trial balance', url: `${url}/extensions/${graphId}/graphql`, headers, body: { query } },
  ];
  if (mappingId === null || end === null) return requests;
  const period = { period_start: `${end.slice(0, 4)}-01-01`, period_end: end };
  const statement = (title: string, type: string) => ({
    title,
    url: operation('live-financial-statement'),
    headers,
    body: { statement_type: type, ...period },
  });
  return [
    ...requests,
    {
      title: 'Map the accounts to reporting concepts by their names, which statements need; it takes a moment',
      url: operation('auto-map-elements'),
      headers,
      body: { mapping_id: mappingId },
    },
    statement(`Read the balance sheet at ${end}`, 'balance_sheet'),
    statement(`Read the income statement of ${end.slice(0, 4)} to that day`, 'income_statement'),
  ];
}
