import { Type } from 'typebox';
import { model, nullable, oneOf } from '../schema/model.ts';

export default model('UpdateOrgRequest', {
  name: Type.Optional(nullable(Type.String())),
  org_type: Type.Optional(nullable(oneOf(['enterprise', 'personal', 'team']))),
});
