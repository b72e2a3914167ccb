import type { Plugin } from '../define/plugin.ts';
import { canonicalJson } from '../schema/canonical.ts';
import { isJsonSchema } from '../schema/names.ts';
import type { Problem } from './problem.ts';

/** Two different models with one title would become one component of the document. */
export function conflictingModels(plugins: readonly Plugin[]): readonly Problem[] {
  const rest = new Models('model');
  const graph = new Models('GraphQL type');
  for (const plugin of plugins) {
    for (const part of [...plugin.operations, ...plugin.views]) {
      rest.add(part.input, plugin.name);
      rest.add(part.output, plugin.name);
    }
    for (const route of plugin.routes)
      for (const schema of [route.body, ...Object.values(route.answers)]) rest.add(schema, plugin.name);
    for (const part of [...plugin.queries, ...plugin.fields]) graph.add(part.returns, plugin.name);
  }
  return [...rest.problems, ...graph.problems].map((text) => ({ text }));
}

class Models {
  readonly #kind: string;
  readonly #known = new Map<string, { readonly schema: object; readonly owner: string }>();
  readonly #seen = new WeakSet<object>();
  readonly problems: string[] = [];

  constructor(kind: string) {
    this.#kind = kind;
  }

  add(schema: unknown, owner: string): void {
    if (Array.isArray(schema)) for (const item of schema) this.add(item, owner);
    if (!isJsonSchema(schema) || this.#seen.has(schema)) return;
    this.#seen.add(schema);
    const title = schema['title'];
    if (schema['type'] === 'object' && typeof title === 'string') {
      const known = this.#known.get(title);
      // Most titles have one schema, so the comparison is rare.
      if (known !== undefined && canonicalJson(known.schema) !== canonicalJson(schema))
        this.problems.push(`the ${this.#kind} "${title}" of ${owner} differs from the one of ${known.owner}`);
      this.#known.set(title, known ?? { schema, owner });
    }
    for (const [keyword, value] of Object.entries(schema)) {
      // A field may have the name of a keyword.
      if (keyword === 'properties' && isJsonSchema(value))
        for (const field of Object.values(value)) this.add(field, owner);
      else if (keyword !== 'enum' && keyword !== 'default') this.add(value, owner);
    }
  }
}
