import type { Plugin } from '@pacioli/core';
import { type Embedder, EmbeddingError } from '@pacioli/core/ports';
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
import memory from '../src/index.ts';

/** A service with memories and the owner of its graphs. */
export interface MemoryTestService {
  readonly service: TestService;
  readonly clock: FixedClock;
  readonly owner: TestClient;
}

interface Options extends Partial<Pick<TestServiceOptions, 'embedder' | 'store' | 'log' | 'worker'>> {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly others?: readonly Plugin[];
}

export async function startMemory({ settings = {}, others = [], ...rest }: Options = {}): Promise<MemoryTestService> {
  const clock = fixedClock('2026-05-02T08:00:00Z');
  const service = await startTestService({
    plugins: [memory.with(settings), ...others],
    clock,
    settings: { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 } },
    ...rest,
  });
  return { service, clock, owner: await service.newUser('Ann') };
}

/** The calls of one caller on the memories of a graph. */
export interface GraphMemory {
  readonly remember: (text: string, more?: object, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly update: (memoryId: string, changes: object) => Promise<Answer>;
  readonly forget: (memoryId: string) => Promise<Answer>;
  readonly recall: (query: string, more?: object) => Promise<Answer>;
  readonly get: (memoryId: string) => Promise<Answer>;
  readonly list: (query?: string) => Promise<Answer>;
}

export function memoryOf(client: TestClient, graph: string): GraphMemory {
  const operation = (name: string, body: object, headers = {}) =>
    client.post(`/v1/graphs/${graph}/operations/${name}`, body, headers);
  const path = `/v1/graphs/${graph}/memory`;
  return {
    remember: (text, more = {}, headers = {}) => operation('remember', { text, ...more }, headers),
    update: (memoryId, changes) => operation('update-memory', { memory_id: memoryId, ...changes }),
    forget: (memoryId) => operation('forget', { memory_id: memoryId }),
    recall: (query, more = {}) => client.post(`${path}/recall`, { query, ...more }),
    get: (memoryId) => client.get(`${path}/${memoryId}`),
    list: (query = '') => client.get(`${path}${query}`),
  };
}

/** The status of an answer and the detail of its error. */
export function refusalOf({ status, body }: Answer): readonly unknown[] {
  return [status, body.detail];
}

/** An embedder whose vectors a test chooses, and that can be down or replaced by another model. */
export interface ChosenEmbedder extends Embedder {
  readonly calls: string[];
  isDown: boolean;
  /** Returns vectors of another length. */
  isWrong: boolean;
  /** Refuses each call with a text that contains this. */
  refused: string | undefined;
  model: string;
}

/** An embedder by which the given texts have the given cosine with every query, and all other texts have 0. */
export function chosenEmbedder(cosines: Readonly<Record<string, number>>): ChosenEmbedder {
  const embedder: ChosenEmbedder = {
    calls: [],
    isDown: false,
    isWrong: false,
    refused: undefined,
    model: 'chosen-1',
    get id() {
      return this.model;
    },
    dimensions: 8,
    embed: async (texts, kind) => {
      if (embedder.isDown) throw new EmbeddingError('The provider is down.');
      if (embedder.isWrong) return texts.map(() => new Float32Array(1));
      embedder.calls.push(...texts);
      const { refused } = embedder;
      if (refused !== undefined && texts.some((text) => text.includes(refused)))
        throw new EmbeddingError('The provider refuses the texts.');
      return texts.map((text) => {
        const cosine = kind === 'query' ? 1 : (cosines[text] ?? 0);
        const vector = new Float32Array(embedder.dimensions);
        vector[0] = cosine;
        // The other number makes the length 1; it stands in one of seven dimensions, so that texts differ.
        vector[1 + (Math.max(0, Object.keys(cosines).indexOf(text)) % 7)] = Math.sqrt(1 - cosine ** 2);
        return vector;
      });
    },
  };
  return embedder;
}
