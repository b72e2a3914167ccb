import {
  type ApiAnswer,
  field,
  ImportError,
  isSuccess,
  type LedgerApi,
  listField,
  reasonOf,
  requireSuccess,
  textField,
} from '@pacioli/import-beancount/client';
import { demoCompany } from './company.ts';
import { demoLimits } from './limits.ts';
import type { Books } from './read-graphql.ts';

/** Returns the id of the demo company's graph, and creates the graph if the user has none of its name. */
export async function findOrCreateDemoGraph(api: LedgerApi): Promise<string> {
  const listed = requireSuccess(await api.get('/v1/graphs'), 'Listing the graphs');
  const found = listField(listed, 'graphs').find((graph) => textField(graph, 'graphName') === demoCompany.name);
  const id = textField(found, 'graphId');
  if (id !== null) return id;
  const { name, description, uri, entity_type } = demoCompany;
  const request = {
    metadata: { graph_name: name, description, schema_extensions: ['roboledger'] },
    initial_entity: { name, uri, entity_type },
  };
  // The key is the same in every run, so that a run after an interruption finds the operation already started.
  const answer = await api.post('/v1/graphs', request, 'demo-graph');
  const result = await followOperation(api, answer, 'Creating the demo graph');
  const created = textField(result, 'graph_id');
  if (created === null) throw new ImportError('The demo graph was created, but the operation does not name it.');
  return created;
}

/** Initializes the fiscal calendar and creates the chart; a repeated call changes nothing. */
export async function prepareBooks({ api, graphId }: Books): Promise<void> {
  const base = `/extensions/roboledger/${encodeURIComponent(graphId)}/operations`;
  const calendar = await api.post(
    `${base}/initialize`,
    { earliest_data_period: demoCompany.first_month },
    'demo-calendar',
  );
  if (calendar.status !== 409) requireSuccess(calendar, 'Starting the fiscal calendar');
  const chart = await api.post(
    `${base}/initialize-chart-of-accounts`,
    { template: demoCompany.template, entity_type: demoCompany.entity_type },
    'demo-chart',
  );
  if (chart.status !== 409) requireSuccess(chart, 'Making the chart of accounts');
}

/** Materializes the analytical graph so that Cypher sees the ledger; an operation already in progress is enough. */
export async function materializeBooks({ api, graphId }: Books): Promise<void> {
  const answer = await api.post(`/v1/graphs/${encodeURIComponent(graphId)}/operations/materialize`, {});
  if (answer.status === 409) return;
  await followOperation(api, answer, 'Building the analytical graph');
}

/** Waits for an accepted operation and returns its result. */
async function followOperation(api: LedgerApi, accepted: ApiAnswer, what: string): Promise<unknown> {
  const envelope = requireSuccess(accepted, what);
  if (textField(envelope, 'status') === 'completed') return field(envelope, 'result');
  const operationId = textField(envelope, 'operationId');
  if (operationId === null) throw new ImportError(`${what} gave no operation to follow.`);
  for (let poll = 0; poll < demoLimits.maxOperationPolls; poll += 1) {
    const answer = await api.get(`/v1/operations/${encodeURIComponent(operationId)}/status`);
    if (!isSuccess(answer)) requireSuccess(answer, what);
    const state = textField(answer.body, 'status');
    if (state === 'completed') return field(answer.body, 'result');
    if (state === 'failed' || state === 'cancelled') {
      throw new ImportError(`${what} ${state}: ${reasonOf(field(answer.body, 'error'))}`);
    }
    await api.wait(demoLimits.operationPollMs);
  }
  throw new ImportError(`${what} takes too long (operation ${operationId}). Check that a worker runs.`);
}
