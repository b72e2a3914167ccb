/**
 * The type of a handler's input and services after its definition was compiled. The signature of each define function
 * has checked the handler against its schemas, and the kernel validates every input against them before the call. This
 * is the only `any` of definitions.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type Erased = any;
