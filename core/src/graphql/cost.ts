import type { DocumentNode, FieldNode, OperationDefinitionNode, SelectionSetNode, ValueNode } from 'graphql';
import type { FieldCost, Query } from '../define/query.ts';
import { propertiesOf } from '../schema/names.ts';

/** The points of a read without a declared cost. */
const defaultPoints = 10;
/** The points of a schema read, which may return hundreds of kilobytes and is open to anonymous callers. */
const introspectionPoints = 200;
/** The default and maximum rows of a page (platform E-24). */
const defaultRows = 50;
const maxRows = 1000;
/** The points of a paged read are per this many rows. */
const rowsPerShare = 50;

/** The declared cost of a field of `Query`, independent of its arguments. */
export interface PricedField {
  readonly cost: FieldCost | undefined;
  /** True if it has an argument `limit`, which multiplies the cost. */
  readonly isPaged: boolean;
}

export function pricedField({ cost, args }: Pick<Query, 'cost' | 'args'>): PricedField {
  return { cost, isPaged: args !== undefined && propertiesOf(args).some(([name]) => name === 'limit') };
}

/** What the reads of a deployment cost. */
export interface Prices {
  readonly queries: ReadonlyMap<string, PricedField>;
  /** The points for each 50 rows of a query: those of the fields of plugins that it selects. */
  nested(document: DocumentNode, query: FieldNode): number;
}

/** Returns the points of a read of its longest page. */
export function longestCost({ cost, isPaged }: PricedField): number {
  return pointsOf(cost, isPaged ? (cost?.maxRows ?? maxRows) : rowsPerShare);
}

function pointsOf(cost: Pick<FieldCost, 'points'> | undefined, rows: number): number {
  return pointsPerShare(cost) * Math.ceil(rows / rowsPerShare);
}

export function pointsPerShare(cost: Pick<FieldCost, 'points'> | undefined): number {
  return cost?.points ?? defaultPoints;
}

/** The parts of a request that determine its cost. */
export interface CostRequest {
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly operationName?: string | null;
}

/** Lists the root fields of a request, once per response key with all its selections; follows fragments. */
export function rootFields(document: DocumentNode, operationName: string | null | undefined): readonly FieldNode[] {
  const operation = operationOf(document, operationName);
  const fields = new Map<string, FieldNode>();
  if (operation !== undefined) collect(operation.selectionSet, new Set());
  return [...fields.values()];

  function collect(set: SelectionSetNode, followed: Set<string>): void {
    for (const selection of set.selections) {
      if (selection.kind === 'Field') {
        const key = (selection.alias ?? selection.name).value;
        fields.set(key, withSelections(selection, fields.get(key)));
      } else if (selection.kind === 'InlineFragment') {
        collect(selection.selectionSet, followed);
      } else if (!followed.has(selection.name.value)) {
        followed.add(selection.name.value);
        const { value: name } = selection.name;
        for (const definition of document.definitions) {
          if (definition.kind === 'FragmentDefinition' && definition.name.value === name)
            collect(definition.selectionSet, followed);
        }
      }
    }
  }
}

/** The field with the selections of an earlier mention of it too: GraphQL answers both in one object. */
function withSelections(field: FieldNode, earlier: FieldNode | undefined): FieldNode {
  if (earlier?.selectionSet === undefined || field.selectionSet === undefined) return field;
  const selections = [...earlier.selectionSet.selections, ...field.selectionSet.selections];
  return { ...field, selectionSet: { ...field.selectionSet, selections } };
}

/**
 * Returns the points of a request: the sum over its root fields, including aliases and fragments, and the fields that
 * plugins add to types; other nested fields fetch nothing. Uses the values of variables, or their defaults. The fragments of introspection are followed wherever
 * they are spread, so the document must have passed `measureDocument`.
 */
export function costOf(document: DocumentNode, request: CostRequest, prices: Prices): number {
  const operation = operationOf(document, request.operationName);
  let points = 0;
  for (const field of rootFields(document, request.operationName)) {
    if (isSchemaRead(field)) points += introspectionPoints * schemaParts(field, document);
    const known = prices.queries.get(field.name.value);
    if (known === undefined || operation === undefined) continue;
    const rows = known.isPaged ? rowsOf(field, known.cost, operation, request.variables ?? {}) : rowsPerShare;
    points += pointsOf(known.cost, rows) + pointsOf({ points: prices.nested(document, field) }, rows);
  }
  return points;
}

/** True for a field that reads the schema; `__typename` is a constant. */
export function isSchemaRead({ name }: FieldNode): boolean {
  return name.value === '__schema' || name.value === '__type';
}

/** Counts the read itself and each aliased part of the schema, because an alias repeats its subtree. */
function schemaParts(read: FieldNode, document: DocumentNode): number {
  let parts = 1;
  const follow = (set: SelectionSetNode | undefined, spread: ReadonlySet<string>): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind !== 'FragmentSpread') {
        if (selection.kind === 'Field' && selection.alias !== undefined && selection.selectionSet !== undefined)
          parts += 1;
        follow(selection.selectionSet, spread);
      } else if (!spread.has(selection.name.value)) {
        const { value: name } = selection.name;
        for (const definition of document.definitions) {
          if (definition.kind === 'FragmentDefinition' && definition.name.value === name)
            follow(definition.selectionSet, new Set([...spread, name]));
        }
      }
    }
  };
  follow(read.selectionSet, new Set());
  return parts;
}

/** Returns the error message for a request above the limit, or undefined. */
export function costRefusal(points: number, maxPoints: number): string | undefined {
  if (points <= maxPoints) return undefined;
  return (
    `The document costs ${points} points, and a request may cost ${maxPoints}. ` +
    'Ask for fewer fields or smaller pages, or split it into several requests.'
  );
}

function rowsOf(
  field: FieldNode,
  cost: FieldCost | undefined,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const given = field.arguments?.find(({ name }) => name.value === 'limit')?.value;
  const limit = given === undefined ? undefined : numberOf(given, operation, variables);
  // The read itself refuses a larger page, and its message states the maximum.
  return Math.min(Math.max(limit ?? cost?.defaultRows ?? defaultRows, 1), cost?.maxRows ?? maxRows);
}

function numberOf(
  value: ValueNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number | undefined {
  if (value.kind === 'IntValue') return Number(value.value);
  if (value.kind !== 'Variable') return undefined;
  const given = variables[value.name.value];
  if (given !== undefined) return typeof given === 'number' ? given : undefined;
  const fallback = operation.variableDefinitions?.find(({ variable }) => variable.name.value === value.name.value);
  return fallback?.defaultValue?.kind === 'IntValue' ? Number(fallback.defaultValue.value) : undefined;
}

function operationOf(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter((definition) => definition.kind === 'OperationDefinition');
  return name == null ? operations[0] : operations.find((operation) => operation.name?.value === name);
}
