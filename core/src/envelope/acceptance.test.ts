import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { defineOperation } from '../define/operation.ts';
import { model } from '../schema/model.ts';
import { dedupeKeyOf } from './acceptance.ts';

const bind = defineOperation({
  name: 'bind',
  summary: 'Binds a notebook.',
  path: 'POST /v1/graphs/{graph_id}/notebooks/{notebook_id}/bind',
  openapi: { id: 'bind', tag: 'notebooks' },
  mcp: { held: 'Only for tests.' },
  role: 'member',
  runs: 'worker',
  maxSeconds: 60,
  restartable: true,
  joins: ({ edition }) => edition,
  input: model('BindRequest', { edition: Type.String(), note: Type.Optional(Type.String()) }),
  output: model('BindResponse', {}),
  handle: async () => ({}),
});

describe('the key for joining an equal run', () => {
  const keyOf = (edition: string, notebookId: string, userId = 'user_1', note = '') =>
    dedupeKeyOf(
      bind,
      { input: { edition, note }, params: { notebook_id: notebookId } },
      {
        graphId: 'kg_1',
        caller: { userId, email: '', name: '', credential: 'jwt' },
        inputFingerprint: `${userId} ${note}`,
      },
    );

  it('depends on the path and the joined input, not on the caller or other fields (platform N-13)', () => {
    const key = keyOf('first', 'red');
    expect(keyOf('first', 'red', 'user_2', 'please')).toBe(key);
    expect(keyOf('first', 'blue')).not.toBe(key);
    expect(keyOf('second', 'red')).not.toBe(key);
  });
});
