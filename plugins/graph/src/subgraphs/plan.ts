import type { AnalyticalSchema, Graph, NewSubgraph, SchemaDefinition, SubgraphType } from '@pacioli/core';
import { definitionOf } from '../schema/index.ts';
import { knowledge } from './knowledge.ts';

/** The name of the schema extension of knowledge subgraphs; `memory` is its older name (graphs G-23). */
const knowledgeNames = ['knowledge', 'memory'];
const maxDisplayName = 100;
const maxDescription = 500;

export interface SubgraphRequest {
  readonly name: string;
  readonly display_name: string;
  readonly description?: string | null;
  readonly schema_extensions?: readonly string[];
  readonly subgraph_type?: SubgraphType;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly fork_parent?: boolean;
}

export interface SubgraphPlan {
  readonly subgraph: NewSubgraph;
  /** Its declared schema; undefined if it has the types of its extensions. */
  readonly definition: SchemaDefinition | undefined;
  readonly isFork: boolean;
  /** The tables to copy from the parent; undefined for all. */
  readonly tables: readonly string[] | undefined;
}

export type PlannedSubgraph =
  | { readonly ok: true; readonly plan: SubgraphPlan }
  | { readonly ok: false; readonly field: string; readonly message: string };

/** The parent as the rules need it. */
export interface ParentFacts {
  readonly graph: Pick<Graph, 'id' | 'extensions' | 'type'>;
  /** The definition of a generic parent. */
  readonly declared: SchemaDefinition | undefined;
  readonly resolve: (wireName: string) => string | undefined;
  /** The base types and those of the given domains. */
  readonly typesOf: (domains: readonly string[]) => AnalyticalSchema;
}

/** Checks a request for a subgraph and decides its schema (graphs SG-1, SG-3, SG-4, SG-7). */
export function planSubgraph(request: SubgraphRequest, parent: ParentFacts): PlannedSubgraph {
  const problem = problemOf(request);
  if (problem !== undefined) return { ok: false, ...problem };
  const type = request.subgraph_type ?? 'static';
  const isFork = request.fork_parent === true;
  if (isFork && type !== 'static')
    return {
      ok: false,
      field: 'fork_parent',
      message: `A subgraph of type ${type} has other types than its parent, so it cannot be a copy of it`,
    };
  const given = type === 'empty' ? [] : (request.schema_extensions ?? []);
  const domains = given.filter((name) => !knowledgeNames.includes(name)).map(parent.resolve);
  if (domains.some((domain) => domain === undefined || !parent.graph.extensions.includes(domain)))
    return { ok: false, field: 'schema_extensions', message: 'Must be extensions of the parent graph, or knowledge' };
  const extensions = given.length === 0 ? parent.graph.extensions : (domains as readonly string[]); // All are known.
  const hasKnowledge = type === 'knowledge' || given.some((name) => knowledgeNames.includes(name));
  const tables = forkTables(request.metadata);
  if (tables === null)
    return { ok: false, field: 'metadata', message: 'fork_options.tables is a list of names of tables' };
  const subgraph: NewSubgraph = {
    parentId: parent.graph.id,
    name: request.name.toLowerCase(),
    type,
    displayName: request.display_name.trim(),
    description: request.description?.trim() ?? '',
    extensions: type === 'static' ? extensions : [],
    metadata: request.metadata ?? null,
    isActive: !isFork,
  };
  return { ok: true, plan: { subgraph, definition: schemaOf(type, extensions, hasKnowledge, parent), isFork, tables } };
}

function problemOf(request: SubgraphRequest): { field: string; message: string } | undefined {
  if (!/^[a-zA-Z0-9]{1,20}$/.test(request.name))
    return { field: 'name', message: 'Must have 1 to 20 letters and digits' };
  const displayName = request.display_name.trim();
  if (displayName === '' || displayName.length > maxDisplayName)
    return { field: 'display_name', message: `Must have 1 to ${maxDisplayName} characters` };
  if ((request.description?.length ?? 0) > maxDescription)
    return { field: 'description', message: `Must have at most ${maxDescription} characters` };
  return undefined;
}

function schemaOf(
  type: SubgraphType,
  extensions: readonly string[],
  hasKnowledge: boolean,
  parent: ParentFacts,
): SchemaDefinition | undefined {
  if (type === 'empty') return { name: 'empty', nodes: [], relationships: [] };
  if (type === 'knowledge') return { name: 'knowledge', ...knowledge };
  if (!hasKnowledge) return parent.declared;
  const own = parent.declared === undefined ? definitionOf(parent.typesOf(extensions)) : listsOf(parent.declared);
  return {
    ...(parent.declared ?? { name: 'static' }),
    nodes: [...own.nodes, ...knowledge.nodes],
    relationships: [...own.relationships, ...knowledge.relationships],
  };
}

const listsOf = (definition: SchemaDefinition) => ({
  nodes: (definition['nodes'] ?? []) as readonly SchemaDefinition[], // Checked when it was declared.
  relationships: (definition['relationships'] ?? []) as readonly SchemaDefinition[],
});

/** The names in `fork_options.tables`; undefined without any, null for something else than a list of names. */
function forkTables(metadata: SubgraphRequest['metadata']): readonly string[] | undefined | null {
  const options = metadata?.['fork_options'];
  const tables = typeof options === 'object' && options !== null && 'tables' in options ? options.tables : undefined;
  if (tables === undefined) return undefined;
  const isList = Array.isArray(tables) && tables.length > 0 && tables.every((name) => typeof name === 'string');
  return isList ? (tables as readonly string[]) : null; // Checked.
}

/** Why a copy of these tables is impossible, as a sentence; undefined if it is not (graphs SG-7). */
export function problemOfTables(tables: readonly string[], schema: AnalyticalSchema): string | undefined {
  const nodes = new Set(schema.nodes.map(({ name }) => name));
  const chosen = new Set(tables);
  const unknown = tables.filter((name) => !nodes.has(name) && !schema.relationships.some((each) => each.name === name));
  if (unknown.length > 0) return `fork_options.tables names tables that the graph does not have: ${unknown.join(', ')}`;
  const open = schema.relationships.find(
    ({ name, from, to }) => chosen.has(name) && !(chosen.has(from) && chosen.has(to)),
  );
  if (open === undefined) return undefined;
  return `fork_options.tables has ${open.name} without both its ends, ${open.from} and ${open.to}`;
}
