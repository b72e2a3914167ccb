// Goal: elements, arcs and structures of a graph keep the rules of their vocabularies (taxonomy section 1).
// Method: a real service through HTTP and GraphQL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, arc, chart, extension, named, note, ontology } from './block-requests.ts';
import { type BlockService, type Loose, startBlocks, Workbench } from './blocks.ts';

let started: BlockService;
let bench: Workbench;
beforeAll(async () => {
  started = await startBlocks();
});
afterAll(() => started.service.close());

const opened = async (): Promise<Workbench> => {
  bench = await Workbench.open(started.user);
  return bench;
};

const credits = [
  'liability',
  'equity',
  'contraAsset',
  'revenue',
  'gain',
  'temporaryEquity',
  'investmentByOwners',
  'expenseReversal',
  'comprehensiveIncome',
];
const debits = ['asset', 'contraLiability', 'contraEquity', 'expense', 'loss', 'distributionToOwners', 'metric'];
const instants = ['asset', 'contraAsset', 'liability', 'contraLiability', 'equity', 'contraEquity', 'temporaryEquity'];

describe('elements of a taxonomy block', () => {
  it('gives an account the balance side and period type of its trait unless the request sets another (taxonomy T-7, T-8, T-10)', async () => {
    const books = await opened();
    const traits = [...credits, ...debits];
    const made = await books.done(
      'create-taxonomy-block',
      chart({ elements: traits.map((trait) => account(`x:${trait}`, { trait })) }),
    );
    const elements: Loose[] = made.elements;
    const having = (field: string, value: string) =>
      elements.filter((each) => each[field] === value).map(({ trait }) => trait);
    expect(new Set(having('balance_type', 'credit'))).toEqual(new Set(credits));
    expect(new Set(having('balance_type', 'debit'))).toEqual(new Set(debits));
    expect(new Set(having('period_type', 'instant'))).toEqual(new Set(instants));
  });

  it('counts elements as accounts only in a chart, not in an extension or a vocabulary (taxonomy T-6)', async () => {
    const books = await opened();
    await books.done('create-taxonomy-block', extension(started.gaapId, { elements: [account('acme:Fleet')] }));
    await books.done('create-taxonomy-block', ontology({ elements: [account('k:Churn')] }));
    const made = await books.done(
      'create-taxonomy-block',
      chart({
        elements: [account('x:1'), account('x:2', { element_type: 'abstract' }), account('x:3')],
        structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
      }),
    );
    await books.done('update-taxonomy-block', {
      taxonomy_id: made.id,
      elements_to_update: [{ qname: 'x:3', is_active: false }],
    });
    const { unmappedElements, mappingCoverage } = await books.read(
      `query ($id: String!) { unmappedElements(mappingId: $id) { name } mappingCoverage(mappingId: $id) { totalCoaElements } }`,
      { id: made.structures[0].id },
    );
    expect(unmappedElements.map(({ name }: Loose) => name)).toEqual(['x:1']);
    expect(mappingCoverage.totalCoaElements).toBe(1);
    const elsewhere = await opened();
    for (const [bench, id] of [
      [books, 'struct_none'],
      [elsewhere, made.structures[0].id],
    ] as const) {
      const { body } = await started.user.graphql(bench.graph, `{ unmappedElements(mappingId: "${id}") { name } }`);
      expect([body.data, body.errors[0].message]).toEqual([null, 'Mapping not found']);
    }
  });

  it('derives a missing qname from the code or name of the element (taxonomy T-25)', async () => {
    const books = await opened();
    const made = await books.done(
      'create-taxonomy-block',
      chart({
        elements: [
          { qname: '', code: '10 00', name: 'Cash', trait: 'asset' },
          { qname: '', name: 'Petty cash', trait: 'asset' },
        ],
      }),
    );
    expect(made.elements.map(({ qname }: Loose) => qname).sort()).toEqual(['coa:1000', 'coa:Pettycash']);
    const own = await books.done(
      'create-taxonomy-block',
      ontology({ standard: 'kpi', elements: [{ qname: '', name: 'Net churn' }] }),
    );
    expect(own.elements[0].qname).toBe('kpi:Netchurn');
  });

  it('keeps the traits of an element when other fields change (taxonomy T-12, T-32)', async () => {
    const books = await opened();
    const made = await books.done(
      'create-taxonomy-block',
      chart({ elements: [account('x:1', { trait: 'liability' }), account('x:2', { trait: 'expense' })] }),
    );
    const update = (elementsToUpdate: object[]) =>
      books.done('update-taxonomy-block', { taxonomy_id: made.id, elements_to_update: elementsToUpdate });
    const renamed = await update([{ qname: 'x:1', name: 'Loans' }]);
    expect(named(renamed.elements, 'x:1')).toMatchObject({ name: 'Loans', trait: 'liability' });
    await books.refuses(
      'update-taxonomy-block',
      { taxonomy_id: made.id, elements_to_update: [{ qname: 'x:1', trait: 'treasure' }] },
      ['unknown_trait'],
    );
  });
});

