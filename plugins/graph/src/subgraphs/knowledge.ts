import type { SchemaDefinition } from '@pacioli/core';

type Column = readonly [name: string, type: 'STRING' | 'DOUBLE' | 'INT32'];

const text = (...names: string[]): Column[] => names.map((name): Column => [name, 'STRING']);

const properties = (columns: readonly Column[]): SchemaDefinition[] => columns.map(([name, type]) => ({ name, type }));

const node = (name: string, columns: readonly Column[]): SchemaDefinition => ({
  name,
  properties: [{ name: 'identifier', type: 'STRING', is_primary_key: true }, ...properties(columns)],
});

const relationship = (name: string, from: string, to: string, columns: readonly Column[]): SchemaDefinition => ({
  name,
  from_node: from,
  to_node: to,
  properties: properties(columns),
});

/** The types of a knowledge subgraph: what was learned, when and about what (graphs 6.6). */
export const knowledge: { readonly nodes: SchemaDefinition[]; readonly relationships: SchemaDefinition[] } = {
  nodes: [
    node('Concept', [
      ...text('name', 'description', 'category'),
      ['confidence', 'DOUBLE'],
      ...text('source', 'created_at', 'updated_at'),
      ['access_count', 'INT32'],
      ...text('last_accessed'),
    ]),
    node('Observation', [
      ...text('content', 'observation_type', 'context'),
      ['confidence', 'DOUBLE'],
      ...text('created_at', 'expires_at'),
    ]),
    node('Session', text('name', 'purpose', 'started_at', 'ended_at', 'status')),
  ],
  relationships: [
    relationship('CONCEPT_RELATES_TO', 'Concept', 'Concept', [
      ...text('relationship_type'),
      ['strength', 'DOUBLE'],
      ...text('created_at'),
    ]),
    relationship('OBSERVATION_ABOUT', 'Observation', 'Concept', [['relevance', 'DOUBLE'], ...text('created_at')]),
    relationship('SESSION_PRODUCED', 'Session', 'Observation', text('created_at')),
    relationship('SESSION_REFERENCED', 'Session', 'Concept', text('usage_type', 'created_at')),
  ],
};
