import { type Collection, type CollectionEntry, createCollection } from '../container/token.ts';

/**
 * A page for people at `/console/<key>` of a host with pages (platform X-15). Everybody can open it, so it contains no
 * data of a graph; its script reads those through the API with the key of the person.
 */
export interface PluginPage extends CollectionEntry {
  readonly title: string;
  /** One sentence for the list on the front page. */
  readonly summary: string;
  /** The markup of the main part. Escape texts from elsewhere. Scripts and styles within it do not run. */
  body(): string | Promise<string>;
  /** A file that the page loads when it has been parsed; it may call the API of the deployment. */
  readonly script?: URL;
  readonly style?: URL;
}

/** The pages of plugins; the key is the last segment of the path. */
export const pluginPages: Collection<PluginPage> = createCollection('kernel.plugin-pages');
