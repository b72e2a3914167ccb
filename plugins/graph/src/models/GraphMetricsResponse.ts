import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import graphMetricsResponseHealthStatus from './GraphMetricsResponseHealthStatus.ts';
import graphMetricsResponseNodeCounts from './GraphMetricsResponseNodeCounts.ts';
import graphMetricsResponseRelationshipCounts from './GraphMetricsResponseRelationshipCounts.ts';
import graphMetricsResponseStorage from './GraphMetricsResponseStorage.ts';

export default model('GraphMetricsResponse', {
  graph_id: Type.String(),
  timestamp: Type.String(),
  total_nodes: Type.Integer(),
  total_relationships: Type.Integer(),
  node_counts: graphMetricsResponseNodeCounts,
  relationship_counts: graphMetricsResponseRelationshipCounts,
  storage: graphMetricsResponseStorage,
  health_status: graphMetricsResponseHealthStatus,
  graph_name: Type.Optional(nullable(Type.String())),
  user_role: Type.Optional(nullable(Type.String())),
});
