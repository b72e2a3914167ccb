import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('CreateRepositorySubscriptionRequest', {
  plan_name: Type.String(),
  user_id: Type.Optional(nullable(Type.String())),
});
