import { mapOf, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';

export default model('GraphMetricsResponse', {
  graph_id: Type.String(),
  timestamp: Type.String(),
  total_nodes: Type.Integer(),
  total_relationships: Type.Integer(),
  node_counts: mapOf(Type.Integer()),
  relationship_counts: mapOf(Type.Integer()),
  storage: openObject(),
  health_status: openObject(),
  graph_name: Type.Optional(nullable(Type.String())),
  user_role: Type.Optional(nullable(Type.String())),
});
