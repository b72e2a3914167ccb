import assert from 'node:assert/strict';
import type { WriteContext } from '../define/context.ts';
import type { Operation } from '../define/operation.ts';
import type { Kernel } from './kernel.ts';
import type { EmittedEvent } from './record.ts';

/**
 * The `emit` of an operation's context: collects the events, which are stored with the result. An event that the
 * operation does not list in `emits` is a defect of the operation, because its documents would not name it.
 */
export function emitterOf(
  kernel: Pick<Kernel, 'ids' | 'subscribedEvents'>,
  { name, emits = [] }: Pick<Operation, 'name' | 'emits'>,
  events: EmittedEvent[],
): WriteContext['emit'] {
  const listed = new Set(emits.map((event) => event.name));
  return (event, payload) => {
    assert(listed.has(event.name), `${name} emits "${event.name}": list it in emits of the operation.`);
    if (kernel.subscribedEvents.has(event.name)) events.push({ id: kernel.ids.make('evt'), event, payload });
  };
}
