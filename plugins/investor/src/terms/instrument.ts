import { type CollectionEntry, type Contribution, contribute, createCollection } from '@pacioli/core';
import type { JsonSchema } from './definitions.ts';

/** A kind of security with the terms that it knows (T-3). */
export interface InstrumentSpec {
  /** The `security_type` of securities, 1 to 60 characters; unique in a deployment. */
  readonly type: string;
  readonly title: string;
  /**
   * The known keys of `terms`, each with its JSON Schema 2020-12. It may refer to the shared types, as in
   * `{ $ref: 'urn:investor:terms:defs#/$defs/cents' }`.
   */
  readonly schema: { readonly properties: Readonly<Record<string, JsonSchema>> };
  /** The known keys that terms must have in strict mode. */
  readonly required: readonly string[];
  /** The unit of quantities, such as `shares`, where a source does not name one. */
  readonly defaultQuantityType: string;
}

/** An instrument kind of the deployment; the key is its type. */
export interface Instrument extends CollectionEntry, Omit<InstrumentSpec, 'type'> {}

/** The instrument kinds of a deployment: those of the plugin, and those that other plugins register. */
export const instruments = createCollection<Instrument>('investor.instruments');

/**
 * Declares an instrument kind, for `contributions` of a plugin. Assembly refuses two kinds of one type and names both
 * plugins (T-3). Throws a RangeError for a type that no security can have, and for a required key that is not known.
 */
export function registerInstrument(spec: InstrumentSpec): Contribution {
  const { type, ...instrument } = spec;
  if (type !== type.trim() || type.length < 1 || type.length > 60)
    throw new RangeError(`The instrument type '${type}' must have 1 to 60 characters, without spaces around it.`);
  const unknown = spec.required.filter((key) => spec.schema.properties[key] === undefined);
  if (unknown.length > 0)
    throw new RangeError(`The instrument ${type} requires ${unknown.join(', ')}, which its schema does not declare.`);
  return contribute(instruments, type, { create: () => instrument });
}
