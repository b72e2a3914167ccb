import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('CancelSubscriptionRequest', {
  immediate: Type.Optional(Type.Boolean({ default: false })),
  confirm: Type.Optional(nullable(Type.String())),
  user_id: Type.Optional(nullable(Type.String())),
});
