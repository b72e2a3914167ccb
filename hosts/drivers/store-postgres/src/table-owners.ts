import type { MigrationSet, TableAccess } from '@pacioli/core/ports';

/** Finds the owner of a table, sequence, view or function by prefix: `ledger` owns `ledger_entry` (platform X-5). */
export interface TableOwners {
  /** The owner of the name, or undefined when it belongs neither to a plugin nor to the kernel. */
  ownerOf(name: string): string | undefined;
}

/** With owners named `close` and `close-tools`, a table `close_tools_run` belongs to the longer name. */
export function tableOwners(names: Iterable<string>): TableOwners {
  const prefixes = [...new Set(names)]
    .map((name) => ({ name, prefix: prefixOf(name) }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return { ownerOf: (name) => prefixes.find(({ prefix }) => name.startsWith(prefix))?.name };
}

/** Names of plugins are in kebab-case, names in SQL in snake_case. */
export function prefixOf(owner: string): string {
  return `${owner.replaceAll('-', '_')}_`;
}

/** The access that the owner's set declares for a table; `*` covers all tables that it does not name. */
export function accessOf(set: MigrationSet | undefined, table: string): TableAccess {
  return set?.tables?.[table] ?? set?.tables?.['*'] ?? {};
}
