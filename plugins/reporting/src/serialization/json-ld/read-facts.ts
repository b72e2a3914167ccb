import { type BundleFact, type BundleMember, type BundlePeriod, compareText } from '../bundle/index.ts';
import type { JsonLdNode } from './document.ts';
import { lastPart, list, optional, textOf } from './node-fields.ts';
import type { NodeIndex } from './node-index.ts';

/** The fields of a fact as the document has them, whose texts are shared with other facts. */
export interface StoredFactNode {
  readonly id: string;
  readonly element: string;
  readonly entity: string;
  readonly period: string;
  readonly unit: string | undefined;
  readonly value: string | null;
  readonly decimals: string | null;
  readonly text: string | null;
  readonly contentType: string | null;
  readonly dimensions: readonly string[];
  readonly factSets: readonly string[];
}

/** Equal texts and lists as one, because thousands of facts name the same periods, concepts and sets. */
export class TextPool {
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();

  text<T extends string | null | undefined>(text: T): T | string {
    if (typeof text !== 'string') return text;
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }

  list(texts: readonly string[]): readonly string[] {
    const key = texts.join('\n');
    const known = this.#lists.get(key) ?? texts.map((text) => this.text(text));
    this.#lists.set(key, known);
    return known;
  }
}

/** The fields of a fact. Facts come before the nodes that they name, so these are looked up later. */
export function storedFact(node: JsonLdNode, pool: TextPool): StoredFactNode {
  return {
    id: lastPart(node.id),
    element: pool.text(textOf(node, 'element')),
    entity: pool.text(textOf(node, 'entity')),
    period: pool.text(textOf(node, 'period')),
    unit: pool.text(optional(node, 'unit')),
    value: optional(node, 'numericValue') ?? null,
    decimals: pool.text(optional(node, 'decimals') ?? null),
    text: optional(node, 'stringValue') ?? null,
    contentType: pool.text(optional(node, 'contentType') ?? null),
    dimensions: pool.list(list(node, 'dimension')),
    factSets: pool.list(list(node, 'factSet')),
  };
}

/** The aspects that facts name, each made once and shared by all facts that have it. */
export class FactAspects {
  readonly #nodes: NodeIndex;
  readonly #made = new Map<unknown, unknown>();

  constructor(nodes: NodeIndex) {
    this.#nodes = nodes;
  }

  concept(id: string): string {
    return this.#nodes.qname(id);
  }

  unit(id: string): string {
    return textOf(this.#nodes.at(id), 'identifier');
  }

  key(id: string): string {
    return this.#once(`key ${id}`, () => lastPart(id));
  }

  period(id: string): BundlePeriod {
    return this.#once(id, () => periodOf(this.#nodes.at(id)));
  }

  members(ids: readonly string[]): readonly BundleMember[] {
    return this.#once(ids, () => {
      const members = ids.map((id) => memberOf(this.#nodes.at(id), this.#nodes));
      return members.sort((a, b) => compareText(a.axis, b.axis));
    });
  }

  sets(ids: readonly string[]): readonly string[] {
    return this.#once(`sets ${ids.join('\n')}`, () => ids.map(lastPart));
  }

  #once<T>(key: unknown, make: () => T): T {
    const known = this.#made.get(key);
    if (known !== undefined) return known as T; // Made by the same method, as the keys of methods differ.
    const made = make();
    this.#made.set(key, made);
    return made;
  }
}

export function factOf(fact: StoredFactNode, aspects: FactAspects): BundleFact {
  const { id, value, decimals, text, contentType } = fact;
  return {
    id,
    concept: aspects.concept(fact.element),
    entityId: aspects.key(fact.entity),
    period: aspects.period(fact.period),
    value,
    unit: fact.unit === undefined ? null : aspects.unit(fact.unit),
    decimals,
    text,
    contentType,
    members: aspects.members(fact.dimensions),
    factSetIds: aspects.sets(fact.factSets),
  };
}

function periodOf(node: JsonLdNode): BundlePeriod {
  const instant = optional(node, 'instant');
  return instant === undefined ? { start: textOf(node, 'startDate'), end: textOf(node, 'endDate') } : { instant };
}

function memberOf(node: JsonLdNode, nodes: NodeIndex): BundleMember {
  const member = optional(node, 'member');
  return {
    axis: nodes.qname(textOf(node, 'axis')),
    member: member === undefined ? null : nodes.qname(member),
    typedValue: optional(node, 'typedValue') ?? null,
  };
}
