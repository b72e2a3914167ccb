/** Hooks of Node's module loader, in a thread of their own: they remove the types of TypeScript sources. */
import { readFile } from 'node:fs/promises';
import type { LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/wasm-typescript';

export const load: LoadHook = async (url, context, next) => {
  if (!/^file:.*\.m?ts(\?|$)/.test(url)) return next(url, context);
  const path = fileURLToPath(url);
  const options = { mode: 'strip-only', module: true, filename: path } as const;
  try {
    const { code } = await transform(await readFile(path, 'utf8'), options);
    return { format: 'module', source: code, shortCircuit: true };
  } catch (error) {
    // The library throws plain objects.
    const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
    throw new SyntaxError(`${path}: ${String(message)}`, { cause: error });
  }
};
