import { join } from 'node:path';
import { type Embedder, EmbeddingError, type SearchIndex } from '@pacioli/core/ports';
import { optionalDriver } from './optional-driver.ts';
import type { EmbedderSettings, SearchIndexSettings } from './search-switches.ts';
import { StartUpError } from './start-up-error.ts';

/** The part of `@pacioli/embedder-onnx` that is used. The host does not depend on it, because it takes 300 MB. */
interface OnnxDriver {
  onnxEmbedder(options: { readonly folder: string }): Promise<Embedder>;
}
const onnxDriver: string = '@pacioli/embedder-onnx';

/** The embedder of PACIOLI_EMBEDDER; undefined for none. An unused driver is not loaded. */
export async function openEmbedder(settings: EmbedderSettings): Promise<Embedder | undefined> {
  switch (settings.kind) {
    case 'none':
      return undefined;
    case 'words': {
      const { wordEmbedder } = await import('@pacioli/embedder-words');
      return wordEmbedder();
    }
    case 'onnx': {
      const load = () => import(onnxDriver) as Promise<OnnxDriver>;
      const { onnxEmbedder } = await optionalDriver(onnxDriver, 'Models in a folder', load);
      return onnxEmbedder({ folder: settings.folder }).catch((error: unknown) => {
        if (error instanceof EmbeddingError) throw new StartUpError(`PACIOLI_EMBEDDER_MODEL_DIR: ${error.message}`);
        throw error;
      });
    }
    case 'remote': {
      const load = () => import('@pacioli/embedder-remote');
      const { remoteEmbedder } = await optionalDriver('@pacioli/embedder-remote', 'Remote embedders', load);
      return remoteEmbedder(settings);
    }
  }
}

/** The search index of PACIOLI_SEARCH_INDEX; undefined for none. An unused driver is not loaded. */
export async function openSearchIndexOf(
  settings: SearchIndexSettings,
  dataDir: string,
): Promise<SearchIndex | undefined> {
  if (settings.kind === 'opensearch') {
    const load = () => import('@pacioli/search-opensearch');
    const { openSearchIndex } = await optionalDriver('@pacioli/search-opensearch', 'Indexes in OpenSearch', load);
    return openSearchIndex(settings);
  }
  if (settings.kind === 'none') return undefined;
  // Read by the engine when it is loaded. Its warnings are about work that the driver repeats.
  process.env['LANCEDB_LOG'] ??= 'error';
  const { lanceSearchIndex } = await import('@pacioli/search-lancedb');
  return lanceSearchIndex({ folder: join(dataDir, 'search') });
}
