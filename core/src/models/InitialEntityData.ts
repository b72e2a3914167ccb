import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('InitialEntityData', {
  name: Type.String(),
  uri: Type.String(),
  ticker: Type.Optional(nullable(Type.String())),
  cik: Type.Optional(nullable(Type.String())),
  sic: Type.Optional(nullable(Type.String())),
  sic_description: Type.Optional(nullable(Type.String())),
  category: Type.Optional(nullable(Type.String())),
  state_of_incorporation: Type.Optional(nullable(Type.String())),
  fiscal_year_end: Type.Optional(nullable(Type.String())),
  ein: Type.Optional(nullable(Type.String())),
  entity_type: Type.Optional(nullable(Type.String())),
  reporting_style_id: Type.Optional(nullable(Type.String())),
});
