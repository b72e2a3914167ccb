import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitFrontMatter } from './front-matter.ts';

const matterOf = (source: string) => splitFrontMatter(`---\n${source}\n---\nbody`);
const isContent = (content: string): boolean => splitFrontMatter(content).body === content;

describe('front matter', () => {
  it('gives title, tags and folder, and keeps the other keys (ai-surface D-20, D-21)', () => {
    const { frontMatter, body } = splitFrontMatter(
      '\n  ---\ntitle: Close policy\ntags: [close, "policy", 2026]\nfolder: a/b\nowner: {name: Ann, since: 2020-01-01}\n---\n# Body\n---\n',
    );
    expect(frontMatter).toEqual({
      title: 'Close policy',
      tags: ['close', 'policy', '2026'],
      folder: 'a/b',
      metadata: { owner: { name: 'Ann', since: '2020-01-01' } },
    });
    expect(body.trim()).toBe('# Body\n---');
    expect(matterOf('tags: close , policy,').frontMatter.tags).toEqual(['close', 'policy']);
    expect(splitFrontMatter('---\r\ntitle: A\r\n---\r\nbody').frontMatter.title).toBe('A');
  });

  it.each([
    ['no mapping', '---\n- a\n- b\n---\nbody'],
    ['a text', '---\nplain\n---\nbody'],
    ['invalid YAML', '---\na: [1\n---\nbody'],
    ['an anchor', '---\na: &x 1\n---\nbody'],
    ['an alias', '---\na: &x [1]\nb: *x\n---\nbody'],
    ['a merge of an alias', '---\na: &x {b: 1}\nc:\n  <<: *x\n---\nbody'],
    ['a repeated key', '---\na: 1\na: 2\n---\nbody'],
    ['an unknown tag', '---\na: !!js/function "x"\n---\nbody'],
    ['no end', '---\na: 1\nbody'],
    ['an end with more on its line', '---\na: 1\n--- \nbody'],
    ['text before it', 'x\n---\na: 1\n---\nbody'],
    ['nothing', '---\n---\nbody'],
  ])('is content with %s (ai-surface D-20)', (_what, content) => {
    expect(isContent(content)).toBe(true);
  });

  it('is content beyond 16 KiB, counted in bytes (ai-surface D-20)', () => {
    const source = (bytes: number) => `---\na: ${'x'.repeat(bytes - 4)}\n---\nbody`;
    expect(isContent(source(16 * 1024))).toBe(false);
    expect(isContent(source(16 * 1024 + 1))).toBe(true);
    expect(isContent(`---\na: ${'é'.repeat(8_192)}\n---\nbody`)).toBe(true);
  });

  it.each([
    ['lists in lists', `a: ${'['.repeat(8_000)}${']'.repeat(8_000)}`],
    ['mappings in mappings', '{a: '.repeat(4_000)],
    ['lists in blocks', '- '.repeat(8_000)],
    ['many keys', Array.from({ length: 2_500 }, (_key, at) => `k${at}: 1`).join('\n')],
    [
      'aliases of aliases',
      `a: &a [x,x]\n${Array.from({ length: 20 }, (_key, at) => `b${at}: &b${at} [*a,*a,*a]`).join('\n')}`,
    ],
  ])('is content when it is made to exhaust the parser by %s', (_what, source) => {
    expect(isContent(`---\n${source}\n---\nbody`)).toBe(true);
  });

  it('keeps keys that are names of JavaScript as data', () => {
    const { metadata } = matterOf('constructor: 1\n__proto__: {polluted: true}\n').frontMatter;
    expect(JSON.parse(JSON.stringify(metadata)).constructor).toBe(1);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('ignores values that no request could have (ai-surface D-21)', () => {
    const { frontMatter } = matterOf(`title: ${'x'.repeat(501)}\nfolder: [a]\ntags: {a: b}`);
    expect(frontMatter).toEqual({ metadata: {} });
    expect(matterOf(`title: ${'x'.repeat(500)}`).frontMatter.title).toHaveLength(500);
    expect(matterOf(`tags: [${words(51)}]`).frontMatter.tags).toBeUndefined();
    expect(matterOf(`tags: [${words(50)}]`).frontMatter.tags).toHaveLength(50);
  });

  it.each(['\\0', '\\uD800', '\\uDFFF', 'a\\uDC00\\uD800b'])(
    'ignores values and keys with %s, as JSON of a request does (ai-surface D-21)',
    (written) => {
      const bad = `"a${written}"`;
      const { frontMatter } = matterOf(
        `title: ${bad}\nfolder: ${bad}\ntags: [a, ${bad}]\n${bad}: 1\nother: ${bad}\n` +
          `deep: {list: [{name: ${bad}}]}\nkeys: [{${bad}: 1}]\nkept: "\\uD83D\\uDEA2"`,
      );
      expect(frontMatter).toEqual({ metadata: { kept: '\u{1F6A2}' } });
      expect(matterOf(`tags: ${bad}`).frontMatter.tags).toBeUndefined();
    },
  );

  it('gives each tag once (ai-surface D-21)', () => {
    expect(matterOf('tags: a, a,, b ,').frontMatter.tags).toEqual(['a', 'b']);
    expect(matterOf('tags: [1, "1", b]').frontMatter.tags).toEqual(['1', 'b']);
    expect(matterOf(`tags: [${words(50)}, t0]`).frontMatter.tags).toHaveLength(50);
  });

  it('takes any text without failing', () => {
    fc.assert(
      fc.property(fc.string(), (source) => {
        const content = `---\n${source}\n---\n`;
        expect(content.endsWith(splitFrontMatter(content).body)).toBe(true);
      }),
    );
  });
});

const words = (count: number): string => Array.from({ length: count }, (_word, at) => `t${at}`).join(', ');
