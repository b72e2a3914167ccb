// Goal: sections are found by the id that the search index gives their heading, and end where a reader expects them to.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentSections } from './document-sections.ts';

const slugsOf = async (body: string) => (await documentSections(body)).map(({ slug }) => slug);
const textOf = async (body: string, slug: string) =>
  (await documentSections(body)).find((each) => each.slug === slug)?.text;

describe('document-sections', () => {
  it('ends a section at the next heading of the same or a higher level (reporting T-2)', async () => {
    const body = '# Notes\n\nAll.\n\n## Leases\n\nOffice.\n\n### Terms\n\nFive years.\n\n## Debt\n\nNone.\n\n# Other\n';
    expect(await slugsOf(body)).toEqual(['notes', 'leases', 'terms', 'debt', 'other']);
    expect(await textOf(body, 'leases')).toBe('## Leases\n\nOffice.\n\n### Terms\n\nFive years.');
    expect(await textOf(body, 'debt')).toBe('## Debt\n\nNone.');
    expect(await textOf(body, 'notes')).toBe(body.slice(0, body.indexOf('\n\n# Other')));
    expect((await documentSections(body)).map(({ hasContent }) => hasContent)).toEqual([true, true, true, true, false]);
  });

  it('ends a section at the next heading of its level or above, also when levels are skipped (reporting T-2)', async () => {
    const body = '### A\na\n# B\nb\n### C\nc\n###### D\nd\n## E\ne\n# F\nf';
    const endsOf = async (slug: string) => (await textOf(body, slug))?.at(-1);
    const ends = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(endsOf));
    expect(ends.join('')).toBe('aeddef');
  });

  it.each([
    ['Basis of  Presentation', 'basis-of-presentation'],
    ['1.2 Cash & equivalents (net)', '12-cash-equivalents-net'],
    ['- Odd -- name -', 'odd-name'],
    ['Crédit', 'crdit'],
    ['表', 'section'],
    ['Closed ##', 'closed'],
  ])('names a section after its heading: %s is %s (ai-surface D-25)', async (title, slug) => {
    expect(await slugsOf(`# ${title}\n\nText.`)).toEqual([slug]);
  });

  it('gives repeated headings distinct ids, also when another heading has such an id as its title (ai-surface D-25)', async () => {
    expect(await slugsOf('# Debt\n# Debt 2\n# Debt\n# Debt\n')).toEqual(['debt', 'debt-2', 'debt-3', 'debt-4']);
  });

  it('ignores headings in code and recognizes underlined headings (ai-surface D-22)', async () => {
    const fenced = '# One\n\n```sh\n# no heading\n~~~\n```\n\n~~~~\n# none either\n~~~\n~~~~\n#none\n';
    expect(await slugsOf(fenced)).toEqual(['one']);
    const underlined = 'Policies\n========\n\nA.\n\nRevenue\n---\n\nB.\n\n| a |\n---\n\n- point\n---\n\nC.\n\n---\n';
    expect(await slugsOf(underlined)).toEqual(['policies', 'revenue']);
    expect(await textOf(underlined, 'revenue')).toMatch(/^Revenue\n---\n\nB\./);
  });

  it('names a document without headings and the text before the first heading (ai-surface D-23, D-24)', async () => {
    expect(await documentSections('  Plain text.\n')).toEqual([
      { slug: 'full-document', text: 'Plain text.', hasContent: true },
    ]);
    const long = Array.from({ length: 20 }, (_each, at) => `word${at}`).join(' ');
    expect(await slugsOf(`${long}\n\n# One\n\nText`)).toEqual(['preamble', 'one']);
    expect(await slugsOf('Short.\n\n# One\n\nText')).toEqual(['one']);
  });

  it('finds the same sections with CRLF line endings', async () => {
    const body = '# A\n\ntext\n\n## B\n\nmore\n';
    expect(await documentSections(body.replaceAll('\n', '\r\n'))).toEqual(await documentSections(body));
  });

  it('gives unique ids to sections that are all part of the text, for arbitrary input', async () => {
    const line = fc.oneof(
      fc.constantFrom('# A', '## A', '### a-2', '```', '---', '===', '', 'A', '# A 2'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
        const body = lines.join('\n').replaceAll('\r', '');
        const sections = await documentSections(body);
        expect(new Set(sections.map(({ slug }) => slug)).size).toBe(sections.length);
        for (const { text } of sections) expect(body).toContain(text);
      }),
    );
  });
});
