export { createFolder } from './create-folder.ts';
export { createPlugin } from './create-plugin.ts';
export { CreationError } from './creation-error.ts';
export { nextSteps } from './next-steps.ts';
