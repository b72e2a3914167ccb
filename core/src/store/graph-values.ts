/** The values that cross the port of graph stores, for any engine. */

/** A value whose text does not identify its kind: `12.50`, `2026-01-31`, `2026-01-31T08:00:00Z`, `P1DT2H`. */
export interface TextValue {
  readonly valueKind: 'decimal' | 'date' | 'timestamp' | 'duration' | 'uuid';
  readonly text: string;
}

export interface RecordValue {
  readonly valueKind: 'record';
  readonly fields: Readonly<Record<string, GraphValue>>;
}

export interface MapValue {
  readonly valueKind: 'map';
  readonly entries: readonly (readonly [GraphValue, GraphValue])[];
}

/** `id` is opaque and changes with each rebuild; callers use the property `identifier`. */
export interface NodeValue {
  readonly valueKind: 'node';
  readonly id: string;
  readonly label: string;
  readonly properties: Readonly<Record<string, GraphValue>>;
}

export interface RelationshipValue {
  readonly valueKind: 'relationship';
  readonly id: string;
  readonly label: string;
  readonly source: string;
  readonly target: string;
  readonly properties: Readonly<Record<string, GraphValue>>;
}

export interface PathValue {
  readonly valueKind: 'path';
  readonly nodes: readonly GraphValue[];
  readonly relationships: readonly GraphValue[];
}

/**
 * A value that crosses the port, for any engine (graphs E-1): a whole number is exact, as a number if it is safe and
 * as a bigint otherwise; there are no JavaScript dates.
 */
export type GraphValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | TextValue
  | readonly GraphValue[]
  | RecordValue
  | MapValue
  | NodeValue
  | RelationshipValue
  | PathValue;

/** The values of one result row, in the order of the columns. */
export type ResultRow = readonly GraphValue[];
