export { type RemoteEmbedderOptions, remoteEmbedder } from './remote-embedder.ts';
