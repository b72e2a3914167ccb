import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createPlugin } from './create-plugin.ts';
import { CreationError } from './creation-error.ts';
import { nextSteps } from './next-steps.ts';

const usage = `Usage: npm create pacioli-plugin NAME [-- --folder FOLDER]

Creates the plugin NAME, such as expense-claims, in a new folder with that name.`;

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { folder: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  const [name, ...rest] = positionals;
  if (values.help === true) console.log(usage);
  else if (name === undefined || rest.length > 0) throw new CreationError(usage);
  else console.log(nextSteps(name, relative(process.cwd(), await createPlugin(name, values.folder))));
} catch (error) {
  const isMistake = error instanceof CreationError || (error instanceof TypeError && 'code' in error);
  console.error(isMistake ? error.message : error);
  process.exitCode = 1;
}
