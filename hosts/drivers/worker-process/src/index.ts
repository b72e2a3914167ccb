export { type WorkerOptions, WorkerProcess } from './worker-process.ts';
