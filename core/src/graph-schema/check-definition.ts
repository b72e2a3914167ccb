import type {
  AnalyticalColumn,
  AnalyticalNode,
  AnalyticalRelationship,
  AnalyticalSchema,
} from '../store/analytical.ts';
import type { GraphCapabilities } from '../store/graph-store.ts';
import type { CheckedDefinition, SchemaProblem } from './checked-definition.ts';
import { baseTypesHint, isBaseType, parseColumnType } from './column-type.ts';
import {
  identifierForm,
  keyTypes,
  maxBytes,
  maxNameCharacters,
  maxNodes,
  maxProperties,
  maxRelationships,
  reservedColumns,
  reservedNodes,
  reservedRelationships,
} from './definition-limits.ts';
import { propertyConflicts } from './property-conflicts.ts';
import { reasonNotStored } from './stored-types.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface CheckOptions {
  /** The names of the types that may use what is reserved for us, and may conflict with each other; `all` of ours. */
  readonly own?: 'all' | ReadonlySet<string>;
  /** The types that the engine can store. */
  readonly types?: GraphCapabilities['types'];
}

/** Checks the definition of a generic graph’s schema and lists all its problems (graphs CS-1 to CS-7). */
export function checkDefinition(
  definition: unknown,
  base: AnalyticalSchema,
  { own = new Set(), types = 'all' }: CheckOptions = {},
): CheckedDefinition {
  const isOwn = (name: string): boolean => own === 'all' || own.has(name);
  return new DefinitionCheck(base, isOwn, types).run(definition);
}

class DefinitionCheck {
  readonly #base: AnalyticalSchema;
  readonly #isOwn: (name: string) => boolean;
  readonly #types: GraphCapabilities['types'];
  readonly #problems: SchemaProblem[] = [];
  readonly #warnings: string[] = [];
  readonly #nodes: AnalyticalNode[] = [];
  readonly #relationships: AnalyticalRelationship[] = [];
  /** Names of node and relationship types in lower case: the engine does not tell them apart by case or kind. */
  readonly #names = new Map<string, string>();

  constructor(base: AnalyticalSchema, isOwn: (name: string) => boolean, types: GraphCapabilities['types']) {
    this.#base = base;
    this.#isOwn = isOwn;
    this.#types = types;
  }

