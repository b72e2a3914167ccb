/** All pages of the reference, and what keeps them from describing a definition. */
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadProgram } from '../../hosts/standalone/src/program.ts';
import type { SourceFile } from '../rules-files.ts';
import { type ApiReport, apiReport } from './api-report.ts';
import { commandsPage } from './commands.ts';
import { Declarations } from './declarations.ts';
import { errorsPage } from './errors.ts';
import { eventsPage } from './events.ts';
import { type Page, page } from './markdown.ts';
import { modelsPage } from './models.ts';
import { operationsPage } from './operations.ts';
import { packagesOf } from './packages.ts';
import { pluginsPage } from './plugins.ts';
import { graphqlTypesPage, queriesPage } from './queries.ts';
import { rateLimitsPage } from './rate-limits.ts';
import { otherVersions, referenceSet, undescribed } from './reference-set.ts';
import { routesPage } from './routes.ts';
import { type PublicToken, servicesPage, tokensIn } from './services.ts';
import { settingsPage } from './settings.ts';

export interface Reference {
  readonly pages: readonly Page[];
  readonly apiReports: readonly ApiReport[];
  readonly problems: readonly string[];
}

export async function reference(root: string, files: readonly SourceFile[]): Promise<Reference> {
  const set = referenceSet();
  const packages = packagesOf(root);
  const entryPoints = new Map(packages.flatMap((each) => [...each.entryPoints]));
  const declarations = new Declarations(files, entryPoints);
  const events = eventsPage(set.plugins, declarations.events());
  const services = servicesPage(
    await publicTokens(
      root,
      entryPoints,
      set.plugins.map(({ name }) => name),
    ),
    declarations,
    set.plugins,
  );
  const pages = [
    operationsPage(set),
    queriesPage(set),
    graphqlTypesPage(set),
    routesPage(set.plugins),
    modelsPage(set.plugins),
    errorsPage(set.plugins),
    events,
    services,
    services.types,
    pluginsPage(set.plugins),
    settingsPage(set.plugins),
    rateLimitsPage(),
    commandsPage(await loadProgram()),
  ];
  return {
    pages: [...pages, indexPage(pages)],
    apiReports: packages
      .filter(({ entryPoints, isPrivate }) => entryPoints.size > 0 && !isPrivate)
      .map((each) => apiReport(each, declarations)),
    problems: [
      ...undescribed(set.plugins),
      ...otherVersions(set.plugins, packages),
      ...events.problems,
      ...services.problems,
    ],
  };
}

/** The first page, which lists the others. */
function indexPage(pages: readonly Page[]): Page {
  const others = pages.map(({ path, title }) => `- [${title}](${basename(path)})`);
  return page('index', 'Reference', [...others, '- [Rules and the tests that cite them](rules.md)']);
}

/** The tokens that the kernel and the plugins of the set export. */
async function publicTokens(
  root: string,
  entryPoints: ReadonlyMap<string, string>,
  plugins: readonly string[],
): Promise<readonly PublicToken[]> {
  const owners = new Set(['core', ...plugins]);
  const tokens: PublicToken[] = [];
  for (const [module, path] of entryPoints) {
    if (!owners.has(module.split('/')[1] ?? '')) continue;
    const exports = (await import(pathToFileURL(join(root, path)).href)) as Readonly<Record<string, unknown>>;
    tokens.push(...tokensIn(module, exports));
  }
  // An entry point for hosts repeats some tokens of the main one, which therefore comes last.
  return tokens.sort((a, b) => b.module.length - a.module.length);
}
