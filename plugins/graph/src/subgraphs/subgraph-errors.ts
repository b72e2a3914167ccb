/** The refusals of operations on subgraphs, for the documents. */
export const subgraphErrors = {
  SUBGRAPH_NESTED: { kind: 'refused', meaning: 'A subgraph has no subgraphs.' },
  SUBGRAPHS_OFF: { kind: 'forbidden', meaning: 'The deployment does not allow new subgraphs.' },
  PARENT_NOT_ACTIVE: { kind: 'refused', meaning: 'The parent graph is suspended or being created.' },
  SUBGRAPH_LIMIT_REACHED: { kind: 'forbidden', meaning: 'The tier of the graph allows no more subgraphs.' },
  SUBGRAPH_NAME_IN_USE: {
    kind: 'conflict',
    meaning: 'The graph has a subgraph of this name; another one is suggested.',
  },
} as const;
