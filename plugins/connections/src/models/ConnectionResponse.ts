import { instant, model, nullable, openObject, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const moment = Type.Union([instant(), Type.String()]);

const connectionResponse = model('ConnectionResponse', {
  connection_id: Type.String(),
  provider: Type.String(),
  status: Type.String(),
  created_at: moment,
  metadata: openObject(),
  entity_id: Type.Optional(nullable(Type.String())),
  updated_at: Type.Optional(nullable(moment)),
  last_sync: Type.Optional(nullable(moment)),
  write_policy: Type.Optional(nullable(Type.String())),
  source_name: Type.Optional(nullable(Type.String())),
});

export type ConnectionResponse = TypeOf<typeof connectionResponse>;
export default connectionResponse;
