/** Pages for people. A host mounts them next to a deployment; the kernel does not depend on them. */
export { type ConsolePage, type ConsoleRequest, consolePages, type Deployed, explorerPage } from './pages.ts';
