import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesOf } from './index-entries.ts';
import { partsOf, sectionsOf } from './sections.ts';

const words = (count: number, word = 'w'): string => Array.from({ length: count }, () => word).join(' ');
const idsOf = async (body: string) => (await sectionsOf(body, 'Title')).map(({ sectionId }) => sectionId);

const document = {
  graphId: 'kg1',
  documentId: 'doc_1',
  tags: ['old'],
  folder: 'old',
  sourceType: 'uploaded_doc',
};

describe('sections', () => {
  it('joins short sections with their neighbors, as in the worked example (ai-surface D-28)', async () => {
    const content = `---\ntags: close, policy\n---\n# Close\n\n${words(7)}\n\n## Bank\n\n${words(59)}\n\n## Fixed assets\n\n${words(10)}\n`;
    const { entries } = await entriesOf({ ...document, title: 'Close policy', content });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      id: 'doc_kg1_doc_1_0',
      sectionId: 'bank',
      sectionLabel: 'Bank',
      documentTitle: 'Close policy',
      tags: ['close', 'policy'],
      folder: 'old',
      part: 1,
      partCount: 1,
      parentId: null,
    });
    expect(entries[0]?.content).toBe(
      `# Close\n\n${words(7)}\n\n## Bank\n\n${words(59)}\n\n## Fixed assets\n\n${words(10)}`,
    );
  });

  it('opens a section at each heading of any level (ai-surface D-25)', async () => {
    const body = `# A\n${words(20)}\n## B\n${words(20)}\n### A\n${words(20)}\n# ?\n${words(20)}\n`;
    expect(await idsOf(body)).toEqual(['a', 'b', 'a-2', 'section']);
    expect((await sectionsOf(body, 'Title')).map(({ text }) => text.split('\n')[0])).toEqual([
      '# A',
      '## B',
      '### A',
      '# ?',
    ]);
  });

  it('labels a section with the first 500 characters of its heading, and keeps the text (ai-surface D-25)', async () => {
    const body = `# ${'\u{1F6A2}'.repeat(499)}ab ${'c '.repeat(1_000)}`;
    const [section] = await sectionsOf(body, 'Title');
    expect(section).toMatchObject({ label: `${'\u{1F6A2}'.repeat(499)}a`, sectionId: 'a', text: body.trim() });
  });

  it('makes one section of a text without headings, and none of a blank one (ai-surface D-23)', async () => {
    expect(await sectionsOf(' Plain.\n', 'Title')).toEqual([
      { sectionId: 'full-document', label: 'Title', text: 'Plain.' },
    ]);
    expect(await sectionsOf('\n \n', 'Title')).toEqual([]);
  });

  it.each([
    [19, ['one']],
    [20, ['preamble', 'one']],
  ])(
    'makes a preamble of the text before the first heading from 20 words: %i words (ai-surface D-24)',
    async (count, ids) => {
      const sections = await sectionsOf(`${words(count)}\n\n# One\n${words(30)}`, 'Title');
      expect(sections.map(({ sectionId }) => sectionId)).toEqual(ids);
      expect(sections.map(({ text }) => text).join('\n\n')).toBe(`${words(count)}\n\n# One\n${words(30)}`);
    },
  );

  it.each([
    [18, ['a']],
    [19, ['a', 'b']],
  ])('keeps a section of 20 words with its heading: %i words below it (ai-surface D-26)', async (count, ids) => {
    expect(await idsOf(`# A\n${words(30)}\n# B\n${words(count)}`)).toEqual(ids);
  });

  it('joins short sections at the start until they are long enough, and keeps one if all are short', async () => {
    expect(await idsOf(`# A\nx\n# B\ny\n# C\n${words(30)}`)).toEqual(['c']);
    expect(await idsOf('# A\nx\n# B\ny')).toEqual(['b']);
  });

  it('counts signs of writings without spaces as words', async () => {
    expect(await idsOf(`# 会計\n${'決算方針を定める'.repeat(4)}\n# 資産\n${'固定資産の評価'.repeat(4)}`)).toEqual([
      'section',
      'section-2',
    ]);
  });

  it('keeps every word of arbitrary texts in their order, in sections of distinct ids', async () => {
    const line = fc.oneof(
      fc.constantFrom('# A', '## A', '### a-2', '```', '---', '', words(25), 'short', '# preamble'),
      fc.string({ maxLength: 60 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (lines) => {
        const body = lines.join('\n');
        const sections = await sectionsOf(body, 'T');
        expect(new Set(sections.map(({ sectionId }) => sectionId)).size).toBe(sections.length);
        const kept = sections.map(({ text }) => text).join('\n');
        expect(kept.split(/\s+/).filter(Boolean)).toEqual(body.split(/\s+/).filter(Boolean));
      }),
    );
  });

  it('has a bounded number of entries for ten thousand headings', async () => {
    const body = Array.from({ length: 10_000 }, (_h, at) => `# Heading\n${at}`).join('\n');
    const sections = await sectionsOf(body, 'T');
    expect(sections.length).toBeLessThanOrEqual(10_000);
    expect(sections.every(({ text }) => text !== '')).toBe(true);
  });

  it('joins a hundred thousand headings without words, and lets others run meanwhile', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      pending = setImmediate(count);
    };
    let pending = setImmediate(count);
    const sections = await sectionsOf('# !\n'.repeat(100_000), 'T');
    clearImmediate(pending);
    expect(sections).toHaveLength(1);
    expect(turns).toBeGreaterThan(2);
  });
});

describe('parts of long sections', () => {
  it.each([
    ['a paragraph', `${words(3_000)}\n\n${words(3_000)}`, 6_001],
    ['a sentence', `${words(3_000)}. ${words(3_000)}`, 6_001],
    ['a word', words(6_000), 8_000],
    ['a character', `${'x'.repeat(7_999)}😀${'x'.repeat(99)}`, 7_999],
  ])('are cut after %s (ai-surface D-27)', async (_what, text, length) => {
    const parts = await partsOf(text);
    expect(parts[0]?.length).toBe(length);
    expect(parts.join('')).toBe(text);
  });

  it('have at most 8,000 characters and together are the text, whatever it is', async () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom('\n\n', '. ', ' ', '😀', 'x'.repeat(5_000), ' '.repeat(9_000)));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const text = pieces.join('');
        const parts = await partsOf(text);
        expect(parts.join('')).toBe(text);
        expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(8_000);
        expect(
          parts.some(
            (part, at) => at > 0 && /^[\udc00-\udfff]/.test(part) && /[\ud800-\udbff]$/.test(parts[at - 1] ?? ''),
          ),
        ).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('are linked from each to the next and name the first (ai-surface D-27)', async () => {
    const content = `# Long\n\n${words(9_000)}\n\n# Next\n\n${words(30)}`;
    const { entries } = await entriesOf({ ...document, title: 'T', content });
    expect(entries.map(({ id, parentId, part, partCount, nextId }) => [id, parentId, part, partCount, nextId])).toEqual(
      [
        ['doc_kg1_doc_1_0', 'doc_kg1_doc_1_0', 1, 3, 'doc_kg1_doc_1_1'],
        ['doc_kg1_doc_1_1', 'doc_kg1_doc_1_0', 2, 3, 'doc_kg1_doc_1_2'],
        ['doc_kg1_doc_1_2', 'doc_kg1_doc_1_0', 3, 3, null],
        ['doc_kg1_doc_1_3', null, 1, 1, null],
      ],
    );
  });
});
