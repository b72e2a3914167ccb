export { default } from './plugin.ts';
