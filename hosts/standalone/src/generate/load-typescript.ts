/**
 * Lets this process import TypeScript sources, which Node 20 cannot. Types are removed, not checked. Loaded only by the
 * commands for the authors of plugins.
 */
export async function loadTypeScript(): Promise<void> {
  const { register } = await import('tsx/esm/api');
  register();
}
