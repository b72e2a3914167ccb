import { createFolder } from './create-folder.ts';
import { pluginNames } from './plugin-names.ts';
import { renderTemplate } from './render-template.ts';

/**
 * Creates a plugin in a new or empty folder, by default one with its name in this folder. Returns the folder. Throws a
 * CreationError, and leaves nothing behind, if the name or the folder cannot be used.
 */
export async function createPlugin(name: string, folder = name): Promise<string> {
  return createFolder(folder, renderTemplate(pluginNames(name)));
}
