import { describe, expect, it } from 'vitest';
import { isLimitedTo } from './policy-expression.ts';

const own = `graph_id = current_setting('pacioli.graph_id'::text, true)`;
const limited = (expression: string) => isLimitedTo(expression, new Set([own]));

describe('policy-expression', () => {
  it.each([
    `(${own})`,
    `((${own}))`,
    `((id > 1) AND (${own}))`,
    `((text = ') OR ('::text) AND (${own}))`,
    `((${own}) OR ((id = 1) AND (${own})))`,
  ])('accepts an expression that only allows rows of the graph: %s', (expression) => {
    expect(limited(expression)).toBe(true);
  });

  it.each([
    'true',
    '(graph_id IS NOT NULL)',
    `((${own}) OR (id = 1))`,
    `((id = 1) AND ((id = 2) OR (${own})))`,
    `(NOT (${own}))`,
    `((${own}) IS NOT NULL)`,
    `(text = 'x AND (${own})'::text)`,
    `("x AND (" = 1)`,
    `(((${own}) AND (id = 1)) OR (id = 2))`,
    `(${own}) AND (id = 1) OR (id = 2)`,
    `(${own} COLLATE "case_insensitive")`,
    `(public.same(graph_id, current_setting('pacioli.graph_id'::text, true)))`,
    `(other_graph_id = current_setting('pacioli.graph_id'::text, true))`,
  ])('rejects an expression that allows other rows: %s', (expression) => {
    expect(limited(expression)).toBe(false);
  });
});
