// Plain JavaScript for the same reason as pglite-worker.mjs. Runs as a child process that writes the files of an empty
// database into the folder given as argument, then exits.
import { PGlite } from '@electric-sql/pglite';

// The files are useless once the parent process is gone.
process.on('disconnect', () => process.exit(1));

const engine = await PGlite.create({ dataDir: process.argv[2] });
await engine.close();
process.exit(0);
