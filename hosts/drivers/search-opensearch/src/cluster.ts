import { createHash } from 'node:crypto';
import { Client } from '@opensearch-project/opensearch';
import { SearchIndexError } from '@pacioli/core/ports';
import { failureOf, isMissing, typeOf } from './failure.ts';
import { indexBody } from './mapping.ts';
import { maxRetries, type OpenSearchOptions, standardPrefix, standardTimeoutMs } from './options.ts';

/** A hit of a search, or a document that was read; which fields are present depends on the request. */
export interface Hit<Source> {
  readonly _id: string;
  readonly _score: number | null;
  readonly _seq_no?: number;
  readonly _primary_term?: number;
  readonly _source?: Source;
  readonly sort?: readonly unknown[];
}

export interface SearchAnswer<Source> {
  readonly hits: { readonly total?: { readonly value: number }; readonly hits: readonly Hit<Source>[] };
  readonly aggregations?: {
    readonly models: { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] };
  };
}

interface BulkItem {
  readonly status: number;
  readonly error?: { readonly type: string };
}

/** The requests to the indexes of graphs. Writes require the alias of an index, so none creates one by accident. */
export class Cluster {
  readonly #client: Client;
  readonly #prefix: string;
  /** The address and the prefix of the names of indexes. */
  readonly identity: string;

  constructor({ url, credentials, prefix = standardPrefix, timeoutMs = standardTimeoutMs }: OpenSearchOptions) {
    this.#prefix = prefix;
    this.identity = `opensearch ${url} ${prefix}`;
    this.#client = new Client({
      node: url,
      requestTimeout: timeoutMs,
      maxRetries,
      ...(credentials === undefined ? {} : { auth: { username: credentials.user, password: credentials.password } }),
    });
  }

  /** The answer, or undefined if the graph has no index. */
  async search<Source>(graphId: string, body: object, signal: AbortSignal): Promise<SearchAnswer<Source> | undefined> {
    return this.#orMissing(`/${this.#alias(graphId)}/_search`, 'POST', JSON.stringify(body), signal);
  }

  /** The id that the cluster gave the index of the graph when it was made; undefined without an index. */
  async indexUuid(graphId: string, signal: AbortSignal): Promise<string | undefined> {
    type Answer = Readonly<Record<string, { readonly settings: { readonly index: { readonly uuid: string } } }>>;
    const path = `/${this.#alias(graphId)}/_settings/index.uuid`;
    const answer = await this.#orMissing<Answer>(path, 'GET', '', signal);
    return Object.values(answer ?? {})[0]?.settings.index.uuid;
  }

  /** The documents with these ids that exist. */
  async documents<Source>(
    graphId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Hit<Source>[]> {
    type Answer = { readonly docs: readonly (Hit<Source> & { readonly found?: boolean })[] };
    const path = `/${this.#alias(graphId)}/_mget`;
    const answer = await this.#orMissing<Answer>(path, 'POST', JSON.stringify({ ids }), signal);
    return (answer?.docs ?? []).filter(({ found }) => found === true);
  }

  /**
   * Writes lines of the bulk format, and creates the index of a graph that has none. Throws if an entry is refused,
   * except for a conflict with another write and a deletion of an entry that is gone.
   */
  async write(graphId: string, lines: string, signal: AbortSignal): Promise<void> {
    const path = `/${this.#alias(graphId)}/_bulk?require_alias=true&filter_path=items.*.status,items.*.error.type`;
    const send = () =>
      this.#request<{ items?: readonly Readonly<Record<string, BulkItem>>[] }>('POST', path, lines, signal);
    let { items = [] } = await send();
    let results = items.flatMap((item) => Object.values(item));
    if (results.some(({ error }) => error?.type === 'index_not_found_exception')) {
      await this.#create(graphId, signal);
      ({ items = [] } = await send());
      results = items.flatMap((item) => Object.values(item));
    }
    const refused = results.find(({ status }) => status >= 400 && status !== 404 && status !== 409);
    const missing = results.find(({ error }) => error?.type === 'index_not_found_exception');
    const failed = refused ?? missing;
    if (failed !== undefined)
      throw new SearchIndexError(`The search cluster refused an entry with status ${failed.status}.`);
  }

  async refresh(graphId: string, signal: AbortSignal): Promise<void> {
    await this.#orMissing(`/${this.#alias(graphId)}/_refresh`, 'POST', '', signal);
  }

  async remove(graphId: string, signal: AbortSignal): Promise<void> {
    await this.#orMissing(`/${this.#alias(graphId)}${indexSuffix}`, 'DELETE', '', signal);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #create(graphId: string, signal: AbortSignal): Promise<void> {
    const alias = this.#alias(graphId);
    const path = `/${alias}${indexSuffix}?wait_for_active_shards=1`;
    try {
      await this.#request('PUT', path, JSON.stringify(indexBody(alias)), signal, { isRaw: true });
    } catch (error) {
      if (typeOf(error) !== 'resource_already_exists_exception') throw signal.aborted ? error : failureOf(error);
    }
  }

  async #orMissing<Answer>(path: string, method: string, body: string, signal: AbortSignal) {
    try {
      return await this.#request<Answer>(method, path, body, signal, { isRaw: true });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw signal.aborted ? error : failureOf(error);
    }
  }

  async #request<Answer>(
    method: string,
    path: string,
    body: string,
    signal: AbortSignal,
    { isRaw = false }: { readonly isRaw?: boolean } = {},
  ): Promise<Answer> {
    signal.throwIfAborted();
    const headers = { 'content-type': path.includes('/_bulk') ? 'application/x-ndjson' : 'application/json' };
    const request = this.#client.transport.request({ method, path, ...(body === '' ? {} : { body }) }, { headers });
    // Returns nothing: Node.js would take a returned request for a promise, and end the process when it fails.
    const abort = (): void => {
      request.abort();
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      const { body: answer } = await request;
      return answer as Answer; // The fields that are read are those of the documented answers.
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw isRaw ? error : failureOf(error);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** An id with other characters than those of graph ids is hashed, so that no id reaches another index. */
  #alias(graphId: string): string {
    const isPlain = /^[a-z0-9_]{1,100}$/.test(graphId);
    return `${this.#prefix}${isPlain ? graphId : `x-${createHash('sha256').update(graphId).digest('hex')}`}`;
  }
}

/** The name of the index behind an alias is the alias with this suffix. */
const indexSuffix = '.entries';
