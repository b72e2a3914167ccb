import type { Difference, DifferenceKind } from './difference.ts';
import { canonicalText, objectOf } from './json.ts';
import { type Alternative, describeAlternative, normalSchema } from './normal-schema.ts';

type PlainAlternative = Extract<Alternative, { kind: 'plain' }>;
type Report = (kind: DifferenceKind, where: string, expected: string, actual: string) => void;

/** Both documents' named schemas, and the shared names that are still to be compared. */
export interface SchemaPair {
  readonly expected: ReadonlyMap<string, unknown>;
  readonly actual: ReadonlyMap<string, unknown>;
  readonly shared: Set<string>;
}

export function schemaPair(expected: unknown, actual: unknown): SchemaPair {
  return { expected: namedSchemas(expected), actual: namedSchemas(actual), shared: new Set() };
}

function namedSchemas(document: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(objectOf(objectOf(objectOf(document)['components'])['schemas'])));
}

/**
 * Compares two schemas by the values they allow. A name that both sides use is deferred to `pair.shared`, so that a
 * changed schema is reported once instead of in each operation that uses it.
 */
export function diffSchema(
  pair: SchemaPair,
  id: string,
  place: string,
  schemas: { readonly expected: unknown; readonly actual: unknown },
): Difference[] {
  const found: Difference[] = [];
  const report: Report = (kind, where, expected, actual) => found.push({ id, kind, where, expected, actual });
  compareSchemas({ pair, report, open: new Set() }, place, schemas.expected, schemas.actual);
  return found;
}

interface Walk {
  readonly pair: SchemaPair;
  readonly report: Report;
  /** Pairs of names under comparison, which end the recursion when they are reached again. */
  readonly open: Set<string>;
}

function compareSchemas(walk: Walk, place: string, expected: unknown, actual: unknown): void {
  const [wanted, given] = [normalSchema(expected), normalSchema(actual)];
  if (wanted.defaultText !== given.defaultText)
    walk.report('changed', `${place} default`, wanted.defaultText ?? 'none', given.defaultText ?? 'none');
  const givenLeft = [...given.alternatives];
  const wantedLeft = wanted.alternatives.filter((alternative) => {
    const index = givenLeft.findIndex((candidate) => isSame(walk, alternative, candidate));
    if (index >= 0) givenLeft.splice(index, 1);
    return index < 0;
  });
  const [onlyWanted, onlyGiven] = [wantedLeft[0], givenLeft[0]];
  if (onlyWanted !== undefined && onlyGiven !== undefined && wantedLeft.length === 1 && givenLeft.length === 1) {
    compareAlternatives(walk, place, onlyWanted, onlyGiven);
    return;
  }
  for (const alternative of wantedLeft)
    walk.report('missing', `${place} alternative`, describeAlternative(alternative), '');
  for (const alternative of givenLeft)
    walk.report('extra', `${place} alternative`, '', describeAlternative(alternative));
}

function isSame(walk: Walk, expected: Alternative, actual: Alternative): boolean {
  let isEqual = true;
  const report: Report = () => {
    isEqual = false;
  };
  const shared = new Set<string>();
  const open = new Set(walk.open);
  compareAlternatives({ pair: { ...walk.pair, shared }, report, open }, '', expected, actual);
  if (isEqual) for (const name of shared) walk.pair.shared.add(name);
  return isEqual;
}

function compareAlternatives(walk: Walk, place: string, expected: Alternative, actual: Alternative): void {
  if (expected.kind === 'reference' && actual.kind === 'reference' && expected.name === actual.name) {
    walk.pair.shared.add(expected.name);
    return;
  }
  if (expected.kind === 'reference' || actual.kind === 'reference') {
    compareResolved(walk, place, expected, actual);
    return;
  }
  comparePlain(walk, place, expected, actual);
}

