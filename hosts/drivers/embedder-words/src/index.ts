export { wordEmbedder } from './word-embedder.ts';
