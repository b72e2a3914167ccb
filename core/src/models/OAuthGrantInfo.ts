import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('OAuthGrantInfo', {
  id: Type.String(),
  client_name: Type.String(),
  client_is_trusted: Type.Boolean(),
  graph_id: Type.String(),
  resource: Type.String(),
  scope: Type.String(),
  created_at: Type.String(),
  client_uri: Type.Optional(nullable(Type.String())),
  graph_name: Type.Optional(nullable(Type.String())),
  last_used_at: Type.Optional(nullable(Type.String())),
});
