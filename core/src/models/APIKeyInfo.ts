import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('APIKeyInfo', {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  is_active: Type.Boolean(),
  created_at: Type.String(),
  description: Type.Optional(nullable(Type.String())),
  last_used_at: Type.Optional(nullable(Type.String())),
  expires_at: Type.Optional(nullable(Type.String())),
  graph_id: Type.Optional(nullable(Type.String())),
});
