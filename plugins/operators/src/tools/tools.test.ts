import { describe, expect, it } from 'vitest';
import { externalLinks, receiptOf } from './index.ts';

describe('the links of an answer', () => {
  it('are listed if they lead to other hosts, in any form that a renderer follows (ai-surface PX-6)', () => {
    const content = [
      'See [the page](https://evil.example/?q=secret), and ![x](http://evil.example/a.png "t").',
      'Also //cdn.example/x, <https://other.example/>, www.bare.example/y.',
      'Own: https://books.example:8000/v1/reports. Again https://evil.example/?q=secret',
      '[same](//books.example:8000/x) and text//comment',
    ].join('\n');
    expect(externalLinks(content, 'https://books.example:8000')).toEqual([
      'https://evil.example/?q=secret',
      'http://evil.example/a.png',
      '//cdn.example/x',
      'https://other.example/',
      'www.bare.example/y',
    ]);
  });

  it('are listed up to the 50th (ai-surface PX-6, PX-11)', () => {
    const content = Array.from({ length: 60 }, (_, index) => `https://a.example/${index}`).join(' ');
    expect(externalLinks(content, 'http://127.0.0.1')).toHaveLength(50);
  });
});

describe('the receipt of a write', () => {
  it.each([
    [{ id: 'a', name: 'N', block_type: 'report' }, {}, { id: 'a', name: 'N', block_type: 'report' }],
    [{ operation_id: 'op_1', result: { agent_id: 'agt' } }, { name: 'Given' }, { id: 'agt', name: 'Given' }],
    [{ graph_id: 'kg', title: 'T' }, { block_type: 'schedule' }, { id: null, name: 'T', block_type: 'schedule' }],
    ['text', null, { id: null, name: null }],
  ])('has the id and the name of %j (ai-surface 7.5)', (result, input, expected) => {
    expect(receiptOf('create-x', input, result)).toEqual({ operation: 'create-x', ...expected });
  });
});
