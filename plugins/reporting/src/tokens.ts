import { createToken } from '@pacioli/core';
import type { StatementReader } from './statement-reader.ts';

/** Used by this plugin's own parts. */
export const statementReader = createToken<StatementReader>('reporting.statement-reader');
