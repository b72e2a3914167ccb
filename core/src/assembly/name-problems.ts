import type { EventType } from '../define/event.ts';
import type { Plugin } from '../define/plugin.ts';
import { toolNameOf } from '../define/tool.ts';
import { pluginPages } from '../services/plugin-pages.ts';
import type { Aliases } from './endpoints.ts';
import { domainId, missingDependency, operationId, type Problem } from './problem.ts';
import { isVersion } from './versions.ts';

interface Form {
  readonly pattern: RegExp;
  readonly article: string;
}

const kebabCase: Form = { pattern: /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, article: 'kebab-case, such as "close-period"' };
const toolCase: Form = {
  pattern: /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/,
  article: 'lower-case words joined by - or _, such as "close-period"',
};
const camelCase: Form = { pattern: /^[a-z][A-Za-z0-9]*$/, article: 'camelCase, such as "fiscalCalendar"' };
const codeCase: Form = {
  pattern: /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/,
  article: 'SCREAMING_SNAKE, such as "ALREADY_CLOSED"',
};
const identifier: Form = {
  pattern: /^[A-Za-z_]\w*$/,
  article: 'a name of letters, digits and _, such as "close_period"',
};
const methodAndPath: Form = {
  pattern: /^(GET|POST|PUT|PATCH|DELETE) (\/([\w.~-]+|\{[a-z]\w*\}))+$/,
  article: 'a method and a path, such as "GET /v1/notes/{note_id}"',
};

/** Finds names that would not work in a path, a document or a statement, or that do not look like their kind. */
export function malformedNames(plugins: readonly Plugin[], aliases: Aliases): readonly Problem[] {
  const ofPlugins = plugins.flatMap((plugin) => {
    const problems: Problem[] = [];
    const check = (form: Form, what: string, name: string, owner = ` of ${plugin.name}`): void => {
      if (!form.pattern.test(name)) problems.push({ text: `${what} "${name}"${owner} is not ${form.article}` });
    };
    check(kebabCase, 'plugin', plugin.name, '');
    if (plugin.domain !== undefined) check(kebabCase, 'domain', plugin.domain);
    if (!isVersion(plugin.version))
      problems.push({ text: `version "${plugin.version}" of ${plugin.name} is not a version, such as "1.2.3"` });
    for (const part of [...plugin.operations, ...plugin.views, ...plugin.routes]) {
      check(kebabCase, part.kind, part.name);
      check(identifier, 'OpenAPI id', part.openapi.id);
      if ('path' in part && part.path !== undefined) check(methodAndPath, 'path', part.path);
      const tool = 'mcp' in part ? toolNameOf(part) : undefined;
      if (tool !== undefined) check(toolCase, 'tool', tool);
      for (const code of Object.keys(part.errors ?? {})) check(codeCase, 'error code', code);
    }
    for (const query of plugin.queries) {
      check(camelCase, 'query', query.name);
      if (query.mcp !== undefined) check(toolCase, 'tool', query.mcp.tool);
    }
    for (const { collection, key } of plugin.contributions)
      if (collection.key === pluginPages.key) check(kebabCase, 'page', key);
    for (const field of plugin.fields) check(camelCase, 'field', field.name);
    for (const { name } of plugin.tools) check(toolCase, 'tool', name);
    for (const part of [...plugin.jobs, ...plugin.runs, ...plugin.commands]) check(kebabCase, part.kind, part.name);
    return problems;
  });
  const ofAliases = Object.entries(aliases).flatMap(([domain, names]) =>
    names
      .filter((name) => !kebabCase.pattern.test(name))
      .map((name) => ({ text: `the alias "${name}" of the domain "${domain}" is not ${kebabCase.article}` })),
  );
  return [...ofPlugins, ...ofAliases];
}

/** Finds tables and SQL functions that lack the prefix of their plugin, whose data they would expose (platform X-5). */
export function wrongTableNames(plugins: readonly Plugin[]): readonly Problem[] {
  return plugins.flatMap((plugin) => {
    const prefix = `${plugin.name.replaceAll('-', '_')}_`;
    return [...Object.keys(plugin.tables), ...plugin.securityDefinerFunctions, ...plugin.kernelScopeFunctions]
      .filter((name) => name !== '*' && !name.startsWith(prefix))
      .map((name) => ({ text: `${plugin.name} declares "${name}", whose name does not begin with "${prefix}"` }));
  });
}

