import type { Plugin } from '@pacioli/core';
import type { Answer } from '../client.ts';
import { isObject } from '../json.ts';

/** Collects the error codes that operations and views of a plugin answered. */
export class SeenErrors {
  readonly #seen = new Set<string>();

  /** Remembers the code of an error answer of an operation. */
  observe({ asked, body }: Answer): void {
    const name = /\/operations\/([a-z0-9-]+)$/.exec(asked.split('?')[0] ?? '')?.[1];
    if (name !== undefined && isObject(body) && typeof body['code'] === 'string')
      this.#seen.add(`${name} ${body['code']}`);
  }

  has(error: string): boolean {
    return this.#seen.has(error);
  }

  /** The operations and views of the plugin that answered an internal error, as one that is not declared does. */
  internal(plugin: Plugin): readonly string[] {
    const names = [...plugin.operations, ...plugin.views].map(({ name }) => name);
    return names.filter((name) => this.#seen.has(`${name} INTERNAL_ERROR`));
  }
}

/** The declared errors of a plugin that its own tests must provoke, as `watch-security INVALID_INPUT`. */
export function declaredErrors(plugin: Plugin): readonly string[] {
  return [...plugin.operations, ...plugin.views].flatMap(({ name, errors = {} }) =>
    Object.entries(errors)
      .filter(([, declared]) => typeof declared === 'string' || declared.testedBy === undefined)
      .map(([code]) => `${name} ${code}`),
  );
}