  run(definition: unknown): CheckedDefinition {
    if (!isObject(definition)) {
      this.#refuse('', 'Schema must be a dictionary: an object with name, nodes and relationships');
      return this.#result(undefined);
    }
    const base = this.#header(definition);
    const nodes = this.#list(definition, 'nodes', maxNodes);
    const relationships = this.#list(definition, 'relationships', maxRelationships);
    for (const [index, node] of nodes.entries()) this.#node(node, `/nodes/${index}`);
    const ends = new Map([...base.nodes, ...this.#nodes].map((node) => [node.name, node]));
    for (const [index, each] of relationships.entries()) this.#relationship(each, `/relationships/${index}`, ends);
    this.#refuseConflicts(base);
    this.#warnOfShape(nodes.length);
    return this.#result(base);
  }

  #refuseConflicts(base: AnalyticalSchema): void {
    const isOwn = ({ name }: { readonly name: string }): boolean => this.#isOwn(name);
    const ofNodes = propertyConflicts([...base.nodes, ...this.#nodes], isOwn);
    const ofRelationships = propertyConflicts([...base.relationships, ...this.#relationships], isOwn);
    for (const conflict of [...ofNodes, ...ofRelationships]) this.#refuse('', conflict);
  }

  #header(definition: Fields): AnalyticalSchema {
    const empty: AnalyticalSchema = { nodes: [], relationships: [] };
    const { name, version, extends: extended } = definition;
    if (typeof name !== 'string' || name.trim() === '') this.#refuse('/name', "Schema must have a 'name' field");
    for (const field of ['name', 'version']) {
      const value = definition[field];
      if (typeof value === 'string' && value.length > maxNameCharacters)
        this.#refuse(`/${field}`, `Must have at most ${maxNameCharacters} characters`);
    }
    if (version !== undefined && typeof version !== 'string') this.#refuse('/version', 'Must be text such as 1.0.0');
    if (Buffer.byteLength(JSON.stringify(definition)) > maxBytes)
      this.#refuse('', `A schema has at most ${maxBytes} bytes of JSON`);
    if (extended === undefined || extended === null) return empty;
    if (extended !== 'base') {
      this.#refuse('/extends', "Must be null or 'base'");
      return empty;
    }
    for (const table of [...this.#base.nodes, ...this.#base.relationships])
      this.#names.set(table.name.toLowerCase(), `the base type ${table.name}`);
    return this.#base;
  }

  #list(definition: Fields, field: 'nodes' | 'relationships', max: number): readonly unknown[] {
    const value = definition[field] ?? [];
    if (!Array.isArray(value)) {
      this.#refuse(`/${field}`, `'${field}' must be a list`);
      return [];
    }
    if (value.length > max) this.#refuse(`/${field}`, `A schema has at most ${max} ${field}`);
    return value.slice(0, max);
  }

  #node(node: unknown, pointer: string): void {
    const name = this.#typeName(node, pointer, { kind: 'node', reserved: reservedNodes });
    if (name === undefined || !isObject(node)) return;
    if (!Array.isArray(node['properties'])) {
      this.#refuse(`${pointer}/properties`, `Node '${name}' must have 'properties' field, a list`);
      return;
    }
    const columns = this.#columns(node['properties'], `${pointer}/properties`, name);
    const keys = node['properties'].filter((property) => isObject(property) && property['is_primary_key'] === true);
    if (keys.length === 0)
      this.#refuse(pointer, `Node '${name}' must have at least one primary key: set is_primary_key`);
    if (keys.length > 1)
      this.#refuse(pointer, `Node '${name}' has ${keys.length} primary keys; it needs exactly one primary key`);
    const key = columns.find((column) => column.name === (keys[0] as Fields | undefined)?.['name']); // Filtered above.
    if (key === undefined) return;
    if (!keyTypes.includes(key.type))
      this.#refuse(pointer, `The primary key type of '${name}' must be one of ${keyTypes.join(', ')}, not ${key.type}`);
    const required = columns.map((column) => (column === key ? { ...column, isRequired: true } : column));
    this.#nodes.push({ kind: 'node', name, key: key.name, extension: 'custom', columns: required, ...summaryOf(node) });
  }

  #relationship(given: unknown, pointer: string, ends: ReadonlyMap<string, AnalyticalNode>): void {
    const name = this.#typeName(given, pointer, { kind: 'relationship', reserved: reservedRelationships });
    if (name === undefined || !isObject(given)) return;
    if (given['connections'] !== undefined)
      this.#refuse(
        `${pointer}/connections`,
        `Declare one relationship type for each pair of nodes; '${name}' has connections`,
      );
    const from = this.#end(given, 'from_node', { pointer, name, ends });
    const to = this.#end(given, 'to_node', { pointer, name, ends });
    const properties = given['properties'] ?? [];
    if (!Array.isArray(properties)) {
      this.#refuse(`${pointer}/properties`, `The properties of '${name}' must be a list`);
      return;
    }
    const columns = this.#columns(properties, `${pointer}/properties`, name);
    if (!/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name))
      this.#warnings.push(
        `Relationship '${name}' will not be recognized by naming convention: use UPPER_SNAKE with an underscore`,
      );
    if (from === undefined || to === undefined) return;
    const keys = [
      { name: 'from', type: keyTypeOf(from), isRequired: true },
      { name: 'to', type: keyTypeOf(to), isRequired: true },
    ];
    this.#relationships.push({
      kind: 'relationship',
      name,
      extension: 'custom',
      from: from.name,
      to: to.name,
      columns: [...keys, ...columns],
      ...summaryOf(given),
    });
  }

  #end(
    given: Fields,
    field: 'from_node' | 'to_node',
    at: { readonly pointer: string; readonly name: string; readonly ends: ReadonlyMap<string, AnalyticalNode> },
  ): AnalyticalNode | undefined {
    const node = given[field];
    const found = typeof node === 'string' ? at.ends.get(node) : undefined;
    if (found !== undefined) return found;
    const message =
      node === '*'
        ? `Relationship '${at.name}': a ${field} is one declared node; '*' cannot be stored`
        : `Relationship '${at.name}' references unknown ${field} '${shown(node)}'`;
    this.#refuse(`${at.pointer}/${field}`, message);
    return undefined;
  }

  #typeName(
    given: unknown,
    pointer: string,
    { kind, reserved }: { readonly kind: 'node' | 'relationship'; readonly reserved: readonly string[] },
  ): string | undefined {
    const name = isObject(given) ? given['name'] : undefined;
    if (typeof name !== 'string') {
      this.#refuse(pointer, `A ${kind} must have a 'name' field`);
      return undefined;
    }
    if (!identifierForm.test(name)) {
      this.#refuse(
        `${pointer}/name`,
        `invalid identifier '${shown(name)}': letters, digits and _, at most 64, a letter first`,
      );
      return undefined;
    }
    if (!this.#isOwn(name) && reserved.some((word) => word.toLowerCase() === name.toLowerCase()))
      this.#refuse(`${pointer}/name`, `'${name}' is reserved for system use`);
    const other = this.#names.get(name.toLowerCase());
    if (other !== undefined) this.#refuse(`${pointer}/name`, `Duplicate ${kind} names: '${name}' and ${other}`);
    this.#names.set(name.toLowerCase(), `the ${kind} ${name}`);
    return name;
  }

  #columns(properties: readonly unknown[], pointer: string, owner: string): AnalyticalColumn[] {
    if (properties.length > maxProperties)
      this.#refuse(pointer, `'${owner}' has more than ${maxProperties} properties`);
    const names = new Set<string>();
    return properties.slice(0, maxProperties).flatMap((property, index) => {
      const column = this.#column(property, `${pointer}/${index}`, owner);
      if (column === undefined) return [];
      if (names.has(column.name.toLowerCase()))
        this.#refuse(`${pointer}/${index}/name`, `Duplicate property names: '${column.name}' in '${owner}'`);
      names.add(column.name.toLowerCase());
      return [column];
    });
  }

  #column(property: unknown, pointer: string, owner: string): AnalyticalColumn | undefined {
    if (!isObject(property) || typeof property['name'] !== 'string' || typeof property['type'] !== 'string') {
      this.#refuse(pointer, `A property of '${owner}' must have 'name' and 'type' fields`);
      return undefined;
    }
    const { name, type } = property as { name: string; type: string }; // Checked above.
    if (!identifierForm.test(name) && !name.startsWith('_'))
      this.#refuse(`${pointer}/name`, `invalid identifier '${shown(name)}' for a property of '${owner}'`);
    if (reservedColumns.includes(name.toLowerCase()) || name.startsWith('_'))
      this.#refuse(`${pointer}/name`, `'${shown(name)}' is a reserved column: choose another name`);
    const parsed = parseColumnType(type);
    if (!parsed.ok)
      this.#refuse(`${pointer}/type`, `Invalid type '${shown(type)}' for property '${shown(name)}'. ${parsed.reason}`);
    else if (this.#types === 'base' && !isBaseType(parsed.type))
      this.#refuse(`${pointer}/type`, `The graph engine cannot store the type of '${shown(name)}'. ${baseTypesHint}`);
    else if (!this.#isOwn(owner)) {
      const reason = reasonNotStored(parsed.type);
      if (reason !== undefined)
        this.#refuse(`${pointer}/type`, `Property '${shown(name)}' has the type ${shown(parsed.type)}. ${reason}`);
    }
    const isRequired = property['nullable'] === false || property['is_required'] === true;
    const { description } = property;
    return {
      name,
      type: parsed.ok ? parsed.type : 'STRING',
      ...(isRequired ? { isRequired } : {}),
      ...(typeof description === 'string' ? { description } : {}),
    };
  }

  #warnOfShape(given: number): void {
    if (given === 0) this.#warnings.push('The schema has no nodes');
    if (this.#relationships.length === 0) return;
    const linked = new Set(this.#relationships.flatMap(({ from, to }) => [from, to]));
    for (const { name } of this.#nodes)
      if (!linked.has(name)) this.#warnings.push(`Node '${name}' is isolated: no relationship has it as an end`);
  }

  #refuse(pointer: string, message: string): void {
    this.#problems.push({ pointer, message });
  }

  #result(base: AnalyticalSchema | undefined): CheckedDefinition {
    const own = [...this.#nodes, ...this.#relationships];
    const keys = this.#relationships.length * 2; // `from` and `to` are not properties.
    const schema =
      base === undefined || this.#problems.length > 0
        ? undefined
        : {
            nodes: [...base.nodes, ...this.#nodes],
            relationships: [...base.relationships, ...this.#relationships],
          };
    return {
      problems: this.#problems,
      warnings: this.#warnings,
      stats: {
        nodes: this.#nodes.length,
        relationships: this.#relationships.length,
        total_properties: own.reduce((sum, { columns }) => sum + columns.length, 0) - keys,
        primary_keys: this.#nodes.length,
      },
      schema,
    };
  }
}

const keyTypeOf = (node: AnalyticalNode): string =>
  node.columns.find(({ name }) => name === node.key)?.type ?? 'STRING'; // A node has its key among its columns.

function summaryOf(given: Fields): { readonly summary?: string } {
  return typeof given['description'] === 'string' ? { summary: given['description'] } : {};
}

const shown = (value: unknown): string => String(value).slice(0, 100);
