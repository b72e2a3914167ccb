import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('PortalSessionResponse', {
  portal_url: Type.Optional(nullable(Type.String())),
  billing_disabled: Type.Optional(Type.Boolean({ default: false })),
});
