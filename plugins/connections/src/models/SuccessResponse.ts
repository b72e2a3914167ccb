import { model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';

export default model('SuccessResponse', {
  message: Type.String(),
  success: Type.Optional(Type.Boolean({ default: true })),
  data: Type.Optional(nullable(openObject())),
});
