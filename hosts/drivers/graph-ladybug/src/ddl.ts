import type { AnalyticalNode, AnalyticalRelationship, AnalyticalSchema } from '@pacioli/core/ports';

/** The statements that create the empty tables of a schema, nodes first. */
export function ddl(schema: AnalyticalSchema): readonly string[] {
  return [...schema.nodes.map(nodeTable), ...schema.relationships.map(relationshipTable)];
}

function nodeTable(node: AnalyticalNode): string {
  const columns = node.columns.map(({ name, type }) => `\`${name}\` ${type}`);
  return `CREATE NODE TABLE \`${node.name}\`(${columns.join(', ')}, PRIMARY KEY(\`${node.key}\`))`;
}

function relationshipTable(relationship: AnalyticalRelationship): string {
  // The first two columns are the keys of the ends; the engine knows them as FROM and TO.
  const properties = relationship.columns.slice(2).map(({ name, type }) => `, \`${name}\` ${type}`);
  return `CREATE REL TABLE \`${relationship.name}\`(FROM \`${relationship.from}\` TO \`${relationship.to}\`${properties.join('')})`;
}
