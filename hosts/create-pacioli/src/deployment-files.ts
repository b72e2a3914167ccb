/** The files of a new deployment by path. */
export function deploymentFiles(name: string): ReadonlyMap<string, string> {
  return new Map([
    ['package.json', manifestOf(name)],
    ['pacioli.config.ts', config],
    ['README.md', readmeOf(name)],
    ['.gitignore', 'node_modules/\n.pacioli/\n'],
  ]);
}

function manifestOf(name: string): string {
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: { start: 'pacioli serve', pacioli: 'pacioli' },
    dependencies: { '@pacioli/standalone': '^0.1.0' },
    // Installing reports nothing to the maker of a package.
    scarfSettings: { enabled: false },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const config = `import { defineConfig, standardPlugins } from '@pacioli/standalone';

/**
 * The plugins of this deployment. Add your own to the list. A plugin takes its configuration with
 * \`.with({ … })\`; \`npx pacioli switches\` lists the settings of the environment.
 */
export default defineConfig({ plugins: [...standardPlugins] });
`;

function readmeOf(name: string): string {
  return `# ${name}

A deployment of Pacioli.

| Command                 | Does                                                             |
| ----------------------- | ---------------------------------------------------------------- |
| \`npm install\`           | installs it                                                      |
| \`npm start\`             | serves it on http://127.0.0.1:8000, with its data in \`.pacioli\`  |
| \`npx pacioli switches\`  | lists its settings, which are variables of the environment       |
| \`npx pacioli --help\`    | lists all commands                                               |

\`pacioli.config.ts\` lists its plugins. With \`DATABASE_URL\` the data is in a PostgreSQL database instead.
`;
}
