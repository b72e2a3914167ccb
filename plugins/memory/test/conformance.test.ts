import { describePlugin } from '@pacioli/conformance/vitest';
import memory from '../src/index.ts';

const switchedOff = 'Only where the deployment switches memory off: access.test.ts.';

describePlugin(memory, {
  explainedErrors: {
    'forget MEMORY_OFF': switchedOff,
    'remember MEMORY_OFF': switchedOff,
    'remember MEMORY_LIMIT_REACHED': 'Needs 10,000 memories: remember.test.ts.',
    'update-memory MEMORY_OFF': switchedOff,
  },
});
