import type { Plugin, Provider } from '@pacioli/core';
import type { Aliases, Mail } from '@pacioli/core/assembly';
import type { FileStore, GraphStore, SearchIndex, StagingStore, Store } from '@pacioli/core/ports';

/** What a deployment consists of. Its environment has the rest: addresses, secrets and limits. */
export interface DeploymentConfig {
  /** The plugins in any order, with their configuration: `ledger.with({ … })`. */
  readonly plugins: readonly Plugin[];
  /** Additional names of domains; by default those that published clients use, such as `roboledger` for the ledger. */
  readonly aliases?: Aliases;
  /** Services in the place of those of the plugins, such as another payment provider. */
  readonly override?: readonly Provider[];
  readonly drivers?: {
    /**
     * The analytical store, which may keep its own records in the transactional one; by default that of
     * PACIOLI_GRAPH_DATABASES, or else the embedded one in the data folder.
     */
    readonly graphStore?: (given: { readonly store: Store }) => GraphStore | Promise<GraphStore>;
    /** Uploads and backups; by default the folder `files` in the data folder. */
    readonly fileStore?: () => FileStore | Promise<FileStore>;
    /** Staged rows; by default DuckDB in the folder `staging` of the data folder. */
    readonly stagingStore?: () => StagingStore | Promise<StagingStore>;
    /** By default LanceDB in the folder `search` of the data folder, or none by PACIOLI_SEARCH_INDEX. */
    readonly searchIndex?: () => SearchIndex | Promise<SearchIndex>;
    /** By default SMTP by PACIOLI_MAIL_URL, or else a file in the data folder. */
    readonly mail?: () => Mail | Promise<Mail>;
  };
}

/** Types the default export of a `pacioli.config.ts`. */
export function defineConfig(config: DeploymentConfig): DeploymentConfig {
  return config;
}
