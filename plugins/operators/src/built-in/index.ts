export { analyst } from './analyst.ts';
export { author, isAuthorTool } from './author.ts';
export { mapping } from './mapping.ts';
