import { existsSync } from 'node:fs';
import type { SearchIndex } from '@pacioli/core/ports';

export interface LanceSearchIndexOptions {
  /** The folder of the index, which has one folder for each graph; it is made when needed. */
  readonly folder: string;
}

/**
 * The search index in LanceDB tables of a folder, which several processes of one machine may share. The engine is
 * loaded at its first use, because a service without documents does not need it; if the folder exists, it is loaded at
 * once, because loading holds up all requests for some 200 milliseconds.
 */
export function lanceSearchIndex(options: LanceSearchIndexOptions): SearchIndex {
  let loading: Promise<SearchIndex> | undefined;
  const loaded = (): Promise<SearchIndex> => {
    loading ??= import('./lance-search-index.ts').then(({ LanceSearchIndex }) => new LanceSearchIndex(options));
    return loading;
  };
  // A failure is reported by the first use.
  if (existsSync(options.folder)) loaded().catch(() => undefined);
  return {
    driver: 'lancedb',
    replace: async (...call) => (await loaded()).replace(...call),
    deleteGraph: async (...call) => (await loaded()).deleteGraph(...call),
    search: async (...call) => (await loaded()).search(...call),
    entries: async (...call) => (await loaded()).entries(...call),
    notEmbeddedBy: async (...call) => (await loaded()).notEmbeddedBy(...call),
    setVectors: async (...call) => (await loaded()).setVectors(...call),
    stats: async (...call) => (await loaded()).stats(...call),
    close: async () => (await loading)?.close(),
  };
}
