/** The HTTP layer as a request listener that any Node server can mount. */
export { createKoaApp, createKoaMiddleware, type KoaHostOptions } from './app.ts';
export type { PageAnswer, PageRequest, Pages } from './pages.ts';
export { createLimitedServer, type ServerLimits, serverLimits } from './server.ts';
export { stopServer } from './stop-server.ts';
