/**
 * Lets this process import TypeScript sources, unless Node does so by itself (from 22.18). Types are removed, not
 * checked. Called only for a TypeScript file, and late: modules that are loaded after it load slower.
 */
export async function loadTypeScript(): Promise<void> {
  if ('typescript' in process.features && process.features.typescript !== false) return;
  const { register } = await import('tsx/esm/api');
  register();
}
