import DataLoader from 'dataloader';
import type { SchemaComposer } from 'graphql-compose';
import type { ReadContext } from '../define/context.ts';
import type { Field } from '../define/field.ts';
import { canonicalJson } from '../schema/canonical.ts';
import { propertiesOf, withoutNull } from '../schema/names.ts';
import { addEnums, addObjects, argumentsOf, givenArguments, readProperty } from './objects.ts';
import type { RunningRequest } from './request.ts';
import { typeText } from './type-text.ts';

/** A field of a plugin with its services, ready to run. */
export interface MountedField {
  readonly field: Field;
  /** The neutral domain that the graph must have, if any. */
  readonly domain: string | undefined;
  use(): Readonly<Record<string, unknown>>;
}

/** The longest page of a query (platform E-24), so a batch serves all rows of a page. */
const maxParentsPerBatch = 1_000;

/** Adds the fields to types that the composer has; one may return a type that another one extends. */
export function addPluginFields(composer: SchemaComposer<RunningRequest>, fields: readonly MountedField[]): void {
  for (const { field } of fields) {
    addObjects(composer, field.returns);
    addEnums(composer, field.args);
  }
  for (const mounted of fields) {
    const { on, name, summary, args, returns } = mounted.field;
    composer.getOTC(on).addFields({
      [name]: {
        type: typeText(withoutNull(returns).schema),
        description: summary,
        args: argumentsOf(args),
        resolve: (parent: object, given: Readonly<Record<string, unknown>>, request: RunningRequest) =>
          resolveField(mounted, parent, given, request),
      },
    });
  }
}

async function resolveField(
  mounted: MountedField,
  parent: object,
  given: Readonly<Record<string, unknown>>,
  request: RunningRequest,
): Promise<unknown> {
  const { field, domain } = mounted;
  const { read } = request;
  // Unlike a query of the domain, the parent exists on graphs without it.
  if (read === undefined || (domain !== undefined && !read.graph.extensions.includes(domain))) return null;
  const args = givenArguments(field.args, given);
  const key = `${field.on}.${field.name} ${canonicalJson(args)}`;
  let batch = request.batches.get(key);
  if (batch === undefined) {
    batch = new DataLoader((parents) => resolveBatch(mounted, { parents, args, read, request }), {
      maxBatchSize: maxParentsPerBatch,
    });
    request.batches.set(key, batch);
  }
  return batch.load(parent);
}

interface Batch {
  readonly parents: readonly object[];
  readonly args: Readonly<Record<string, unknown>>;
  readonly read: ReadContext;
  readonly request: RunningRequest;
}

async function resolveBatch(mounted: MountedField, batch: Batch): Promise<readonly unknown[]> {
  const { field, use } = mounted;
  const { args, read, request } = batch;
  try {
    request.requireRole(field.role);
    const parents = await Promise.all(batch.parents.map((parent) => readParent(field, parent)));
    const values = await field.resolve({ parents, args, ctx: read, use: use() });
    if (values.length !== parents.length)
      throw new Error(
        `The field ${field.on}.${field.name} returned ${values.length} values for ${parents.length} parents. ` +
          'Return one value for each parent, in the order of the parents.',
      );
    return values;
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    request.batchErrors.add(failure);
    throw failure;
  }
}

/** The fields of the parent that the field reads, whether or not the request selects them. */
async function readParent({ parent: wanted }: Field, parent: object): Promise<Readonly<Record<string, unknown>>> {
  const entries = propertiesOf(wanted).map(async ([name]) => [name, await readProperty(parent, name)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
