import type { JsonLdNode } from './document.ts';
import { textOf } from './node-fields.ts';

/** The nodes of a document, by identifier and by class. */
export class NodeIndex {
  readonly #byId = new Map<string, JsonLdNode>();
  readonly #byType = new Map<string, JsonLdNode[]>();

  add(node: JsonLdNode): void {
    this.#byId.set(node.id, node);
    for (const type of [node.type].flat()) {
      const own = this.#byType.get(type) ?? [];
      own.push(node);
      this.#byType.set(type, own);
    }
  }

  ofType(type: string): readonly JsonLdNode[] {
    return this.#byType.get(type) ?? [];
  }

  at(id: string): JsonLdNode {
    const node = this.#byId.get(id);
    if (node === undefined) throw new Error(`The document has no node '${id}'.`);
    return node;
  }

  qname(id: string): string {
    return textOf(this.at(id), 'identifier');
  }
}
