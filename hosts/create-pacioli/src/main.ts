import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { CreationError } from 'create-pacioli-plugin';
import { createDeployment } from './create-deployment.ts';

const usage = `Usage: npm create pacioli FOLDER

Creates a deployment of Pacioli, with its plugins listed in pacioli.config.ts, in a new or empty folder.`;

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  const [folder, ...rest] = positionals;
  if (values.help === true) console.log(usage);
  else if (folder === undefined || rest.length > 0) throw new CreationError(usage);
  else {
    const created = relative(process.cwd(), await createDeployment(folder)) || '.';
    console.log(`Created a deployment in ${created}. Next:\n\n  cd ${created}\n  npm install\n  npm start\n`);
  }
} catch (error) {
  const isMistake = error instanceof CreationError || (error instanceof TypeError && 'code' in error);
  console.error(isMistake ? error.message : error);
  process.exitCode = 1;
}
