import { connectLedger, ImportError, withRetries } from '@pacioli/import-beancount/client';
import { demoCompany, demoEvents } from './company.ts';
import { findOrCreateDemoGraph, materializeBooks, prepareBooks } from './create-books.ts';
import { newPassword, openAccount } from './open-account.ts';
import { postEvents } from './post-events.ts';
import { readAccountIds } from './read-graphql.ts';

/** Progress of a seeding. It contains secrets, so only the owner may be able to read its file. */
export interface DemoState {
  readonly email: string;
  readonly password: string;
  readonly apiKey?: string | undefined;
  readonly graphId?: string | undefined;
  /** Element ids of the accounts in the example commands; set when seeding is complete. */
  readonly cashId?: string | undefined;
  readonly salesId?: string | undefined;
  readonly isComplete?: boolean | undefined;
}

/** The state of a completed seeding, with everything needed to access the demo. */
export interface DemoAccess extends DemoState {
  readonly url: string;
  readonly apiKey: string;
  readonly graphId: string;
  readonly cashId: string;
  readonly salesId: string;
  readonly isComplete: true;
}

export interface SeedOptions {
  /** Base URL of a running service, with a worker. */
  readonly url: string;
  /** Sent with every request: the host's pass when it seeds its own demo. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The state of an interrupted seeding; without one a new user is registered. */
  readonly state?: DemoState | undefined;
  /** Called and awaited whenever the state changes in a way that a later run must know. */
  readonly onState?: ((state: DemoState) => void | Promise<void>) | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The initial state. */
export function newDemo(): DemoState {
  return { email: demoCompany.email, password: newPassword() };
}

/**
 * Writes the demo company through the public API. After an interruption, a call with the last state resumes, and
 * nothing is written twice. Throws an `ImportError` that names the rejected request.
 */
export async function seedDemo(options: SeedOptions): Promise<DemoAccess> {
  const url = options.url.replace(/\/+$/, '');
  let state = options.state ?? newDemo();
  const reached = async (next: DemoState): Promise<void> => {
    state = next;
    await options.onState?.(next);
  };
  // The password is saved before use, so that a run after a crash right after registration can still sign in.
  await reached(state);
  const apiKey = state.apiKey ?? (await openAccount(url, 'Larkspur demo', state));
  await reached({ ...state, apiKey });
  const { headers } = options;
  const api = withRetries(connectLedger({ url, apiKey, ...(headers === undefined ? {} : { headers }) }));
  const graphId = state.graphId ?? (await findOrCreateDemoGraph(api));
  await reached({ ...state, graphId });
  const books = { api, graphId };
  await prepareBooks(books);
  const accountIds = await readAccountIds(books);
  await postEvents({ ...books, accountIds, onProgress: options.onProgress }, demoEvents());
  await materializeBooks(books);
  const [cashId, salesId] = [accountIds.get('1000'), accountIds.get('4000')];
  if (cashId === undefined || salesId === undefined) throw new ImportError('The chart has no cash or sales account.');
  const complete = { ...state, apiKey, graphId, cashId, salesId, isComplete: true } as const;
  await reached(complete);
  return { ...complete, url };
}
