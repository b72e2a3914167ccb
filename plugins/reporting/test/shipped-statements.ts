import type { Provider, Token } from '@pacioli/core';
import taxonomy, { library, type StyleStatements, statementStructures } from '@pacioli/taxonomy';
import type { Layout, MappedAmount } from '../src/statements/statement-lines.ts';
import { layoutOf } from '../src/statements/statement-reader.ts';

export const shippedLibrary = make(library);
const { elements } = shippedLibrary;
const concepts = new Map(elements.map((element) => [element.qname, element]));
export const shippedStyles = make(statementStructures).styles;

/** Creates a service from the plugin’s provider list; constant services need no database. */
function make<T>(token: Token<T>): T {
  const provider = taxonomy.providers.find((each: Provider) => each.token.key === token.key);
  if (provider === undefined) throw new Error(`The taxonomy plugin does not provide ${token.id}.`);
  const use = Object.fromEntries(Object.entries(provider.services).map(([name, used]) => [name, make(used)]));
  return provider.create(use) as T; // Safe because a provider creates the type of its token.
}

export function shippedStyle(code: string): StyleStatements {
  const style = make(statementStructures).ofStyle(code);
  if (style === undefined) throw new Error(`There is no style ${code}.`);
  return style;
}

export function shippedLayout(code: string): Layout {
  return layoutOf(shippedStyle(code));
}

/** The properties of a concept that statements use of a mapped account; found by its local name. */
export function concept(localName: string): MappedAmount['concept'] {
  const element = concepts.get(`rs-gaap:${localName}`);
  if (element === undefined) throw new Error(`The library has no ${localName}.`);
  const { qname, balanceType, periodType, trait } = element;
  if (balanceType === null || periodType === null) throw new Error(`${localName} is not an amount.`);
  return { qname, balance: balanceType, period: periodType, trait };
}

/** Local names of the mappable concepts that the style shows: its own lines and their details. */
export function mappableConcepts(layout: Layout): readonly string[] {
  const own = new Set([...layout.balanceSheet, ...layout.incomeStatement].map((line) => line.qname));
  return elements
    .filter(({ qname, isMonetary, isAbstract, trait }) => {
      if (!qname.startsWith('rs-gaap:') || !isMonetary || isAbstract || trait === null || trait === 'metric')
        return false;
      const leaf = layout.leafOf(qname);
      return leaf !== undefined && own.has(leaf.qname);
    })
    .map(({ qname }) => qname.replace('rs-gaap:', ''));
}
