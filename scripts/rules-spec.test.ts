import { describe, expect, it } from 'vitest';
import { firstWords, readDocument } from './rules-spec.ts';

const text = `# Ships

Cite a rule as \`ships L-2\`.

## 1. Hulls

- **L-1 Length.** Each *hull* has a \`length\`
  in meters.
- **L-2** See L-1.
  - The bow is in front.

### 1.1 Masts

| Rule | When |
|---|---|
| **L-3** masts | not \\| never |
| L-4 | a sail |

1. **L-4a (order)** First the mast.

\`\`\`md
## 2. An example
- **L-9** No rule.
\`\`\`
`;

describe('readDocument', () => {
  it('finds rules in lists and tables, with continuation lines, but not in code', () => {
    expect(readDocument('ships', text).rules).toEqual([
      { id: 'L-1', text: 'Length. Each hull has a length in meters.' },
      { id: 'L-2', text: 'See L-1. - The bow is in front.' },
      { id: 'L-3', text: 'masts – not | never' },
      { id: 'L-4', text: 'a sail' },
      { id: 'L-4a', text: '(order) First the mast.' },
    ]);
  });

  it('finds the title and the numbered sections', () => {
    const { title, sections } = readDocument('ships', text);
    expect(title).toBe('Ships');
    expect(sections).toEqual([
      { number: '1', title: 'Hulls' },
      { number: '1.1', title: 'Masts' },
    ]);
  });

  it('rejects two rules with one id', () => {
    expect(() => readDocument('ships', '- **L-1** a\n- **L-1** b')).toThrow('docs/spec/ships.md defines L-1 twice.');
  });
});

describe('firstWords', () => {
  it('keeps a short text and truncates a long one between words', () => {
    expect(firstWords('one two', 7)).toBe('one two');
    expect(firstWords('one, two', 7)).toBe('one …');
  });
});
