import { describePlugin } from '@pacioli/conformance/vitest';
import watchlist from '../src/index.ts';

describePlugin(watchlist);
