import type { MappedAccount, Statements, StructurePart, StyleStatements } from '@pacioli/taxonomy';

/** Structures of earlier releases are of the type `custom` (reporting Y-1). */
const styleTypes: ReadonlySet<string> = new Set(['reporting_style', 'custom']);

const requiredNetworks = ['balance_sheet', 'income_statement', 'cash_flow_statement', 'equity_statement'] as const;

/** The code of the style that a structure is, or the problem that prevents its choice (reporting Y-3). */
export function chosenStyle(
  structureId: string,
  structure: StructurePart | undefined,
  statements: Pick<Statements, 'codeOfStyle' | 'ofStyle'>,
): { readonly code: string; readonly statements: StyleStatements } | { readonly problem: string } {
  if (structure === undefined) return { problem: `Reporting style '${structureId}' not found.` };
  if (!styleTypes.has(structure.blockType)) {
    return { problem: `Structure '${structureId}' is '${structure.blockType}', not a reporting style.` };
  }
  const code = statements.codeOfStyle(structureId);
  const style = code === undefined ? undefined : statements.ofStyle(code);
  if (code !== undefined && style !== undefined) return { code, statements: style };
  // Only styles of the library are composed of networks.
  return {
    problem: `Reporting style '${structure.name}' has an incomplete composition — missing Network(s) for: ${requiredNetworks.join(', ')}`,
  };
}

/**
 * The concepts of mapped accounts whose amounts no statement of a style shows, by qname. Its statements fail with such an
 * amount (reporting R-26).
 */
export function unshownConcepts(
  accounts: readonly MappedAccount[],
  style: Pick<StyleStatements, 'leafOf' | 'isRolledUp'>,
): readonly string[] {
  const qnames = new Set(accounts.flatMap(({ concept }) => concept.qname ?? []));
  return [...qnames].filter((qname) => style.leafOf(qname) === undefined && !style.isRolledUp(qname)).sort();
}
