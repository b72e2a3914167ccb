import { describe, expect, it } from 'vitest';
import { isServiceError } from '../errors/service-error.ts';
import { isGraphId, isInKeyScope, memberGraphId, newGraphId, repositoryOf, requireGraphId } from './graph-id.ts';

describe('graph ids', () => {
  it('name a graph, a subgraph or the library (platform, grammar; graphs G-1)', () => {
    const right = ['kg0123456789abcdef', 'kg0123456789abcdef0123', 'kg0123456789abcdef0123_dev', 'library'];
    const wrong = [
      '',
      'kg0123456789abcde',
      'KG0123456789abcdef',
      'kg0123456789abcdeg',
      'kg0123456789abcdef_',
      `kg0123456789abcdef_${'a'.repeat(21)}`,
      'kg0123456789abcdef_a_b',
      'kg0123456789abcdef-wip',
      'library_dev',
      'kg0123456789abcdef\n',
      `kg${'a'.repeat(200)}`,
    ];
    expect(right.map(isGraphId)).toEqual(right.map(() => true));
    expect(wrong.map(isGraphId)).toEqual(wrong.map(() => false));
  });

  it('of shared repositories are recognized in any letter case, with their subgraphs (graphs G-1, G-2)', () => {
    const registered = new Set(['fred']);
    expect(['sec', 'SEC', 'sec_dev', 'fred'].map((id) => repositoryOf(id, registered))).toEqual([
      'sec',
      'sec',
      'sec',
      'fred',
    ]);
    for (const id of ['kg0123456789abcdef', 'library', 'second', 'sec_', 'sec_a_b', `sec_${'a'.repeat(21)}`, '']) {
      expect(repositoryOf(id, registered), id).toBeUndefined();
    }
  });

  it('are refused with 422 and the path location when malformed', () => {
    const thrown = (() => {
      try {
        requireGraphId('nope');
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(isServiceError(thrown) && [thrown.kind, thrown.issues?.[0]?.loc, thrown.issues?.[0]?.type]).toEqual([
      'invalid_input',
      ['path', 'graph_id'],
      'string_pattern_mismatch',
    ]);
  });

  it('made from ULIDs are valid, sort by time and differ within a millisecond (graphs G-1)', () => {
    const made = [
      'op_01JA0000000000000000000000',
      'op_01JA0000000000000000000001',
      'op_01JB0000000000000000000000',
    ].map(newGraphId);
    expect(made.every((id) => /^kg[0-9a-f]{20}$/.test(id))).toBe(true);
    expect(new Set(made).size).toBe(3);
    expect((made[2] ?? '') > (made[0] ?? '') && (made[2] ?? '') > (made[1] ?? '')).toBe(true);
  });

  it('of subgraphs belong to the graph before the underscore (graphs G-2)', () => {
    expect(memberGraphId('kg0123456789abcdef_dev')).toBe('kg0123456789abcdef');
    expect(memberGraphId('kg0123456789abcdef')).toBe('kg0123456789abcdef');
  });

  it('are in scope for a key of the graph including its subgraphs, or of one subgraph (platform K-3)', () => {
    const graph = 'kg0123456789abcdef';
    expect(isInKeyScope(graph, graph)).toBe(true);
    expect(isInKeyScope(graph, `${graph}_dev`)).toBe(true);
    expect(isInKeyScope(graph, `${graph}0_dev`)).toBe(false);
    expect(isInKeyScope(`${graph}_dev`, `${graph}_dev`)).toBe(true);
    expect(isInKeyScope(`${graph}_dev`, graph)).toBe(false);
    expect(isInKeyScope(`${graph}_dev`, `${graph}_prod`)).toBe(false);
  });
});
