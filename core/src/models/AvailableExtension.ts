import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('AvailableExtension', {
  name: Type.String(),
  description: Type.String(),
  display_name: Type.Optional(nullable(Type.String())),
  enabled: Type.Optional(Type.Boolean({ default: false })),
});
