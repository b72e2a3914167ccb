import { createToken } from '@pacioli/core';
import type { StatementReader } from './statement-reader.ts';

/** Internal to this plugin. */
export const statementReader = createToken<StatementReader>('reporting.statement-reader');
