import type { Schema, SchemaValidator } from '@pacioli/core';
import { crossKeyIssues, type TermsIssue } from './cross-key-checks.ts';
import type { JsonSchema } from './definitions.ts';
import { termsDocument } from './documents.ts';
import type { Instrument } from './instrument.ts';

/** How strictly terms are validated; `off` accepts all of them (T-1). */
export const termsModes = ['off', 'known-keys', 'strict'] as const;

export type TermsMode = (typeof termsModes)[number];

/** The terms of a security, to be checked by its type. */
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
    this.#instruments = new Map(instruments.map((each) => [each.key, compiled(each)]));
  }

  /**
   * Returns what is wrong, at most 100 issues of single keys and then those of two keys that do not go together; none
   * for terms that are valid in this mode. A key with an issue of its own is not compared.
   */
  validateTerms({ type, terms, mode }: TermsCheck): readonly TermsIssue[] {
    const found = this.#instruments.get(type);
    if (mode === 'off' || found === undefined) return [];
    const { instrument, documents } = found;
    // The validator fills in defaults of a schema, which must not change what is stored.
    const checked = this.#validator.check(documents[mode] as Schema, structuredClone(terms), 'body');
    const issues = checked.ok ? [] : toIssues(checked.issues);
    const wrong = new Set(issues.map(({ pointer }) => pointer.split('/')[2]));
    const right = Object.entries(instrument.schema.properties).filter(([key]) => !wrong.has(key));
    return [...issues, ...crossKeyIssues(terms, Object.fromEntries(right))];
  }

  /** The JSON Schema of the terms of a type in known-keys mode; undefined for a type without one. */
  schemaOf(type: string): JsonSchema | undefined {
    return this.#instruments.get(type)?.documents['known-keys'];
  }
}

function compiled(instrument: Instrument): CompiledInstrument {
  const documents = {
    'known-keys': termsDocument(instrument, 'known-keys'),
    strict: termsDocument(instrument, 'strict'),
  };
  return { instrument, documents };
}

interface Finding {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

const typeMessage = 'Must be of type ';

/**
 * One issue for each place. A value that may have several types fails once for each of them and once for all together;
 * the deepest places say what is wrong.
 */
function toIssues(findings: readonly Finding[]): readonly TermsIssue[] {
  const messages = new Map<string, readonly string[]>();
  for (const { loc, msg } of findings) {
    const pointer = ['/terms', ...loc.slice(1).map(escaped)].join('/');
    messages.set(pointer, [...(messages.get(pointer) ?? []), msg]);
  }
  const pointers = [...messages.keys()];
  return [...messages].flatMap(([pointer, texts]) => {
    if (pointers.some((other) => other.startsWith(`${pointer}/`))) return [];
    return [{ pointer, message: merged(texts) }];
  });
}

function merged(texts: readonly string[]): string {
  const types = texts.filter((text) => text.startsWith(typeMessage)).map((text) => text.slice(typeMessage.length));
  if (types.length > 1) return `${typeMessage}${types.join(' or ')}`;
  return texts[0] ?? 'Is not valid';
}

/** A part of a JSON pointer (RFC 6901). */
function escaped(part: string | number): string {
  return String(part).replaceAll('~', '~0').replaceAll('/', '~1');
}
