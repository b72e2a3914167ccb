/** Outside systems that a graph can connect to: their registry, and the one that this plugin brings. */
export { externalProvider } from './external-provider.ts';
export { ProviderRegistry } from './provider-registry.ts';
