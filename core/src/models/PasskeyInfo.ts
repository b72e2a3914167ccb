import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('PasskeyInfo', {
  id: Type.String(),
  name: Type.String(),
  created_at: Type.String(),
  backup_eligible: Type.Boolean(),
  backup_state: Type.Boolean(),
  last_used_at: Type.Optional(nullable(Type.String())),
});
