import { describe, expect, it } from 'vitest';
import { escapeMarkup } from './markup.ts';

describe('escapeMarkup', () => {
  it('leaves no character that could end a text or a quoted attribute (investor R-27)', () => {
    expect(escapeMarkup(`<b title="a" id='b'>&amp;`)).toBe('&lt;b title=&quot;a&quot; id=&#39;b&#39;&gt;&amp;amp;');
  });

  it('changes nothing else (investor R-27)', () => {
    expect(escapeMarkup('Müller = 5 % / `x` \\ 😀\n')).toBe('Müller = 5 % / `x` \\ 😀\n');
  });
});
