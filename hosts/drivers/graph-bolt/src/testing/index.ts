export { type BoltServers, reasonToSkip, startBoltServers } from './bolt-servers.ts';
export { missingPrograms, type ServerProcess, startServerProcess } from './server-process.ts';
