import { describe, expect, it } from 'vitest';
import { characterCount, markdownHeadings, sectionSlugs } from './markdown-headings.ts';

describe('markdownHeadings', () => {
  it.each(['\n', '\r\n'])(
    'gives the places of a heading and of the line below it, with line breaks %j',
    async (end) => {
      const text = ['Intro', '# One #', 'text', 'Two', '---', '### Three'].join(end);
      const headings = await markdownHeadings(text);
      expect(headings.map(({ level, title }) => [level, title])).toEqual([
        [1, 'One'],
        [2, 'Two'],
        [3, 'Three'],
      ]);
      expect(headings.map(({ start }) => text.slice(start, start + 3))).toEqual(['# O', 'Two', '###']);
      expect(headings.map(({ below }) => text.slice(below, below + 4))).toEqual(['text', '### ', '']);
    },
  );

  it('cuts the title of a heading to 500 characters, without a blank at its end (ai-surface D-25)', async () => {
    const ship = '\u{1F6A2}';
    const [long] = await markdownHeadings(`# ${ship.repeat(501)}`);
    expect(long?.title).toBe(ship.repeat(500));
    const [blank] = await markdownHeadings(`# ${'a'.repeat(499)} b`);
    expect(blank?.title).toBe('a'.repeat(499));
  });

  it.each([
    ['backticks before a line separator', `${'`'.repeat(250_000)}${'a'.repeat(249_998)}\u2028x`],
    ['number signs', '#'.repeat(500_000)],
    ['number signs and blanks', `# a${' #'.repeat(249_990)}`],
    ['equal signs', `a\n${'='.repeat(499_990)} x`],
    ['blanks', `# ${' '.repeat(499_990)}x`],
  ])('reads a long line of %s once, as the test would otherwise take minutes', async (_title, text) => {
    expect((await markdownHeadings(text)).length).toBeLessThan(2);
  });

  it('gives turns to other work while it reads a long text', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      pending = setImmediate(count);
    };
    let pending = setImmediate(count);
    await markdownHeadings('```\n'.repeat(250_000));
    clearImmediate(pending);
    expect(turns).toBeGreaterThan(0);
  });
});

describe('sectionSlugs', () => {
  it('gives long equal titles distinct ids of at most 500 characters (ai-surface D-25)', () => {
    const [one, two] = sectionSlugs(['z'.repeat(500), 'z'.repeat(500)]);
    expect([one, two]).toEqual(['z'.repeat(490), `${'z'.repeat(490)}-2`]);
  });
});

describe('characterCount', () => {
  it.each([
    ['', 0],
    ['ab', 2],
    ['\u{1F6A2}a\u{1F6A2}', 3],
    ['\ud83da', 2],
    ['\udea2\ud83d', 2],
    ['\ud83d\ud83d\udea2', 2],
  ])('counts a pair of surrogates as one: %j', (text, count) => {
    expect(characterCount(text)).toBe(count);
  });
});
