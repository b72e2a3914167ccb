import type { Plugin, Route } from '../../core/src/index.ts';
import { code, type Page, page, prose, table } from './markdown.ts';
import { type JsonSchema, typeWords } from './schema-types.ts';

/** The page of the REST routes that are neither operations nor views, by plugin. */
export function routesPage(plugins: readonly Plugin[]): Page {
  const withRoutes = plugins
    .map((plugin) => ({ plugin, routes: plugin.routes.filter(({ hidden }) => hidden !== true) }))
    .filter(({ routes }) => routes.length > 0);
  return page('routes', 'Routes', [
    'The REST routes that are neither [operations nor views](operations.md). The OpenAPI document of a deployment, at',
    '`/openapi.json`, has them with all schemas.',
    '',
    ...withRoutes.flatMap(({ plugin, routes }) => [
      `## ${plugin.title}`,
      '',
      ...table(
        ['Route', 'What it does', 'Body', 'Answer', 'Credential', 'Rate limit'],
        [...routes].sort(byPath).map(row),
      ),
    ]),
  ]);
}

function row({ path, summary, body, answers, auth, role, category }: Route): readonly string[] {
  const [status, answer] = Object.entries(answers)[0] ?? ['', null];
  const credential = auth.length === 0 ? 'none' : auth.join(', ');
  return [
    code(path),
    prose(summary),
    body === undefined ? '' : typeWords(body as JsonSchema), // Definitions are JSON Schemas.
    answer === null ? status : `${status}: ${typeWords(answer as JsonSchema)}`,
    role === undefined ? credential : `${credential}; role ${role}`,
    category === null ? '' : `[${code(category)}](rate-limits.md)`,
  ];
}

function byPath(a: Route, b: Route): number {
  const [left, right] = [a, b].map(({ path }) => path.split(' ').reverse().join(' '));
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
