import type { FieldNode, GraphQLSchema, SelectionSetNode } from 'graphql';
import type { Field } from '../define/field.ts';
import { type Prices, pointsPerShare } from './cost.ts';
import { loadGraphql } from './library.ts';

/**
 * Prices the fields that plugins add to types. A field counts once wherever the document selects it; its arguments may
 * differ there. Fragments are followed wherever they are spread, so the document must have passed `measureDocument` and
 * validation.
 */
export function fieldPrices(schema: GraphQLSchema, fields: readonly Field[]): Prices['nested'] {
  const prices = new Map(fields.map(({ on, name, cost }) => [`${on}.${name}`, pointsPerShare(cost)]));
  if (prices.size === 0) return () => 0;
  const { getNamedType, isObjectType } = loadGraphql();
  return (document, query) => {
    return sum(query.selectionSet, typeIn('Query', query));

    function sum(set: SelectionSetNode | undefined, type: string): number {
      return (set?.selections ?? []).reduce((points, selection) => {
        if (selection.kind === 'InlineFragment') return points + sum(selection.selectionSet, type);
        if (selection.kind === 'FragmentSpread') return points + sum(fragment(selection.name.value), type);
        const own = prices.get(`${type}.${selection.name.value}`) ?? 0;
        return points + own + sum(selection.selectionSet, typeIn(type, selection));
      }, 0);
    }

    function fragment(name: string): SelectionSetNode | undefined {
      const found = document.definitions.find((each) => each.kind === 'FragmentDefinition' && each.name.value === name);
      return found?.kind === 'FragmentDefinition' ? found.selectionSet : undefined;
    }
  };

  function typeIn(type: string, { name }: FieldNode): string {
    const parent = schema.getType(type);
    const field = isObjectType(parent) ? parent.getFields()[name.value] : undefined;
    return field === undefined ? '' : getNamedType(field.type).name;
  }
}
