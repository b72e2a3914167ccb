import {
  field,
  ImportError,
  type LedgerApi,
  listField,
  requireSuccess,
  textField,
} from '@pacioli/import-beancount/client';
import { demoLimits } from './limits.ts';

/** The graph to read, with the client to read it through. */
export interface Books {
  readonly api: LedgerApi;
  readonly graphId: string;
}

/** Returns the data of a GraphQL query; `what` names the query in the error. */
export async function readGraphql(books: Books, query: string, what: string): Promise<unknown> {
  const path = `/extensions/${encodeURIComponent(books.graphId)}/graphql`;
  const body = requireSuccess(await books.api.post(path, { query }), what);
  const [error] = listField(body, 'errors');
  if (error !== undefined) throw new ImportError(`${what} failed: ${textField(error, 'message') ?? 'no reason given'}`);
  return field(body, 'data');
}

/** Returns the element ids of the accounts by code. */
export async function readAccountIds(books: Books): Promise<ReadonlyMap<string, string>> {
  const query = `{ accounts(limit: ${demoLimits.maxAccounts}) { accounts { id code } } }`;
  const data = await readGraphql(books, query, 'Reading the accounts');
  const ids = new Map<string, string>();
  for (const account of listField(field(data, 'accounts'), 'accounts')) {
    const [id, code] = [textField(account, 'id'), textField(account, 'code')];
    if (id !== null && code !== null) ids.set(code, id);
  }
  return ids;
}
