import type { AnalyticalColumn, AnalyticalSchema, SchemaDefinition } from '@pacioli/core';

/** Writes the types of a graph as the definition of graphs section 7, which `create-graph` accepts. */
export function definitionOf(schema: AnalyticalSchema): Pick<Required<SchemaFields>, 'nodes' | 'relationships'> {
  return {
    nodes: schema.nodes.map((node) => ({
      name: node.name,
      ...described(node.summary),
      properties: node.columns.map((column) => property(column, column.name === node.key)),
    })),
    relationships: schema.relationships.map((relationship) => ({
      name: relationship.name,
      from_node: relationship.from,
      to_node: relationship.to,
      ...described(relationship.summary),
      // The first two columns are the keys of the ends.
      properties: relationship.columns.slice(2).map((column) => property(column, false)),
    })),
  };
}

type SchemaFields = {
  readonly nodes?: readonly SchemaDefinition[];
  readonly relationships?: readonly SchemaDefinition[];
};

function property({ name, type, isRequired, description }: AnalyticalColumn, isKey: boolean): SchemaDefinition {
  return {
    name,
    type,
    ...(isKey ? { is_primary_key: true } : {}),
    ...(isRequired === true && !isKey ? { nullable: false } : {}),
    ...described(description),
  };
}

const described = (description: string | undefined): { readonly description?: string } =>
  description === undefined ? {} : { description };

/** Writes the types as the statements that create their tables, nodes first (graphs SC-51). */
export function cypherOf(schema: AnalyticalSchema): string {
  const columns = (list: readonly AnalyticalColumn[]): string[] => list.map(({ name, type }) => `\`${name}\` ${type}`);
  const nodes = schema.nodes.map(
    (node) =>
      `CREATE NODE TABLE \`${node.name}\`(${[...columns(node.columns), `PRIMARY KEY(\`${node.key}\`)`].join(', ')});`,
  );
  const relationships = schema.relationships.map(({ name, from, to, columns: all }) => {
    const items = [`FROM \`${from}\` TO \`${to}\``, ...columns(all.slice(2))];
    return `CREATE REL TABLE \`${name}\`(${items.join(', ')});`;
  });
  return [...nodes, ...relationships].join('\n');
}
