import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';

/** How large a GraphQL document may be (platform E-24). */
export interface DocumentLimits {
  readonly depth_max: number;
  /** Introspection nests deeper by nature, so it has a limit of its own. */
  readonly introspection_depth_max: number;
  readonly aliases_max: number;
  readonly tokens_max: number;
  /** Points of all reads of a request together. */
  readonly cost_max: number;
}

export const documentLimits: DocumentLimits = {
  depth_max: 15,
  introspection_depth_max: 25,
  aliases_max: 30,
  tokens_max: 2000,
  cost_max: 1000,
};

/** What is too much about a document, or undefined. A fragment counts where it is spread. */
export function measureDocument(document: DocumentNode, limits: DocumentLimits): string | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition);
  }
  const count = { aliases: 0, depth: 0, introspectionDepth: 0, steps: 0 };
  for (const definition of document.definitions) {
    if (definition.kind === 'OperationDefinition') walk(definition.selectionSet, 1, false, new Set());
  }
  if (count.aliases > limits.aliases_max)
    return `The document has more than ${limits.aliases_max} aliases. Split it into several requests.`;
  if (count.depth > limits.depth_max) return `The document is nested deeper than ${limits.depth_max} levels.`;
  if (count.introspectionDepth > limits.introspection_depth_max)
    return `The introspection is nested deeper than ${limits.introspection_depth_max} levels.`;
  return count.steps > limits.tokens_max ? 'The document spreads its fragments too often.' : undefined;

  function walk(set: SelectionSetNode, depth: number, introspection: boolean, spread: ReadonlySet<string>): void {
    for (const selection of set.selections) {
      count.steps += 1;
      if (count.steps > limits.tokens_max) return;
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
