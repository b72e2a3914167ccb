/** Streams that tell a client what has changed. */
export type { ListenRequest } from './change-stream.ts';
export { ChangeStreams } from './change-streams.ts';
