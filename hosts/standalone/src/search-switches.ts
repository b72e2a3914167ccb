import { embedders, searchIndexes } from './host-switches.ts';
import { StartUpError } from './start-up-error.ts';
import { wholeNumber } from './switch-values.ts';

/** Which embedder the deployment has. */
export type EmbedderSettings =
  | { readonly kind: 'words' | 'none' }
  | { readonly kind: 'onnx'; readonly folder: string }
  | {
      readonly kind: 'remote';
      readonly url: string;
      readonly apiKey?: string;
      readonly model: string;
      readonly dimensions: number;
    };

/** Where the search index is. */
export type SearchIndexSettings =
  | { readonly kind: 'lancedb' | 'none' }
  | {
      readonly kind: 'opensearch';
      readonly url: string;
      readonly credentials?: { readonly user: string; readonly password: string };
      readonly prefix: string;
    };

type Text = (name: string) => string;

const maxDimensions = 4096;

/** Reads the switches of the embedder; those of another embedder than the chosen one are a mistake. */
export function embedderSettings(text: Text): EmbedderSettings {
  const kind = text('PACIOLI_EMBEDDER');
  if (!embedders.includes(kind))
    throw new StartUpError(`PACIOLI_EMBEDDER must be one of ${embedders.join(', ')}, not "${kind}".`);
  if (kind !== 'onnx') refuse(text, ['MODEL_DIR'], 'onnx');
  if (kind !== 'remote') refuse(text, ['URL', 'API_KEY', 'MODEL', 'DIMENSIONS'], 'remote');
  if (kind === 'onnx') return { kind, folder: required(text, 'PACIOLI_EMBEDDER_MODEL_DIR', 'onnx') };
  if (kind !== 'remote') return { kind: kind === 'words' ? 'words' : 'none' };
  const model = required(text, 'PACIOLI_EMBEDDER_MODEL', kind);
  if (!/^[\x21-\x7e]{1,150}$/.test(model))
    throw new StartUpError('PACIOLI_EMBEDDER_MODEL must be a name of at most 150 characters without spaces.');
  const apiKey = text('PACIOLI_EMBEDDER_API_KEY');
  const dimensions = required(text, 'PACIOLI_EMBEDDER_DIMENSIONS', kind);
  return {
    ...{ kind, model },
    url: webAddress('PACIOLI_EMBEDDER_URL', required(text, 'PACIOLI_EMBEDDER_URL', kind)),
    dimensions: wholeNumber('PACIOLI_EMBEDDER_DIMENSIONS', dimensions, 1, maxDimensions),
    ...(apiKey === '' ? {} : { apiKey }),
  };
}

/** Reads the switches of the search index. */
export function searchIndexSettings(text: Text): SearchIndexSettings {
  const kind = text('PACIOLI_SEARCH_INDEX');
  const url = text('PACIOLI_OPENSEARCH_URL');
  if (!searchIndexes.includes(kind))
    throw new StartUpError(`PACIOLI_SEARCH_INDEX must be one of ${searchIndexes.join(', ')}, not "${kind}".`);
  if (kind !== 'opensearch') {
    if (url === '') return { kind: kind === 'lancedb' ? 'lancedb' : 'none' };
    throw new StartUpError('PACIOLI_OPENSEARCH_URL has a meaning only with PACIOLI_SEARCH_INDEX=opensearch.');
  }
  if (url === '') throw new StartUpError('PACIOLI_SEARCH_INDEX=opensearch needs PACIOLI_OPENSEARCH_URL.');
  const prefix = text('PACIOLI_OPENSEARCH_PREFIX');
  if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(prefix))
    throw new StartUpError('PACIOLI_OPENSEARCH_PREFIX must be up to 50 lower-case letters, digits, - and _.');
  const [user, password] = [text('PACIOLI_OPENSEARCH_USER'), text('PACIOLI_OPENSEARCH_PASSWORD')];
  if ((user === '') !== (password === ''))
    throw new StartUpError(
      'PACIOLI_OPENSEARCH_USER and PACIOLI_OPENSEARCH_PASSWORD belong together: set both or neither.',
    );
  return {
    ...{ kind, prefix, url: webAddress('PACIOLI_OPENSEARCH_URL', url) },
    ...(user === '' ? {} : { credentials: { user, password } }),
  };
}

function refuse(text: Text, names: readonly string[], kind: string): void {
  const given = names.map((name) => `PACIOLI_EMBEDDER_${name}`).find((name) => text(name) !== '');
  // Texts would silently be embedded otherwise than the operator wanted.
  if (given !== undefined) throw new StartUpError(`${given} has a meaning only with PACIOLI_EMBEDDER=${kind}.`);
}

function required(text: Text, name: string, kind: string): string {
  const value = text(name);
  if (value === '') throw new StartUpError(`PACIOLI_EMBEDDER=${kind} needs ${name}.`);
  return value;
}

/** An address without user and password, which would be in logs and errors. */
function webAddress(name: string, value: string): string {
  if (/^https?:\/\/[^/?#@\s]+(?:\/[^?#@\s]*)?$/.test(value)) return value.replace(/\/+$/, '');
  throw new StartUpError(`${name} must be a URL such as https://host:9200, without user, password or query.`);
}
