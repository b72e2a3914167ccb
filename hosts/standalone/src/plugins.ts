import billing from '@pacioli/billing';
import blocks from '@pacioli/blocks';
import connections from '@pacioli/connections';
import graph from '@pacioli/graph';
import investor from '@pacioli/investor';
import ledger from '@pacioli/ledger';
import mcp from '@pacioli/mcp';
import memory from '@pacioli/memory';
import operators from '@pacioli/operators';
import reporting from '@pacioli/reporting';
import search from '@pacioli/search';
import taxonomy from '@pacioli/taxonomy';

/** The plugins of a deployment without a file of its own. */
export const plugins = [
  graph,
  taxonomy,
  blocks,
  ledger,
  connections,
  reporting,
  investor,
  search,
  memory,
  operators,
  mcp,
  billing,
] as const;

/** Additional names of domains that published clients use. */
export const aliases = { ledger: ['roboledger'], investor: ['roboinvestor'] } as const;