/** At least one side is a name that the other does not use, so the referenced schema is compared in place. */
function compareResolved(walk: Walk, place: string, expected: Alternative, actual: Alternative): void {
  const key = `${describeAlternative(expected)} = ${describeAlternative(actual)}`;
  if (expected.kind === 'reference' && actual.kind === 'reference') {
    if (walk.open.has(key)) return;
    walk.open.add(key);
  }
  const wanted = expected.kind === 'reference' ? resolved(walk.pair.expected, expected.name) : expected;
  const given = actual.kind === 'reference' ? resolved(walk.pair.actual, actual.name) : actual;
  if (wanted === undefined || given === undefined)
    walk.report('changed', place, describeAlternative(expected), describeAlternative(actual));
  else compareAlternatives(walk, place, wanted, given);
}

/** Resolves a name to its form; undefined if it has several alternatives or does not exist. */
function resolved(schemas: ReadonlyMap<string, unknown>, name: string): Alternative | undefined {
  const [only, ...others] = schemas.has(name) ? normalSchema(schemas.get(name)).alternatives : [];
  return others.length === 0 ? only : undefined;
}

function comparePlain(walk: Walk, place: string, expected: PlainAlternative, actual: PlainAlternative): void {
  if (expected.type !== actual.type) {
    walk.report('changed', place, describeAlternative(expected), describeAlternative(actual));
    return;
  }
  compareLimits(walk, place, expected.limits, actual.limits);
  compareValues(walk, place, expected.values, actual.values);
  compareProperties(walk, place, expected, actual);
  if (isSchema(expected.additional) && isSchema(actual.additional))
    compareSchemas(walk, `${place} additional properties`, expected.additional, actual.additional);
  else if (canonicalText(expected.additional ?? true) !== canonicalText(actual.additional ?? true))
    walk.report('changed', `${place} additional properties`, additionalText(expected), additionalText(actual));
  if (expected.items !== undefined || actual.items !== undefined)
    compareSchemas(walk, `${place}[]`, expected.items, actual.items);
}

/**
 * A format affects generated clients, so both sides must agree on it. The contract states few of the other limits, and
 * a deployment may add its own: clients learn of a rejected value from the response, not from the document.
 */
function compareLimits(
  walk: Walk,
  place: string,
  expected: ReadonlyMap<string, string>,
  actual: ReadonlyMap<string, string>,
): void {
  for (const name of new Set([...expected.keys(), ...actual.keys()])) {
    const [wanted, given] = [expected.get(name), actual.get(name)];
    if (wanted === given || (wanted === undefined && name !== 'format')) continue;
    walk.report('changed', `${place} ${name}`, wanted ?? 'none', given ?? 'none');
  }
}

function compareValues(
  walk: Walk,
  place: string,
  expected: readonly string[] | undefined,
  actual: readonly string[] | undefined,
): void {
  if (expected === undefined || actual === undefined) {
    if (expected !== actual)
      walk.report('changed', `${place} values`, expected?.join(' | ') ?? 'any', actual?.join(' | ') ?? 'any');
    return;
  }
  for (const value of expected) if (!actual.includes(value)) walk.report('missing', `${place} value ${value}`, '', '');
  for (const value of actual) if (!expected.includes(value)) walk.report('extra', `${place} value ${value}`, '', '');
}

function compareProperties(walk: Walk, place: string, expected: PlainAlternative, actual: PlainAlternative): void {
  for (const [name, schema] of expected.properties) {
    const property = `${place}.${name}`;
    if (!actual.properties.has(name)) {
      walk.report('missing', `property ${property}`, describeSchema(schema), '');
      continue;
    }
    compareSchemas(walk, property, schema, actual.properties.get(name));
  }
  for (const name of new Set([...expected.required, ...actual.required])) {
    const [wanted, given] = [expected.required.has(name), actual.required.has(name)];
    const isReported = expected.properties.has(name) !== actual.properties.has(name);
    if (wanted !== given && !isReported)
      walk.report('changed', `${place}.${name}`, wanted ? 'required' : 'optional', given ? 'required' : 'optional');
  }
  for (const [name, schema] of actual.properties)
    if (!expected.properties.has(name)) walk.report('extra', `property ${place}.${name}`, '', describeSchema(schema));
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function additionalText(alternative: PlainAlternative): string {
  if (alternative.additional === undefined) return 'any';
  return alternative.additional === false ? 'none' : describeSchema(alternative.additional);
}

function describeSchema(schema: unknown): string {
  return normalSchema(schema).alternatives.map(describeAlternative).join(' or ');
}
