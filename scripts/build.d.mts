/** The types of `build.mjs`, for its test. */
export function build(
  root: string,
  tools: {
    readonly run: (program: string, words: readonly string[]) => Promise<number>;
    readonly say: (text: string) => void;
  },
): Promise<void>;
