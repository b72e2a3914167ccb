import { randomBytes } from 'node:crypto';
import {
  connectLedger,
  field,
  ImportError,
  type LedgerApi,
  listField,
  needSuccess,
  textField,
} from '../import-journal/ledger-api.ts';
import { withRetries } from '../import-journal/retrying-api.ts';
import { companyName, type DemoEvent, demoEvents } from './company.ts';

/** What is known of a demo so far; kept by the caller, so that a seeding that was killed can go on. */
export interface DemoState {
  readonly email: string;
  readonly password: string;
  readonly apiKey?: string;
  readonly graphId?: string;
  readonly isComplete?: boolean;
}

export interface SeedOptions {
  readonly url: string;
  readonly state: DemoState;
  onState(state: DemoState): void;
  onProgress(done: number, total: number): void;
}

const requests_at_once_max = 8;
const polls_max = 600;
const poll_ms = 100;

/** A demo that has not been begun. */
export function newDemo(): DemoState {
  return { email: 'demo@larkspur.example', password: `Larkspur-${randomBytes(12).toString('base64url')}-7!` };
}

/** Sets up the demo company through the public interface, as any user would. Repeating it adds nothing. */
export async function seedDemo(
  options: SeedOptions,
): Promise<DemoState & { readonly apiKey: string; readonly graphId: string }> {
  const apiKey = options.state.apiKey ?? (await signUp(options.url, options.state));
  let state = { ...options.state, apiKey };
  options.onState(state);
  const api = withRetries(connectLedger({ url: options.url, apiKey }));
  const graphId = state.graphId ?? (await createGraph(api));
  state = { ...state, graphId };
  options.onState(state);
  const base = `/extensions/roboledger/${graphId}/operations`;
  await once(
    api.post(`${base}/initialize`, { earliest_data_period: '2024-01' }, 'demo-initialize'),
    'Starting the calendar',
  );
  await once(
    api.post(`${base}/initialize-chart-of-accounts`, { template: 'product', entity_type: 'corporation' }, 'demo-chart'),
    'Making the chart',
  );
  await postAll(api, base, await accountIds(api, graphId), options);
  const done = { ...state, graphId, isComplete: true };
  options.onState(done);
  return done;
}

/** Registers the demo user, or signs in when he is there, and makes an API key. */
async function signUp(url: string, state: DemoState): Promise<string> {
  const { email, password } = state;
  const registered = await send(url, '/v1/auth/register', { name: 'Demo', email, password });
  const session = registered.status === 409 ? await send(url, '/v1/auth/login', { email, password }) : registered;
  const token = textField(session.body, 'token');
  if (token === null)
    throw new ImportError(`The demo user cannot sign in (${session.status}). Start with an empty data folder.`);
  const key = await send(url, '/v1/user/api-keys', { name: 'Demo' }, { authorization: `Bearer ${token}` });
  const text = textField(key.body, 'key');
  if (text === null) throw new ImportError(`The API key of the demo was refused (${key.status}).`);
  return text;
}

async function send(
  url: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, body: await response.json() };
}

async function createGraph(api: LedgerApi): Promise<string> {
  const request = {
    metadata: {
      graph_name: companyName,
      description: 'Two years of an invented bicycle shop',
      schema_extensions: ['roboledger'],
    },
    initial_entity: { name: companyName, uri: 'https://larkspur.example', entity_type: 'corporation' },
  };
  const operationId = textField(
    needSuccess(await api.post('/v1/graphs', request, 'demo-graph'), 'Creating the graph'),
    'operationId',
  );
  for (let poll = 0; poll < polls_max; poll += 1) {
    const status = needSuccess(
      await api.get(`/v1/operations/${operationId}/status`),
      'Following the creation of the graph',
    );
    const graphId = textField(field(status, 'result'), 'graph_id');
    if (textField(status, 'status') === 'completed' && graphId !== null) return graphId;
    if (textField(status, 'status') === 'failed')
      throw new ImportError(`The graph was not created: ${textField(status, 'error')}`);
    await api.wait(poll_ms);
  }
  throw new ImportError('The graph was not created in time; is a worker running?');
}

/** A step that may have been done before a seeding was killed. */
async function once(call: ReturnType<LedgerApi['post']>, what: string): Promise<void> {
  const answer = await call;
  if (answer.status !== 409) needSuccess(answer, what);
}

async function accountIds(api: LedgerApi, graphId: string): Promise<ReadonlyMap<string, string>> {
  const answer = await api.post(`/extensions/${graphId}/graphql`, {
    query: '{ accounts(limit: 1000) { accounts { id code } } }',
  });
  const accounts = listField(field(field(needSuccess(answer, 'Reading the chart'), 'data'), 'accounts'), 'accounts');
  return new Map(accounts.map((account) => [textField(account, 'code') ?? '', textField(account, 'id') ?? '']));
}

async function postAll(
  api: LedgerApi,
  base: string,
  ids: ReadonlyMap<string, string>,
  options: SeedOptions,
): Promise<void> {
  const events = demoEvents();
  let next = 0;
  let done = 0;
  const caller = async (): Promise<void> => {
    for (let event = events[next]; event !== undefined; event = events[next]) {
      next += 1;
      await once(
        api.post(`${base}/create-event-block`, requestOf(event, ids), `demo-${event.externalId}`),
        `The event ${event.externalId}`,
      );
      done += 1;
      options.onProgress(done, events.length);
    }
  };
  await Promise.all(Array.from({ length: requests_at_once_max }, caller));
}

function requestOf(event: DemoEvent, ids: ReadonlyMap<string, string>): object {
  return {
    event_type: event.type,
    event_category: event.category,
    occurred_at: `${event.date}T12:00:00Z`,
    source: 'manual',
    external_id: event.externalId,
    description: event.description,
    apply_handlers: true,
    metadata: {
      posting_date: event.date,
      memo: event.description,
      status: 'posted',
      line_items: event.lines.map((line) => ({
        element_id: ids.get(line.code),
        debit_amount: line.debit,
        credit_amount: line.credit,
      })),
    },
  };
}
