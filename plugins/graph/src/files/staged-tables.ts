import type { AnalyticalSchema } from '@pacioli/core';
import type { StagedTable } from '@pacioli/core/ports';

/** The tables of a schema as staging needs them: a relationship with the nodes at its ends. */
export function stagedTables(schema: AnalyticalSchema): readonly StagedTable[] {
  const nodes = new Map(schema.nodes.map((node) => [node.name, node]));
  const end = (name: string) => {
    const node = nodes.get(name);
    if (node === undefined) throw new Error(`The schema has a relationship with the unknown node ${name}.`);
    return node;
  };
  return [
    ...schema.nodes,
    ...schema.relationships.map((each) => ({ ...each, fromNode: end(each.from), toNode: end(each.to) })),
  ];
}
