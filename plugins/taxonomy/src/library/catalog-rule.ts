import type { FrameworkElement } from '../vocabulary/index.ts';
import { gaapPrefix } from './framework.ts';

/** The rule of a metric or driver: its expression, and the concept of each variable with the subject first. */
export interface CatalogRule {
  readonly expression: string;
  readonly variables: readonly { readonly name: string; readonly qname: string }[];
}

/** A formula over local names, which are names of its catalog or of concepts of the framework. */
export interface CatalogFormula {
  /** The local name that the formula computes. */
  readonly subject: string;
  readonly formula: string;
  /** Finds the names of a formula. */
  readonly namePattern: RegExp;
  /** The prefix of the concepts of the catalog. */
  readonly prefix: string;
  /** The local names of the catalog. */
  readonly own: ReadonlySet<string>;
}

/** Turns a formula into a rule. */
export function catalogRule({ subject, formula, namePattern, prefix, own }: CatalogFormula): CatalogRule {
  const names = new Set([subject, ...namesIn(formula, namePattern)]);
  return {
    expression: `$${subject} = ${formula.replace(namePattern, '$$$&')}`,
    variables: [...names].map((name) => ({ name, qname: `${own.has(name) ? prefix : gaapPrefix}:${name}` })),
  };
}

export function namesIn(formula: string, namePattern: RegExp): readonly string[] {
  return formula.match(namePattern) ?? [];
}

/** The heading above the concepts of a catalog: a presentation arc needs a parent. */
export function catalogHeading(prefix: string, localName: string, label: string): FrameworkElement {
  return {
    qname: `${prefix}:${localName}`,
    localName,
    label,
    itemType: null,
    balance: null,
    period: 'duration',
    isAbstract: true,
    isMonetary: false,
    trait: null,
    liquidity: null,
    activity: null,
    isExtension: true,
    nameVerified: false,
    balanceChecked: false,
  };
}
