/**
 * Flags that `npm start` gives Node, so that a service at rest is small. Measured a minute after a first start with the
 * demo, on two processors: embedded 300 MB without them and 266 MB with them; on a PostgreSQL server 124 MB and 118 MB.
 * The processor time of a posting with sixteen callers stays the same.
 */
export const serviceFlags = [
  // One helper thread of the engine instead of four, each of which keeps memory of its own: 11 MB, embedded.
  '--v8-pool-size=1',
  // Megabytes for objects that were made last, instead of 16: what a burst of requests filled is never given back.
  '--max-semi-space-size=2',
];
