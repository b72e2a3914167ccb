/**
 * The engine rounds a number to the type of the property that it is given to: `MATCH (n {id: 2.4})` finds the node 2, and
 * `SET n.price = 1.239` stores 1.24 in a DECIMAL(9,2). Both are refused, as files with such values are (graphs T-6). Only
 * literals and parameters are seen here, not the results of expressions.
 */
import { maskStatement } from '@pacioli/core/ports';
import type { PropertyTypes } from './exact-values.ts';

export interface RoundedValue {
  readonly property: string;
  readonly type: string;
  readonly value: string;
}

/** An entry of a property map, or an assignment, with a literal number or a parameter. */
const givenValues = /(`+|[A-Za-z_]\w*)\s*([:=])\s*(?:\$(\w+)|([+-]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?))/g;

/**
 * The first value of a statement that its property cannot hold. An assignment counts only where the statement writes: a
 * reading one compares.
 */
export function roundedValue(
  text: string,
  parameters: Readonly<Record<string, unknown>>,
  { properties, isWrite }: { readonly properties: PropertyTypes; readonly isWrite: boolean },
): RoundedValue | undefined {
  const types = new Map([...properties.values()].flatMap((columns) => [...columns]));
  for (const found of maskStatement(text).text.matchAll(givenValues)) {
    const [, name = '', sign, parameter, literal] = found;
    // The mask hides quoted names, and keeps their places.
    const property = text.slice(found.index, found.index + name.length).replaceAll('`', '');
    const type = types.get(property);
    const value = parameter === undefined ? Number(literal) : parameters[parameter];
    if (type === undefined || typeof value !== 'number' || (sign === '=' && !isWrite)) continue;
    if (isRounded(value, type)) return { property, type, value: literal ?? String(value) };
  }
  return undefined;
}

/** True if a statement or its parameters have a number with a fraction, without which nothing is rounded. */
export function hasFraction(text: string, parameters: Readonly<Record<string, unknown>>): boolean {
  const isFraction = (value: unknown): boolean => typeof value === 'number' && !Number.isInteger(value);
  return /\d\.\d|\.\d|\d[eE]-?\d/.test(text) || Object.values(parameters).some(isFraction);
}

function isRounded(value: number, type: string): boolean {
  if (/^U?INT\d+$/.test(type)) return !Number.isInteger(value);
  const [, scale] = /^DECIMAL\(\d+, ?(\d+)\)$/.exec(type) ?? [];
  return scale !== undefined && fractionDigits(value) > Number(scale);
}

/** The digits after the point of the shortest text that is this number. */
function fractionDigits(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}
