export { background } from './background.ts';
export { firstMessages, usedHistory } from './conversation.ts';
export { orientation } from './orientation.ts';
export { systemPrompt } from './system-prompt.ts';
