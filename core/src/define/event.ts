import type { TSchema } from 'typebox';
import type { Schema, TypeOf } from '../schema/model.ts';

/** A business event for other plugins; stored in the outbox and delivered at least once after the commit. */
export interface EventType<T = unknown> {
  readonly kind: 'event';
  /** `<plugin>.<what-happened>`. */
  readonly name: string;
  readonly payload: Schema;
  /** Carries the type; it has no value. */
  readonly type?: T;
}

/** Declares an event by its wire name and payload model. */
export function defineEvent<S extends TSchema>(name: string, payload: S): EventType<TypeOf<S>> {
  return Object.freeze({ kind: 'event', name, payload });
}
