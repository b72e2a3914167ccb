import { defineRun, openObject } from '@pacioli/core';
import { operatorRunInput } from '../requests/index.ts';
import { runErrors } from '../run-errors.ts';
import { operatorServices } from '../tokens.ts';

/** A run of an operator that writes nothing, so that it may start again after its worker died (ai-surface OP-53). */
export default defineRun({
  name: 'run-operator',
  summary: 'Runs an AI operator that only reads.',
  input: operatorRunInput,
  output: openObject(),
  services: { operatorServices },
  errors: runErrors,
  maxSeconds: 600,
  restartable: true,
  handle: ({ input, ctx, use }) => use.operatorServices.runner.run(input, ctx),
});
