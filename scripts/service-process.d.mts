/** The types of `service-process.mjs`, for benchmarks and tests. */
export const serviceFlags: readonly string[];
export const serviceEnvironment: Readonly<Record<string, string>>;