/** Finds aliases that are the name of a domain of the set, or belong to two of them. */
export function wrongAliases(plugins: readonly Plugin[], aliases: Aliases): readonly Problem[] {
  const owners = new Map(
    plugins.flatMap(({ name, domain }) => (domain === undefined ? [] : [[domain, name] as const])),
  );
  // A host may state the aliases of domains that are not enabled.
  const used = Object.entries(aliases).filter(([domain]) => owners.has(domain));
  const claimed = new Map<string, string>();
  return used.flatMap(([domain, names]) =>
    names.flatMap((name): readonly Problem[] => {
      const earlier = claimed.get(name);
      claimed.set(name, domain);
      const owner = owners.get(name);
      if (owner !== undefined) {
        const other = name === domain ? 'itself' : `the domain "${domain}"`;
        return [{ text: `domain "${name}" of ${owner} is also an alias of ${other}`, id: domainId(name) }];
      }
      if (earlier === undefined) return [];
      return [{ text: `the alias "${name}" belongs to the domains "${earlier}" and "${domain}"`, id: domainId(name) }];
    }),
  );
}

/** Finds wire names, tokens and keys that more than one plugin contributes, or one plugin twice. */
export function duplicateNames(plugins: readonly Plugin[]): readonly Problem[] {
  const claims = new Map<string, { readonly names: string[]; readonly id?: string; readonly follows?: string[] }>();
  const claim = (what: string, plugin: Plugin, ids: { id?: string; follows?: string[] } = {}): void => {
    const claimed = claims.get(what);
    if (claimed === undefined) claims.set(what, { names: [plugin.name], ...ids });
    else claimed.names.push(plugin.name);
  };
  for (const plugin of plugins) {
    if (plugin.domain !== undefined) claim(`domain "${plugin.domain}"`, plugin, { id: domainId(plugin.domain) });
    for (const part of [...plugin.operations, ...plugin.views]) {
      const domain = part.domain ?? plugin.domain;
      const id = operationId(domain, part.name);
      claim(id, plugin, { id, follows: [domainId(domain)] });
      const tool = toolNameOf(part);
      if (tool !== undefined) claim(`tool "${tool}"`, plugin, { follows: [id] });
    }
    for (const tool of plugin.tools) claim(`tool "${tool.name}"`, plugin);
    for (const { name, mcp } of plugin.queries) {
      claim(`query "${name}"`, plugin);
      if (mcp !== undefined) claim(`tool "${mcp.tool}"`, plugin);
    }
    for (const { on, name } of plugin.fields) claim(`field "${on}.${name}"`, plugin);
    for (const route of plugin.routes) claim(`path "${route.path}"`, plugin);
    for (const event of plugin.events) claim(`event "${event.name}"`, plugin);
    for (const { kind, name } of [...plugin.jobs, ...plugin.runs, ...plugin.commands])
      claim(`${kind} "${name}"`, plugin);
    for (const provider of plugin.providers) claim(`service "${provider.token.id}"`, plugin);
    for (const entry of plugin.contributions) claim(`entry "${entry.key}" of ${entry.collection.id}`, plugin);
    for (const type of [...plugin.nodes, ...plugin.relationships]) claim(`analytical type "${type.name}"`, plugin);
    for (const part of [...plugin.operations, ...plugin.views])
      claim(`OpenAPI id "${part.openapi.id}"`, plugin, {
        follows: [operationId(part.domain ?? plugin.domain, part.name)],
      });
    for (const route of plugin.routes.filter(({ hidden }) => hidden !== true))
      claim(`OpenAPI id "${route.openapi.id}"`, plugin);
  }
  return [...claims]
    .filter(([, { names }]) => names.length > 1)
    .map(([what, { names, ...ids }]) => {
      const owners = [...new Set(names)];
      return {
        text: `${what} is contributed by ${owners.join(' and ')}${owners.length === 1 ? ' twice' : ''}`,
        ...ids,
      };
    });
}

/** Finds events that would never be delivered, because no plugin of the set declares them. */
export function undeclaredEvents(plugins: readonly Plugin[]): readonly Problem[] {
  const namesOf = (events: readonly EventType[]) => new Set(events.map(({ name }) => name));
  const declared = namesOf(plugins.flatMap(({ events }) => events));
  return plugins.flatMap((plugin) => {
    const own = namesOf(plugin.events);
    const unprefixed = [...own].filter((name) => !name.startsWith(`${plugin.name}.`));
    return [
      ...unprefixed.map((name) => ({
        text: `event "${name}" of ${plugin.name} does not begin with its plugin, such as "${plugin.name}.${name}"`,
      })),
      ...plugin.operations.flatMap((operation) =>
        (operation.emits ?? [])
          .filter(({ name }) => !own.has(name))
          .map(({ name }) => ({
            text: `operation "${operation.name}" of ${plugin.name} emits "${name}", which is not in the events of ${plugin.name}`,
          })),
      ),
      ...plugin.jobs.flatMap(({ name, on }) =>
        on === undefined || declared.has(on.name)
          ? []
          : [
              {
                text: `job "${name}" of ${plugin.name} subscribes to "${on.name}", which no plugin declares`,
                follows: [missingDependency(plugin, on.name.split('.')[0] ?? '')],
              },
            ],
      ),
    ];
  });
}
