/**
 * The Node flags of `npm start`, which reduce the memory of an idle service. Measured a minute after a start with the
 * demo, on two cores: embedded 300 MB without them and 266 MB with both; on a PostgreSQL server 124 MB and 118 MB.
 * Neither flag alone reduces both. A posting with sixteen callers took 4.9 ms of processor time without
 * them and 5.0 ms with them.
 */
export const serviceFlags = [
  // Helper threads of V8, instead of four: alone 289 MB embedded, but more than without it on a server.
  '--v8-pool-size=1',
  // Megabytes of a half of V8's space for new objects, instead of 16: alone 305 MB embedded, 130 MB on a server.
  '--max-semi-space-size=2',
];

/**
 * Variables that `npm start` sets for the service unless they are set. The threads of a process then share two arenas of
 * glibc instead of having up to eight for each processor, so that memory which one engine has freed serves the others.
 * After 25,000 and 100,000 indexed sections, the process had 243 and 309 MB with it, and 257 and 388 MB without it;
 * indexing took as long.
 */
export const serviceEnvironment = { MALLOC_ARENA_MAX: '2' };
