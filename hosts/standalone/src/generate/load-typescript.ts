import { register } from 'node:module';

/**
 * Lets this process import TypeScript sources, unless Node does so by itself (from 22.18). Types are removed, not
 * checked; syntax that is more than types, such as `enum`, is refused, as Node does.
 */
export function loadTypeScript(): void {
  // A checkout that runs from its sources has loaded this file as TypeScript.
  const isSource = import.meta.url.endsWith('.ts');
  if (isSource || ('typescript' in process.features && process.features.typescript !== false)) return;
  register('./typescript-hooks.js', import.meta.url);
}
