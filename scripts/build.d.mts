/** The types of `build.mjs`, for its test. */
import type { Level } from './install.mjs';

export function build(
  root: string,
  level: Level,
  tools: {
    readonly run: (program: string, words: readonly string[]) => Promise<number>;
    readonly say: (text: string) => void;
  },
): Promise<void>;
