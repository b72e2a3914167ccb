import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

const fileLayerStatus = model('FileLayerStatus', {
  status: Type.String(),
  timestamp: Type.Optional(nullable(Type.String())),
  row_count: Type.Optional(nullable(Type.Integer())),
  size_bytes: Type.Optional(nullable(Type.Integer())),
});

export default model('EnhancedFileStatusLayers', {
  s3: fileLayerStatus,
  duckdb: fileLayerStatus,
  graph: fileLayerStatus,
});
