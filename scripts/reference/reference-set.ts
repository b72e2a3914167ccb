/** The plugins of the standalone host with the kernel, and what follows from their definitions. */
import { buildSchema, type GraphQLSchema } from 'graphql';
import { describeSet, kernelPlugin } from '../../core/src/assembly/index.ts';
import type { Operation, Plugin, Route, View } from '../../core/src/index.ts';
import { aliases, plugins } from '../../hosts/standalone/src/plugins.ts';
import { errorsWithoutKind } from './errors.ts';
import type { Package } from './packages.ts';

export interface ReferenceSet {
  /** In the order of the pages: the kernel first, then by name. */
  readonly plugins: readonly Plugin[];
  readonly graphql: GraphQLSchema;
  /** Documented path of an operation or view, by its name. */
  readonly paths: ReadonlyMap<string, string>;
}

/** A part that a request runs and that can refuse it. */
export type Callable = Operation | View | Route;

export function referenceSet(): ReferenceSet {
  const { sdl, endpoints } = describeSet({ plugins, aliases });
  const paths = new Map<string, string>();
  // An operation with several names for its domain has the documented path first (`operationPaths`).
  for (const { method, path, name } of endpoints) {
    const isAlias = Object.keys(aliases).every((domain) => !path.startsWith(`/extensions/${domain}/`));
    if (method === 'POST' && (isAlias || !paths.has(name))) paths.set(name, path);
  }
  const byName = [...plugins].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { plugins: [kernelPlugin, ...byName], graphql: buildSchema(sdl), paths };
}

/** Problems of definitions that a page cannot describe. */
export function undescribed(set: readonly Plugin[]): readonly string[] {
  const missing = set.flatMap((plugin) =>
    [
      ...plugin.operations,
      ...plugin.views,
      ...plugin.queries,
      ...plugin.fields,
      ...plugin.routes,
      ...plugin.jobs,
      ...plugin.runs,
    ]
      .filter(({ summary }) => !isSentence(summary))
      .map(({ kind, name }) => `${plugin.name}: the ${kind} "${name}" needs a summary of one or more sentences.`),
  );
  const errors = set.flatMap((plugin) =>
    [...plugin.operations, ...plugin.views, ...plugin.routes].flatMap((part) =>
      errorsWithoutKind(part).map(
        (code) =>
          `${plugin.name}: the ${part.kind} "${part.name}" declares ${code} without a kind; use { kind, meaning }.`,
      ),
    ),
  );
  const settings = set.flatMap((plugin) =>
    Object.entries(propertiesOf(plugin.config?.schema))
      .filter(([, schema]) => !isSentence(descriptionOf(schema)))
      .map(([name]) => `${plugin.name}: the setting "${name}" needs a description.`),
  );
  return [...missing, ...errors, ...settings];
}

function isSentence(text: string | undefined): boolean {
  return text !== undefined && /^[A-Z‘“`'"0-9].*\.$/s.test(text);
}

export function descriptionOf(schema: object): string | undefined {
  return 'description' in schema && typeof schema.description === 'string' ? schema.description : undefined;
}

/** The fields of an object schema. */
export function propertiesOf(schema: object | undefined): Readonly<Record<string, object>> {
  if (schema === undefined || !('properties' in schema)) return {};
  return schema.properties as Readonly<Record<string, object>>; // Properties of a JSON Schema are schemas.
}

/** Definitions that state another version than their package. */
export function otherVersions(set: readonly Plugin[], packages: readonly Package[]): readonly string[] {
  return set.flatMap(({ name, version }) => {
    const owner = packages.find((each) => each.name === `@pacioli/${name === 'kernel' ? 'core' : name}`);
    if (owner === undefined || owner.version === version) return [];
    return [`${owner.folder}: the definition has the version ${version}, the package ${owner.version}.`];
  });
}
