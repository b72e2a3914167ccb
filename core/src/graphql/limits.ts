import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';

/** The limits on a GraphQL document (platform E-24). */
export interface DocumentLimits {
  readonly maxDepth: number;
  /** Introspection nests deeper by nature, so it has a separate limit. */
  readonly maxIntrospectionDepth: number;
  readonly maxAliases: number;
  readonly maxTokens: number;
  /** The total points of all reads of a request. */
  readonly maxCost: number;
}

export const documentLimits: DocumentLimits = {
  maxDepth: 15,
  maxIntrospectionDepth: 25,
  maxAliases: 30,
  maxTokens: 2000,
  maxCost: 1000,
};

/** Returns the message for the first limit that a document exceeds, if any. A fragment counts wherever it is spread. */
export function measureDocument(document: DocumentNode, limits: DocumentLimits): string | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition);
  }
  const count = { aliases: 0, depth: 0, introspectionDepth: 0, steps: 0 };
  for (const definition of document.definitions) {
    if (definition.kind === 'OperationDefinition') walk(definition.selectionSet, 1, false, new Set());
  }
  if (count.aliases > limits.maxAliases)
    return `The document has more than ${limits.maxAliases} aliases. Split it into several requests.`;
  if (count.depth > limits.maxDepth)
    return `The document is nested deeper than ${limits.maxDepth} levels. Request fewer levels.`;
  if (count.introspectionDepth > limits.maxIntrospectionDepth)
    return `The introspection is nested deeper than ${limits.maxIntrospectionDepth} levels. Request fewer levels.`;
  return count.steps > limits.maxTokens
    ? 'The document spreads its fragments too often. Split it into several requests.'
    : undefined;

  function walk(set: SelectionSetNode, depth: number, introspection: boolean, spread: ReadonlySet<string>): void {
    for (const selection of set.selections) {
      count.steps += 1;
      if (count.steps > limits.maxTokens) return;
      if (selection.kind === 'Field') {
        const inside = introspection || selection.name.value.startsWith('__');
        if (selection.alias !== undefined) count.aliases += 1;
        if (inside) count.introspectionDepth = Math.max(count.introspectionDepth, depth);
        else count.depth = Math.max(count.depth, depth);
        if (selection.selectionSet !== undefined) walk(selection.selectionSet, depth + 1, inside, spread);
      } else if (selection.kind === 'InlineFragment') {
        walk(selection.selectionSet, depth, introspection, spread);
      } else if (!spread.has(selection.name.value)) {
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined)
          walk(fragment.selectionSet, depth, introspection, new Set([...spread, selection.name.value]));
      }
    }
  }
}
