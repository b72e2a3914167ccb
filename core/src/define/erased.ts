/**
 * Erases a type that was checked where a definition was written: the pair of schema and handler is
 * checked together by the signature of each define function, and the kernel validates every input against the same
 * schema before the call. This is the only `any` of definitions.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type Erased = any;
