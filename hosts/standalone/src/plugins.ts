import billing from '@pacioli/billing';
import blocks from '@pacioli/blocks';
import connections from '@pacioli/connections';
import type { Plugin } from '@pacioli/core';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import reporting from '@pacioli/reporting';
import taxonomy from '@pacioli/taxonomy';
import type { PluginSettings } from './plugin-switches.ts';

/** The plugins of this host. */
export const plugins = [graph, taxonomy, blocks, ledger, connections, reporting, billing] as const;

/** The same plugins with the configuration of a deployment. */
export function configured(settings: PluginSettings): readonly Plugin[] {
  return plugins.map((plugin) => plugin.with(settings[plugin.name] ?? {}));
}

/** Additional names of domains that published clients use. */
export const aliases = { ledger: ['roboledger'], investor: ['roboinvestor'] } as const;
