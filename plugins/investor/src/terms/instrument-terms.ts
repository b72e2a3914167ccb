import type { Schema, SchemaValidator } from '@pacioli/core';
import { crossKeyIssues, type TermsIssue } from './cross-key-checks.ts';
import type { JsonSchema } from './definitions.ts';
import { termsDocument } from './documents.ts';
import type { Instrument } from './instrument.ts';

/** The strictness of validation; `off` accepts all terms (T-1). */
export const termsModes = ['off', 'known-keys', 'strict'] as const;

export type TermsMode = (typeof termsModes)[number];

/** Terms to validate. */
export interface TermsCheck {
  /** The `security_type`; the terms of a type without a schema may be any object (T-2). */
  readonly type: string;
  readonly terms: JsonSchema;
  readonly mode: TermsMode;
}

interface CompiledInstrument {
  readonly instrument: Instrument;
  readonly documents: Readonly<Record<Exclude<TermsMode, 'off'>, JsonSchema>>;
}

/** Validates terms against the instrument kinds of the deployment (investor 4). */
export class InstrumentTerms {
  readonly #validator: SchemaValidator;
  readonly #instruments: ReadonlyMap<string, CompiledInstrument>;

  constructor({ instruments, validator }: { instruments: readonly Instrument[]; validator: SchemaValidator }) {
    this.#validator = validator;
    this.#instruments = new Map(instruments.map((each) => [each.key, compileInstrument(each)]));
  }

  /**
   * Returns the issues of terms, none if they are valid in this mode: at most 100 of single keys, then those of keys
   * that contradict each other. A key with an issue of its own is not compared with others.
   */
  validateTerms({ type, terms, mode }: TermsCheck): readonly TermsIssue[] {
    const found = this.#instruments.get(type);
    if (mode === 'off' || found === undefined) return [];
    const { instrument, documents } = found;
    // The validator fills in defaults of a schema, which must not change what is stored.
    const checked = this.#validator.check(documents[mode] as Schema, structuredClone(terms), 'body');
    const issues = checked.ok ? [] : toIssues(checked.issues);
    const invalidKeys = new Set(issues.map(({ pointer }) => pointer.split('/')[2]));
    const comparable = Object.entries(instrument.schema.properties).filter(([key]) => !invalidKeys.has(key));
    return [...issues, ...crossKeyIssues(terms, Object.fromEntries(comparable))];
  }

  /** The JSON Schema of the terms of a type in known-keys mode; undefined for a type without one. */
  schemaOf(type: string): JsonSchema | undefined {
    return this.#instruments.get(type)?.documents['known-keys'];
  }
}

function compileInstrument(instrument: Instrument): CompiledInstrument {
  const documents = {
    'known-keys': termsDocument(instrument, 'known-keys'),
    strict: termsDocument(instrument, 'strict'),
  };
  return { instrument, documents };
}

/** A finding of the schema validator. */
interface Finding {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

const typeMessage = 'Must be of type ';

/**
 * Merges the findings to one issue for each pointer, and leaves out those of values that contain another issue. The
 * validator reports a value of several allowed types once for each type and once for their union.
 */
function toIssues(findings: readonly Finding[]): readonly TermsIssue[] {
  const messages = new Map<string, readonly string[]>();
  for (const { loc, msg } of findings) {
    const pointer = ['/terms', ...loc.slice(1).map(escapeToken)].join('/');
    messages.set(pointer, [...(messages.get(pointer) ?? []), msg]);
  }
  const pointers = [...messages.keys()];
  return [...messages].flatMap(([pointer, texts]) => {
    if (pointers.some((other) => other.startsWith(`${pointer}/`))) return [];
    return [{ pointer, message: mergedMessage(texts) }];
  });
}

function mergedMessage(texts: readonly string[]): string {
  const types = texts.filter((text) => text.startsWith(typeMessage)).map((text) => text.slice(typeMessage.length));
  if (types.length > 1) return `${typeMessage}${types.join(' or ')}`;
  return texts[0] ?? 'Is not valid';
}

/** Escapes a token of a JSON pointer (RFC 6901). */
function escapeToken(token: string | number): string {
  return String(token).replaceAll('~', '~0').replaceAll('/', '~1');
}
