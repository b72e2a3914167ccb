import { calendarDate, model, nullable, openObject, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const syncConnectionRequest = model('SyncConnectionRequest', {
  full_rebuild: Type.Optional(Type.Boolean({ default: false })),
  since_date: Type.Optional(nullable(calendarDate())),
  sync_options: Type.Optional(nullable(openObject())),
});

export type SyncConnectionRequest = TypeOf<typeof syncConnectionRequest>;
export default syncConnectionRequest;
