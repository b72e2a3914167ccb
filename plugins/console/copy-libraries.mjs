/** Copies the files of the libraries that the pages load, with their licenses, into the package to be published. */
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const files = {
  'swagger-ui-dist': ['swagger-ui.css', 'swagger-ui-bundle.js'],
  graphiql: ['graphiql.min.css', 'graphiql.min.js'],
  react: ['umd/react.production.min.js'],
  'react-dom': ['umd/react-dom.production.min.js'],
};

const require = createRequire(import.meta.url);
const target = fileURLToPath(new URL('./dist/libraries', import.meta.url));
rmSync(target, { recursive: true, force: true });
for (const [library, served] of Object.entries(files)) {
  const source = dirname(require.resolve(`${library}/package.json`));
  const licenses = readdirSync(source).filter((name) => /^(LICENSE|NOTICE)/i.test(name));
  if (licenses.length === 0) throw new Error(`${library} has no license file.`);
  mkdirSync(join(target, library), { recursive: true });
  for (const name of [...served, ...licenses]) copyFileSync(join(source, name), join(target, library, basename(name)));
}
