import { describePlugin } from '@pacioli/conformance/vitest';
import memory from '../src/index.ts';

describePlugin(memory);
