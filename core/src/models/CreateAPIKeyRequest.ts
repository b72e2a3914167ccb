import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('CreateAPIKeyRequest', {
  name: Type.String(),
  description: Type.Optional(nullable(Type.String())),
  expires_at: Type.Optional(nullable(Type.String())),
  graph_id: Type.Optional(nullable(Type.String())),
});
