export { ChangeStreams } from './change-streams.ts';
