import type { ValueNode } from 'graphql';
import type { SchemaComposer } from 'graphql-compose';
import { graphqlError, loadGraphql } from './library.ts';

/** Adds the wire's scalars: integers beyond 32 bits, dates as text, and any JSON. */
export function addScalars<Context>(composer: SchemaComposer<Context>): void {
  // Amounts in minor units exceed 32 bits, so `Int` of this schema accepts any safe integer (ledger L-4a).
  composer.set(
    'Int',
    composer.createScalarTC({
      name: 'Int',
      serialize: safeInteger,
      parseValue: safeInteger,
      parseLiteral: integerLiteral,
    }),
  );
  for (const name of ['Date', 'DateTime'])
    composer.createScalarTC({ name, serialize: String, parseValue: textOnly, parseLiteral: textLiteral });
  composer.set('JSON', composer.createScalarTC(new (loadGraphql().GraphQLScalarType)({ name: 'JSON' })));
}

function safeInteger(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (!Number.isSafeInteger(number))
    throw graphqlError(`Int must be a whole number within ±(2^53−1), got ${String(value)}`);
  return Number(number);
}

function integerLiteral(node: ValueNode): number {
  if (node.kind !== loadGraphql().Kind.INT)
    throw graphqlError('Int must be written as a whole number.', { nodes: node });
  return safeInteger(Number(node.value));
}

function textOnly(value: unknown): string {
  if (typeof value !== 'string') throw graphqlError('A date must be a string in ISO 8601 format.');
  return value;
}

function textLiteral(node: ValueNode): string {
  if (node.kind !== loadGraphql().Kind.STRING)
    throw graphqlError('A date must be a string in ISO 8601 format.', { nodes: node });
  return node.value;
}
