import { type Embedder, EmbeddingError } from '../store/embedder.ts';
import { type LanguageModel, LanguageModelError } from '../store/language-model.ts';
import { type SearchIndex, SearchIndexError } from '../store/search-index.ts';

const refuseIndex = async (): Promise<never> => {
  throw new SearchIndexError('This deployment has no search index: its host passes no searchIndex.');
};

/** The search index of a host that provides none: every call is refused, but there is nothing to delete or to close. */
export const noSearchIndex: SearchIndex = {
  driver: 'none',
  identity: async () => 'none',
  revision: async () => undefined,
  replace: refuseIndex,
  deleteGraph: async () => undefined,
  search: refuseIndex,
  entries: refuseIndex,
  notEmbeddedBy: refuseIndex,
  setVectors: refuseIndex,
  stats: refuseIndex,
  close: async () => undefined,
};

/** The embedder of a host that provides none. */
export const noEmbedder: Embedder = {
  id: 'none',
  dimensions: 0,
  embed: async () => {
    throw new EmbeddingError('This deployment makes no vectors of texts: its host passes no embedder.');
  },
};

/** The language model of a host that provides none: it has no models. */
export const noLanguageModel: LanguageModel = {
  id: 'none',
  models: () => [],
  createMessage: async () => {
    throw new LanguageModelError('No language model is configured.', { isTransient: false });
  },
};
