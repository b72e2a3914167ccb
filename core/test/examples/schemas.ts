import { calendarDate, model, nullable, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

/** Field names are those of the wire; OpenAPI and GraphQL show the same model. */
export const reminder = model('Reminder', {
  id: Type.String(),
  body: Type.String({ minLength: 1, maxLength: 200 }),
  due_date: nullable(calendarDate()),
});

export type Reminder = TypeOf<typeof reminder>;
