import { defineRun, openObject } from '@pacioli/core';
import { operatorRunInput } from '../requests/index.ts';
import { runErrors } from '../run-errors.ts';
import { operatorServices } from '../tokens.ts';

/** A run of an operator that may write, which is never repeated (ai-surface OP-53). */
export default defineRun({
  name: 'run-writing-operator',
  summary: 'Runs an AI operator that may write.',
  input: operatorRunInput,
  output: openObject(),
  services: { operatorServices },
  errors: runErrors,
  maxSeconds: 600,
  restartable: false,
  isNeverRepeated: true,
  handle: ({ input, ctx, use }) => use.operatorServices.runner.run(input, ctx),
});
