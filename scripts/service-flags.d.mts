/** The types of `service-flags.mjs`, for the benchmark of memory. */
export const serviceFlags: readonly string[];
