import { describe, expect, it } from 'vitest';
import { checkDefinition } from './check-definition.ts';
import { parseColumnType } from './column-type.ts';

const base = { nodes: [], relationships: [] };
const key = { name: 'imo', type: 'STRING', is_primary_key: true };
const vessel = { name: 'Vessel', properties: [key, { name: 'name', type: 'string', is_required: true }] };
const berth = {
  name: 'Berth',
  properties: [
    { ...key, name: 'code' },
    { name: 'depth_m', type: 'double' },
  ],
};
const calls = {
  name: 'VESSEL_CALLS_AT_BERTH',
  from_node: 'Vessel',
  to_node: 'Berth',
  properties: [{ name: 'arrived', type: 'DATE' }],
};
const harbour = { name: 'harbour', nodes: [vessel, berth], relationships: [calls] };

const problemsOf = (definition: unknown): string[] =>
  checkDefinition(definition, base).problems.map(({ pointer, message }) => `${pointer}: ${message}`);
const vesselWith = (changes: object): object => ({ name: 'x', nodes: [{ ...vessel, ...changes }] });
const vesselOf = (...properties: object[]): object => vesselWith({ properties: [key, ...properties] });

describe('a schema definition', () => {
  it('has one type for each property name of nodes, and of relationships (graphs CS-6a)', () => {
    const priced = (type: string) => ({ name: 'price', type });
    const definition = (other: object, ofCalls: readonly object[] = []) => ({
      ...harbour,
      nodes: [
        { ...vessel, properties: [key, priced('DECIMAL(18,2)')] },
        { ...berth, properties: [...berth.properties, other] },
      ],
      relationships: [{ ...calls, properties: ofCalls }],
    });
    expect(problemsOf(definition(priced('decimal(18, 2)')))).toEqual([]);
    expect(problemsOf(definition({ name: 'cost', type: 'DOUBLE' }, [priced('DOUBLE')]))).toEqual([]);
    for (const [type, shown] of [
      ['DECIMAL(18,4)', 'DECIMAL(18, 4)'],
      ['DOUBLE', 'DOUBLE'],
      ['STRING', 'STRING'],
    ] as const) {
      expect(problemsOf(definition(priced(type)))).toEqual([
        `: Property 'price' is DECIMAL(18, 2) in 'Vessel' and ${shown} in 'Berth': use one type or two names`,
      ]);
    }
    const paid = { ...calls, name: 'VESSEL_PAYS_BERTH', properties: [priced('INT64')] };
    expect(problemsOf({ ...harbour, relationships: [{ ...calls, properties: [priced('INT8')] }, paid] })).toEqual([
      expect.stringContaining("Property 'price' is INT8 in"),
    ]);
  });

  it('has one type for a property of a base type too (graphs CS-4, CS-6a)', () => {
    const columns = ['identifier', 'name'].map((name) => ({ name, type: 'STRING' }));
    const entity = { kind: 'node', name: 'Entity', key: 'identifier', extension: 'base', columns } as const;
    const definition = { ...vesselOf({ name: 'name', type: 'INT64' }), extends: 'base' };
    const { problems } = checkDefinition(definition, { nodes: [entity], relationships: [] });
    expect(problems.map(({ message }) => message)).toEqual([
      "Property 'name' is STRING in 'Entity' and INT64 in 'Vessel': use one type or two names",
    ]);
  });

  it.each([
    ['DECIMAL(18,2)[]', 'A DECIMAL within another type'],
    ['MAP(STRING, DECIMAL(10,2))', 'A DECIMAL within another type'],
    ['INT128[]', 'An INT128 within another type loses digits'],
    ['INT128[2]', 'An INT128 within another type loses digits'],
    ['MAP(INT128, STRING)', 'An INT128 within another type loses digits'],
    ['MAP(STRING, INT128)', 'An INT128 within another type loses digits'],
    ['STRUCT(city STRING, zip STRING)', 'fields of a record that are empty'],
    ['STRUCT(a INT64)[]', 'fields of a record that are empty'],
  ])('has no %s, whose values the engine does not keep (graphs CS-1)', (type, reason) => {
    expect(problemsOf(vesselOf({ name: 'fees', type }))).toEqual([expect.stringContaining(reason)]);
  });

  it('gives the types with their keys, in declared order (graphs CS-1, CS-6)', () => {
    const { schema, warnings, stats } = checkDefinition(harbour, base);
    expect(schema).toMatchObject({
      nodes: [
        {
          name: 'Vessel',
          key: 'imo',
          columns: [
            { name: 'imo', type: 'STRING' },
            { name: 'name', type: 'STRING', isRequired: true },
          ],
        },
        { name: 'Berth', key: 'code', columns: [{ name: 'code' }, { name: 'depth_m', type: 'DOUBLE' }] },
      ],
      relationships: [
        {
          from: 'Vessel',
          to: 'Berth',
          columns: [{ name: 'from', type: 'STRING' }, { name: 'to' }, { name: 'arrived', type: 'DATE' }],
        },
      ],
    });
    expect(warnings).toEqual([]);
    expect(stats).toEqual({ nodes: 2, relationships: 1, total_properties: 5, primary_keys: 2 });
  });

  it.each<[string, unknown, string]>([
    ['no object', [], 'Schema must be a dictionary'],
    ['no name', { nodes: [] }, "/name: Schema must have a 'name' field"],
    ['nodes that are no list', { name: 'x', nodes: {} }, "'nodes' must be a list"],
    [
      'a node without properties',
      { name: 'x', nodes: [{ name: 'Vessel' }] },
      "Node 'Vessel' must have 'properties' field",
    ],
    ['a node without a key', vesselWith({ properties: [] }), 'must have at least one primary key'],
    ['two keys', vesselOf({ ...key, name: 'other' }), 'exactly one primary key'],
    [
      'a key of a type that cannot be one',
      vesselWith({ properties: [{ ...key, type: 'DOUBLE' }] }),
      'primary key type',
    ],
    [
      'an unknown type',
      vesselOf({ name: 'a', type: 'TEXT' }),
      "/nodes/0/properties/1/type: Invalid type 'TEXT' for property 'a'",
    ],
    ['a property without a type', vesselOf({ name: 'a' }), "must have 'name' and 'type' fields"],
    [
      'nodes that differ in case only',
      { name: 'x', nodes: [vessel, { ...vessel, name: 'VESSEL' }] },
      'Duplicate node names',
    ],
    ['properties that differ in case only', vesselOf({ name: 'IMO', type: 'STRING' }), 'Duplicate property names'],
    [
      'an unknown end',
      { ...harbour, relationships: [{ ...calls, to_node: 'Pier' }] },
      "references unknown to_node 'Pier'",
    ],
    ['any node as an end', { ...harbour, relationships: [{ ...calls, from_node: '*' }] }, "'*' cannot be stored"],
    ['a reserved node', vesselWith({ name: 'auditlog' }), 'is reserved for system use'],
    [
      'a reserved relationship',
      { ...harbour, relationships: [{ ...calls, name: 'SYSTEM_OWNS' }] },
      'is reserved for system use',
    ],
    ['a reserved column', vesselOf({ name: 'FROM', type: 'STRING' }), 'reserved column'],
    ['a column that begins with _', vesselOf({ name: '_id', type: 'STRING' }), 'reserved column'],
    ['an identifier with a quote', vesselOf({ name: 'a`b', type: 'STRING' }), 'invalid identifier'],
    ['another base', { ...harbour, extends: 'core' }, "/extends: Must be null or 'base'"],
    [
      'too many nodes',
      { name: 'x', nodes: Array.from({ length: 201 }, (_, n) => ({ ...vessel, name: `N${n}` })) },
      'at most 200 nodes',
    ],
    ['too long', { ...harbour, metadata: { text: 'x'.repeat(300_000) } }, 'bytes of JSON'],
  ])('is refused with %s (graphs CS-2, CS-3, CS-10)', (_name, definition, message) => {
    expect(problemsOf(definition).join('\n')).toContain(message);
    expect(checkDefinition(definition, base).schema).toBeUndefined();
  });

  it('lists all problems at once', () => {
    const wrong = {
      nodes: [{ name: 'Vessel', properties: [{ name: '_a', type: 'NODE' }] }],
      relationships: [{ ...calls }],
    };
    expect(problemsOf(wrong).length).toBeGreaterThanOrEqual(5);
  });

  it('may use the base types and not redefine them (graphs CS-4)', () => {
    const entity = {
      kind: 'node',
      name: 'Entity',
      key: 'identifier',
      extension: 'base',
      columns: [{ name: 'identifier', type: 'STRING' }],
    } as const;
    const withBase = { nodes: [entity], relationships: [] };
    const owned = { ...harbour, extends: 'base', relationships: [{ ...calls, from_node: 'Entity' }] };
    expect(checkDefinition(owned, withBase).schema?.nodes.map(({ name }) => name)).toEqual([
      'Entity',
      'Vessel',
      'Berth',
    ]);
    const clash = { ...harbour, extends: 'base', nodes: [{ ...vessel, name: 'Entity' }, berth] };
    expect(checkDefinition(clash, withBase).problems[0]?.message).toContain('the base type Entity');
    expect(checkDefinition(owned, base).problems[0]?.message).toContain("unknown from_node 'Entity'");
  });

  it('warns of names outside the convention, isolated nodes and no nodes (graphs CS-5, CS-7)', () => {
    const odd = {
      ...harbour,
      nodes: [vessel, berth, { ...berth, name: 'Crane' }],
      relationships: [{ ...calls, name: 'Calls' }],
    };
    const { warnings, problems } = checkDefinition(odd, base);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining('will not be recognized by naming convention'),
      expect.stringContaining("'Crane' is isolated"),
    ]);
    expect(checkDefinition({ name: 'x' }, base).warnings).toEqual(['The schema has no nodes']);
  });
});

