export { externalLinks } from './external-links.ts';
export { objectIn, receiptOf, type WriteReceipt } from './receipts.ts';
export { parsed, RunTools, type ToolOutcome } from './run-tools.ts';
