import { type SearchIndex, SearchIndexError } from '@pacioli/core/ports';
import graph from '@pacioli/graph';
import {
  type Answer,
  type FixedClock,
  fixedClock,
  startTestService,
  type TestClient,
  type TestService,
  type TestServiceOptions,
  teamSettings,
} from '@pacioli/testing';
import search from '../src/index.ts';

/** Any JSON from the wire. */
export type Loose = Answer['body'];

/** An index that a test can make fail. */
export interface BrokenIndex extends SearchIndex {
  /** While true, every call fails as an unreachable index does. */
  isDown: boolean;
  /** Called after each write of the index, before its transaction commits. */
  afterWrite: (() => void) | undefined;
}

export function breakable(index: SearchIndex): BrokenIndex {
  const check = (): void => {
    if (broken.isDown) throw new SearchIndexError('The index is down.');
  };
  const broken: BrokenIndex = {
    driver: index.driver,
    isDown: false,
    afterWrite: undefined,
    replace: async (...call) => {
      check();
      await index.replace(...call);
      broken.afterWrite?.();
    },
    identity: () => index.identity(),
    revision: async (...call) => {
      check();
      return index.revision(...call);
    },
    deleteGraph: async (...call) => {
      check();
      await index.deleteGraph(...call);
    },
    search: async (...call) => {
      check();
      return index.search(...call);
    },
    entries: async (...call) => {
      check();
      return index.entries(...call);
    },
    notEmbeddedBy: async (...call) => {
      check();
      return index.notEmbeddedBy(...call);
    },
    setVectors: async (...call) => {
      check();
      await index.setVectors(...call);
    },
    stats: async (...call) => {
      check();
      return index.stats(...call);
    },
    close: () => index.close(),
  };
  return broken;
}

/** A service with documents, and the owner of its graphs. */
export interface SearchService {
  readonly service: TestService;
  readonly clock: FixedClock;
  readonly owner: TestClient;
}

export async function startSearch(
  options: Partial<TestServiceOptions> & { readonly settings?: TestServiceOptions['settings'] } = {},
): Promise<SearchService> {
  const clock = fixedClock('2026-05-02T08:00:00Z');
  const service = await startTestService({
    plugins: [graph, search],
    clock,
    ...options,
    settings: { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 }, ...options.settings },
  });
  return { service, clock, owner: await service.newUser('Ann') };
}

const schema = {
  name: 'library',
  nodes: [{ name: 'Shelf', properties: [{ name: 'id', type: 'STRING', is_primary_key: true }] }],
};

/** Creates a generic graph and returns its id. */
export async function openLibrary(owner: TestClient, name = 'Library'): Promise<string> {
  const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: name }, custom_schema: schema });
  return (await owner.follow(accepted.body.operationId)).body.result.graph_id;
}

/** The calls about the documents of a graph as one caller. */
export function documentsOf(client: TestClient, graphId: string) {
  const operation = (name: string, body: object, headers = {}): Promise<Answer> =>
    client.post(`/v1/graphs/${graphId}/operations/${name}`, body, headers);
  return {
    graphId,
    index: (body: object, headers = {}) => operation('index-document', body, headers),
    remove: (documentId: string) => operation('delete-document', { document_id: documentId }),
    list: async (query = ''): Promise<Loose> => (await client.get(`/v1/graphs/${graphId}/documents${query}`)).body,
    get: (documentId: string) => client.get(`/v1/graphs/${graphId}/documents/${documentId}`),
    search: (body: object) => client.post(`/v1/graphs/${graphId}/search`, body),
    section: (id: string) => client.get(`/v1/graphs/${graphId}/search/${encodeURIComponent(id)}`),
    /** The titles of the documents that a search finds, in its order. */
    found: async (query: string, more: object = {}): Promise<readonly string[]> => {
      const { body } = await client.post(`/v1/graphs/${graphId}/search`, { query, ...more });
      return body.hits.map((hit: Loose) => hit.document_title);
    },
    /** The result of a write that succeeds. */
    stored: async (body: object): Promise<Loose> => {
      const answer = await operation('index-document', body);
      if (answer.status !== 200) throw new Error(`The document was refused: ${JSON.stringify(answer.body)}`);
      return answer.body.result;
    },
  };
}

export const words = (count: number, word = 'word'): string =>
  Array.from({ length: count }, (_each, at) => `${word}${at}`).join(' ');