describe('the type of a property (graphs CS-1)', () => {
  it.each([
    ['string', 'STRING'],
    ['Bool', 'BOOLEAN'],
    [' DECIMAL ( 18 ,2 ) ', 'DECIMAL(18, 2)'],
    ['STRING[][3]', 'STRING[][3]'],
    ['map(string,int64[])', 'MAP(STRING, INT64[])'],
    ['STRUCT(city STRING, at STRUCT(x DOUBLE, y DOUBLE)[])', 'STRUCT(city STRING, at STRUCT(x DOUBLE, y DOUBLE)[])'],
    ['UNION(n INT64, t STRING)', 'UNION(n INT64, t STRING)'],
  ])('%s is %s', (text, type) => {
    expect(parseColumnType(text)).toEqual({ ok: true, type });
  });

  it.each([
    ['LIST', 'give the element type, e.g. STRING[]'],
    ['MAP', 'give the element type, e.g. MAP(STRING, INT64)'],
    ['NODE', 'cannot be a node'],
    ['DECIMAL', 'Write DECIMAL(18,2)'],
    ['DECIMAL(39,2)', 'at most 38 digits'],
    ['DECIMAL(4,5)', 'no more after the point'],
    ['STRUCT(a INT64, A STRING)', 'a name of its own'],
    ['STRING; DROP TABLE x', 'Unexpected'],
    ['STRING[0]', 'An array has'],
    [`${'STRUCT(a '.repeat(9)}STRING${')'.repeat(9)}`, 'at most 8 levels'],
    ['', 'Known types'],
  ])('%s is refused', (text, reason) => {
    const parsed = parseColumnType(text);
    expect(parsed.ok ? parsed.type : parsed.reason).toContain(reason);
  });

  it('refuses types that the graph engine cannot store (graphs CS-1)', () => {
    const typed = (type: string) => ({
      ...harbour,
      nodes: [
        {
          name: 'Vessel',
          properties: [
            { name: 'imo', type: 'STRING', is_primary_key: true },
            { name: 'x', type },
          ],
        },
      ],
      relationships: [],
    });
    const problemsOf = (type: string) => checkDefinition(typed(type), base, { types: 'base' }).problems;
    for (const type of ['STRING', 'INT8', 'UINT32', 'INT64', 'DOUBLE', 'BOOL', 'DATE', 'TIMESTAMP'])
      expect(problemsOf(type)).toEqual([]);
    for (const type of [
      'DECIMAL(9,2)',
      'UINT64',
      'INT128',
      'UUID',
      'BLOB',
      'INTERVAL',
      'STRING[]',
      'MAP(STRING, INT64)',
    ])
      expect(problemsOf(type)).toMatchObject([{ pointer: '/nodes/0/properties/1/type' }]);
  });
});
