/**
 * A type that was checked where a definition was written, and is not carried on: the pair of schema and handler is
 * checked together by the signature of each define function, and the kernel validates every input against that same
 * schema before it calls. This is the one `any` of definitions.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type Erased = any;
