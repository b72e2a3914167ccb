import type { Plugin } from '@pacioli/core';
import { standardErrors } from '@pacioli/core/assembly';
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

  /** The codes that operations and views of the plugin answered without declaring them; the kernel's are standard. */
  undeclared(plugin: Plugin): readonly string[] {
    const names = new Set([...plugin.operations, ...plugin.views].map(({ name }) => name));
    const declared = new Set(declaredErrors(plugin));
    return [...this.#seen].filter((error) => {
      const [name = '', code = ''] = error.split(' ');
      return names.has(name) && !declared.has(error) && standardErrors.every((standard) => standard.code !== code);
    });
  }
}

/** The declared errors of the operations and views of a plugin, as `watch-security INVALID_INPUT`. */
export function declaredErrors(plugin: Plugin): readonly string[] {
  return [...plugin.operations, ...plugin.views].flatMap(({ name, errors }) =>
    Object.keys(errors ?? {}).map((code) => `${name} ${code}`),
  );
}
