import { instant, model, nullable, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';

export default model('SubgraphResponse', {
  graph_id: Type.String(),
  parent_graph_id: Type.String(),
  subgraph_index: Type.Integer(),
  subgraph_name: Type.String(),
  display_name: Type.String(),
  subgraph_type: oneOf(['empty', 'knowledge', 'static']),
  status: Type.String(),
  created_at: instant(),
  updated_at: instant(),
  description: Type.Optional(nullable(Type.String())),
  size_bytes: Type.Optional(nullable(Type.Integer())),
  size_mb: Type.Optional(nullable(Type.Number())),
  node_count: Type.Optional(nullable(Type.Integer())),
  edge_count: Type.Optional(nullable(Type.Integer())),
  last_accessed: Type.Optional(nullable(instant())),
  metadata: Type.Optional(nullable(openObject())),
});
