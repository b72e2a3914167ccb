/** Streams that tell a client what has changed. */
export { ChangeStreams } from './change-streams.ts';
