import { connectLedger, ImportError, withRetries } from '@pacioli/import-beancount/client';
import { demoCompany, demoEvents } from './company.ts';
import { findOrCreateDemoGraph, materializeBooks, prepareBooks } from './create-books.ts';
import { newPassword, openAccount } from './open-account.ts';
import { postEvents } from './post-events.ts';
import { readAccountIds } from './read-graphql.ts';

/** How far a seeding has come. It holds secrets: keep it where only its owner reads. */
export interface DemoState {
  readonly email: string;
  readonly password: string;
  readonly apiKey?: string | undefined;
  readonly graphId?: string | undefined;
  /** Element ids of the accounts that the commands to try post to; known when the books are complete. */
  readonly cashId?: string | undefined;
  readonly salesId?: string | undefined;
  readonly isComplete?: boolean | undefined;
}

/** What a person needs to look at the demo: the state of a seeding that has ended. */
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
  /** Sent with every request: the host's pass, where it seeds its own demo. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What an interrupted seeding had reached; without one a new user is registered. */
  readonly state?: DemoState | undefined;
  /** Told each time something was reached that a later run must know; it is awaited. */
  readonly onState?: ((state: DemoState) => void | Promise<void>) | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A demo that has not been begun. */
export function newDemo(): DemoState {
  return { email: demoCompany.email, password: newPassword() };
}

/**
 * Writes the demo company through the public interface. Killed and called again with the last state it goes on where
 * it was: nothing is written twice. Throws an `ImportError` that says what was refused.
 */
export async function seedDemo(options: SeedOptions): Promise<DemoAccess> {
  const url = options.url.replace(/\/+$/, '');
  let state = options.state ?? newDemo();
  const reached = async (next: DemoState): Promise<void> => {
    state = next;
    await options.onState?.(next);
  };
  // The password is kept before it is used: a run that dies right after registering can still sign in.
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
