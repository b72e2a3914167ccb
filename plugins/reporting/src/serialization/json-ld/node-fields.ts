import type { JsonLdNode } from './document.ts';

/** A text of a node; undefined without it. */
export function optional(node: JsonLdNode, field: string): string | undefined {
  const value = node[field];
  return typeof value === 'string' ? value : undefined;
}

/** A text that a node must have. */
export function textOf(node: JsonLdNode, field: string): string {
  const value = optional(node, field);
  if (value === undefined) throw new Error(`The node '${node.id}' has no text '${field}'.`);
  return value;
}

/** The texts of a list of a node; empty without it. */
export function list(node: JsonLdNode, field: string): readonly string[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The key at the end of an identifier. */
export function lastPart(id: string): string {
  return decodeURIComponent(id.slice(id.lastIndexOf('/') + 1));
}
