export { Confirmations } from './confirmation.ts';
export { createServer, type ServerServices } from './create-server.ts';
export { type McpScope, toolsOf } from './scope.ts';
