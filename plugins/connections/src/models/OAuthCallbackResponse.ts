import { model, nullable, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const oauthCallbackResponse = model('OAuthCallbackResponse', {
  success: Type.Boolean(),
  message: Type.String(),
  connection_id: Type.String(),
  auto_sync_task_id: Type.Optional(nullable(Type.String())),
});

export type OAuthCallbackResponse = TypeOf<typeof oauthCallbackResponse>;
export default oauthCallbackResponse;
