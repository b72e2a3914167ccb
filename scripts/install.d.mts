/** The types of `install.mjs`, for its test. */
export type Level = 'service' | 'development';

export interface Stamp {
  readonly packages: string;
  readonly level: Level;
}

export function install(
  root: string,
  wanted: Level,
  tools: {
    readonly run: (program: string, words: readonly string[]) => Promise<number>;
    readonly say: (text: string) => void;
  },
): Promise<void>;

export function levelToInstall(
  wanted: Level,
  packages: string,
  stamp: Stamp | undefined,
  hasDevelopment: boolean,
): Level | undefined;
