import type { DocumentNode, FieldNode, OperationDefinitionNode, SelectionSetNode, ValueNode } from 'graphql';
import type { FieldCost, Query } from '../define/query.ts';
import { propertiesOf } from './names.ts';

/** A read that says nothing of its cost. */
const defaultPoints = 10;
/** A read of the schema, which may be some hundred kilobytes long and is open to anonymous callers. */
const introspectionPoints = 200;
/** Rows of a page without `limit`, and the longest page (platform E-24). */
const defaultRows = 50;
const maxRows = 1000;
/** The points of a read with pages count for so many rows. */
const rowsPerShare = 50;

/** The price of a field of `Query`, before its arguments are known. */
export interface PricedField {
  readonly cost: FieldCost | undefined;
  /** It has an argument `limit`, which multiplies the cost. */
  readonly isPaged: boolean;
}

export function pricedField({ cost, args }: Pick<Query, 'cost' | 'args'>): PricedField {
  return { cost, isPaged: args !== undefined && propertiesOf(args).some(([name]) => name === 'limit') };
}

/** The points of a read of its longest page. */
export function longestCost({ cost, isPaged }: PricedField): number {
  return pointsOf(cost, isPaged ? (cost?.maxRows ?? maxRows) : rowsPerShare);
}

function pointsOf(cost: FieldCost | undefined, rows: number): number {
  return (cost?.points ?? defaultPoints) * Math.ceil(rows / rowsPerShare);
}

/** A request as far as its cost goes. */
export interface CostRequest {
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly operationName?: string | null;
}

/** The fields that a request reads at the root, each once for its place in the answer; fragments are followed. */
export function rootFields(document: DocumentNode, operationName: string | null | undefined): readonly FieldNode[] {
  const operation = operationOf(document, operationName);
  const fields = new Map<string, FieldNode>();
  if (operation !== undefined) collect(operation.selectionSet, new Set());
  return [...fields.values()];

  function collect(set: SelectionSetNode, followed: Set<string>): void {
    for (const selection of set.selections) {
      if (selection.kind === 'Field') {
        fields.set((selection.alias ?? selection.name).value, selection);
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

/**
 * The points of a request: the sum over what it reads at the root, aliases and fragments included, because below a read
 * nothing is fetched. Values of variables count, and defaults where nothing is given. The fragments of
 * introspection are followed wherever they are spread, so the document must have passed `measureDocument`.
 */
export function costOf(document: DocumentNode, request: CostRequest, priced: ReadonlyMap<string, PricedField>): number {
  const operation = operationOf(document, request.operationName);
  let points = 0;
  for (const field of rootFields(document, request.operationName)) {
    if (isSchemaRead(field)) points += introspectionPoints * schemaParts(field, document);
    const known = priced.get(field.name.value);
    if (known === undefined || operation === undefined) continue;
    const rows = known.isPaged ? rowsOf(field, known.cost, operation, request.variables ?? {}) : rowsPerShare;
    points += pointsOf(known.cost, rows);
  }
  return points;
}

/** True for a field that reads the schema; `__typename` is a constant. */
export function isSchemaRead({ name }: FieldNode): boolean {
  return name.value === '__schema' || name.value === '__type';
}

/** The read itself and each part of the schema under an alias, because an alias repeats what is below it. */
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

/** The sentence about a request that costs too much, or undefined. */
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
  // More than the longest page is refused by the read itself, which says what is allowed.
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
