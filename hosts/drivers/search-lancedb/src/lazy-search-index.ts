import { existsSync, readdirSync } from 'node:fs';
import { type SearchIndex, SearchIndexError } from '@pacioli/core/ports';
import { folderId } from './index-identity.ts';
import type { TableIndex } from './lance-search-index.ts';
import { loadEngine } from './load-engine.ts';
import { tableName } from './table-name.ts';

export interface LanceSearchIndexOptions {
  /** The folder of the index, which has one folder for each graph; it is made when needed. */
  readonly folder: string;
}

/**
 * The search index in LanceDB tables of a folder, which several processes of one machine may share. The engine is
 * loaded at its first use, because a service without documents does not need its memory; if there are some, it is
 * loaded at once, so that the first search does not wait for it.
 */
export function lanceSearchIndex(options: LanceSearchIndexOptions): SearchIndex {
  let loading: Promise<TableIndex> | undefined;
  let identity: Promise<string> | undefined;
  const loaded = (): Promise<TableIndex> => {
    loading ??= loadIndex(options);
    return loading;
  };
  // A failure is reported by the first use.
  if (hasTables(options.folder)) loaded().catch(() => undefined);
  return {
    driver: 'lancedb',
    identity: () => {
      identity ??= identityOf(options.folder).catch((cause: unknown) => {
        identity = undefined;
        throw new SearchIndexError('The search index failed.', { cause });
      });
      return identity;
    },
    revision: async (...call) => (await loaded()).revision(...call),
    replace: async (...call) => (await loaded()).replace(...call),
    deleteGraph: async (...call) => (await loaded()).deleteGraph(...call),
    search: async (...call) => (await loaded()).search(...call),
    entries: async (...call) => (await loaded()).entries(...call),
    notEmbeddedBy: async (...call) => (await loaded()).notEmbeddedBy(...call),
    setVectors: async (...call) => (await loaded()).setVectors(...call),
    stats: async (...call) => (await loaded()).stats(...call),
    close: async () => (await loading?.catch(() => undefined))?.close(),
  };
}

async function loadIndex(options: LanceSearchIndexOptions): Promise<TableIndex> {
  await loadEngine();
  const { LanceSearchIndex } = await import('./lance-search-index.ts');
  return new LanceSearchIndex(options);
}

/** An index whose tables have other columns is another one. */
async function identityOf(folder: string): Promise<string> {
  return `lancedb ${tableName} ${await folderId(folder)}`;
}

/** True if graphs have folders of tables. */
function hasTables(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isDirectory());
}
