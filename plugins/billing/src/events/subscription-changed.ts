import { defineEvent, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

/** A subscription was created, or its status or plan changed. */
export default defineEvent(
  'billing.subscription-changed',
  model('SubscriptionChanged', {
    subscription_id: Type.String(),
    org_id: Type.String(),
    resource_type: Type.String(),
    resource_id: nullable(Type.String()),
    plan_name: Type.String(),
    status: Type.String(),
    user_id: nullable(Type.String()),
  }),
);
