import { Type } from 'typebox';
import { defineEvent } from '../../define/event.ts';
import { model } from '../../schema/model.ts';

/** A message waits for delivery; its text is encrypted, because it may contain a sign-in link. */
export default defineEvent('kernel.mail-queued', model('QueuedMail', { sealed: Type.String() }));
