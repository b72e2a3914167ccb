/** Vectors of texts: made by the embedder, stored as bytes, compared and ranked. */

export { embedByHalves } from './embed-by-halves.ts';
export { type Ranking, rankings, scoreOf } from './ranking.ts';
export { bytesOf, similarityOf, vectorOf } from './similarity.ts';
export { embedderDown, TextEmbedder } from './text-embedder.ts';
