export { type AppConsent, appConsent } from './authorization/index.ts';
export { default } from './plugin.ts';
