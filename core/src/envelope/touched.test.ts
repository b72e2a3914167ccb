import { describe, expect, it } from 'vitest';
import { touchedIds } from './touched.ts';

describe('touchedIds', () => {
  it('collects the ids of a result, and none of other systems or of what the caller sent in metadata and provenance (platform N-31)', () => {
    const result = {
      id: 'evt_1',
      agent_id: 'agt_1',
      external_id: 'INV-1',
      metadata: { line_items: [{ element_id: 'elem_1' }] },
      provenance: { document_id: 'doc_1' },
      entries: [{ id: 'je_1', memo: 'text' }],
    };
    expect(touchedIds(result)).toEqual({ id: ['evt_1', 'je_1'], agent_id: ['agt_1'] });
  });

  it('collects at most 50 ids (platform N-31)', () => {
    const entries = Array.from({ length: 60 }, (_, index) => ({ id: `je_${index}` }));
    expect(touchedIds({ entries })['id']).toHaveLength(50);
  });
});
