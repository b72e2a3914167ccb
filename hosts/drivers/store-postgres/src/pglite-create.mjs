// Plain JavaScript for the same reason as pglite-worker.mjs. A child process starts from this file: it writes the files
// of an empty database into the folder of its argument and ends.
import { PGlite } from '@electric-sql/pglite';

// Nobody waits for the files when the process that asked for them is gone.
process.on('disconnect', () => process.exit(1));

const engine = await PGlite.create({ dataDir: process.argv[2] });
await engine.close();
process.exit(0);
