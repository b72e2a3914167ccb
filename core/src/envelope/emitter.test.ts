import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { defineEvent } from '../define/event.ts';
import { emitterOf } from './emitter.ts';
import type { EmittedEvent } from './record.ts';

const approved = defineEvent('claims.approved', Type.Object({ id: Type.String() }));
const rejected = defineEvent('claims.rejected', Type.Object({ id: Type.String() }));

const ids = { make: (prefix: string) => `${prefix}_1` };

describe('the events of an operation', () => {
  it('are collected when the operation lists them and a job subscribes to them (platform X-5b)', () => {
    const events: EmittedEvent[] = [];
    const kernel = { ids, subscribedEvents: new Set([approved.name]) };
    const emit = emitterOf(kernel, { name: 'decide-claim', emits: [approved, rejected] }, events);
    emit(approved, { id: 'claim_1' });
    emit(rejected, { id: 'claim_2' });
    expect(events).toEqual([{ id: 'evt_1', event: approved, payload: { id: 'claim_1' } }]);
  });

  it('are refused when the operation does not list them (platform X-5b)', () => {
    const kernel = { ids, subscribedEvents: new Set<string>() };
    const emit = emitterOf(kernel, { name: 'decide-claim', emits: [approved] }, []);
    expect(() => emit(rejected, { id: 'claim_1' })).toThrow(
      'decide-claim emits "claims.rejected": list it in emits of the operation.',
    );
  });
});
