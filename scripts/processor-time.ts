/** Records the processor time of each test file; the summary of a run sums it per package. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const microseconds = 1e6;
/** The unit of `/proc` on every Linux that Node runs on. */
const ticksPerSecond = 100;

// Evaluated for each test file, before the file is imported.
const file = process.env['PACIOLI_TEST_PROCESSOR_TIME'];
const beforeS = processorSeconds();

afterAll(() => {
  if (file === undefined) return;
  const { testPath } = expect.getState();
  appendFileSync(file, `${JSON.stringify({ file: testPath, seconds: processorSeconds() - beforeS })}\n`);
});

/** The time of this process with all threads, and (on Linux) of its child processes that have ended. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / microseconds + secondsOfEndedChildren();
}

function secondsOfEndedChildren(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The second field is the program's name in parentheses, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = '0', system = '0'] = fields.slice(13, 15);
  return (Number(user) + Number(system)) / ticksPerSecond;
}
