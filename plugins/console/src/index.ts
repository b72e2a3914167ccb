/** The pages a person sees. A host mounts them beside a deployment; the kernel knows nothing of them. */
export { type ConsolePage, type ConsoleRequest, consolePages, type Deployed, explorerPage } from './pages.ts';
