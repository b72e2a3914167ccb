import { Type } from 'typebox';
import { defineEvent } from '../define/event.ts';
import { model } from '../schema/model.ts';

/** A message that waits for its delivery; its text is sealed, because it may hold a link that opens an account. */
export default defineEvent('kernel.mail-queued', model('QueuedMail', { sealed: Type.String() }));
