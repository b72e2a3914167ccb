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