describe('arcs of a taxonomy block', () => {
  const three = [account('x:a'), account('x:b'), account('x:c')];

  it('accepts an arc once in a structure for each type (taxonomy T-14)', async () => {
    const books = await opened();
    const both = [arc('x:a', 'x:b'), arc('x:a', 'x:b', { association_type: 'calculation', weight: 1 })];
    const made = await books.done(
      'create-taxonomy-block',
      chart({ elements: three, structures: [note], associations: both }),
    );
    expect(made.association_count).toBe(2);
    const again = {
      taxonomy_id: made.id,
      associations_to_add: [{ ...arc('x:a', 'x:b'), structure_ref: made.structures[0].id }],
    };
    await books.refuses('update-taxonomy-block', again, ['duplicate_association']);
  });

  it.each(['definition', 'derivation', 'has-part'])(
    'rejects an arc of type %s in a request (taxonomy T-15)',
    async (type) => {
      const books = await opened();
      const before = await books.everything();
      const request = chart({
        elements: three,
        structures: [note],
        associations: [arc('x:a', 'x:b', { association_type: type })],
      });
      expect((await books.operation('create-taxonomy-block', request)).status).toBe(422);
      expect(await books.everything()).toEqual(before);
    },
  );

  it('returns arcs by order, then by the name of their end, in any order of the request (taxonomy T-16)', async () => {
    const books = await opened();
    const made = await books.done(
      'create-taxonomy-block',
      chart({
        elements: [account('x:root'), ...three],
        structures: [note],
        associations: [
          arc('x:root', 'x:c', { order_value: 1 }),
          arc('x:root', 'x:b', { order_value: 1 }),
          arc('x:root', 'x:a', { order_value: 2 }),
        ],
      }),
    );
    const ends = (associations: Loose[], field: string) => associations.map((each) => each[field]);
    expect(ends(made.associations, 'to_element_qname')).toEqual(['x:b', 'x:c', 'x:a']);
    const { taxonomyBlock } = await books.read(
      'query ($id: ID!) { taxonomyBlock(id: $id) { associations { toElementQname } } }',
      { id: made.id },
    );
    expect(ends(taxonomyBlock.associations, 'toElementQname')).toEqual(['x:b', 'x:c', 'x:a']);
  });

  it('counts an arc without a weight in full (taxonomy T-17)', async () => {
    const books = await opened();
    const sum = (to: string, more: object = {}) => arc('x:a', to, { association_type: 'calculation', ...more });
    const made = await books.done(
      'create-taxonomy-block',
      extension(started.gaapId, {
        elements: ['x:a', 'x:b', 'x:c'].map((qname) => account(qname, { balance_type: 'debit' })),
        structures: [{ ...note, concept_arrangement: 'roll_up' }],
        associations: [sum('x:b', { order_value: 1 }), sum('x:c', { order_value: 2, weight: 1 })],
      }),
    );
    const footing = made.rules.find(({ rule_pattern }: Loose) => rule_pattern === 'RollUp');
    expect(footing.rule_expression).toBe('$a = ($b + $c)');
  });
});

describe('structures of a taxonomy block', () => {
  it('keeps the type and role of a structure, and the fields that an update omits (taxonomy T-21, T-22)', async () => {
    const books = await opened();
    const made = await books.done(
      'create-taxonomy-block',
      chart({ structures: [{ ...note, description: 'A note', role_uri: 'https://example.com/role/note' }] }),
    );
    const [{ id }] = made.structures;
    const changed = await books.done('update-taxonomy-block', {
      taxonomy_id: made.id,
      structures_to_update: [{ structure_id: id, name: 'Renamed', block_type: 'chart_of_accounts' }],
    });
    expect(changed.structures).toEqual([
      {
        id,
        name: 'Renamed',
        block_type: 'custom',
        description: 'A note',
        role_uri: 'https://example.com/role/note',
      },
    ]);
  });
});
