/** For `pacioli.config.ts`, the file of a deployment. */
export { type DeploymentConfig, defineConfig } from './config.ts';
export { aliases as standardAliases, plugins as standardPlugins } from './plugins.ts';
