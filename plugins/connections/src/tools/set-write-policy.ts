import { defineTool, model } from '@pacioli/core';
import { Type } from 'typebox';
import { connectionView } from '../connections/index.ts';
import { writePolicy } from '../models/write-policy.ts';
import { connections } from '../providers.ts';

export default defineTool({
  name: 'set-write-policy',
  title: 'Set the write policy of a connection',
  description:
    'Chooses the system of record of a connection to a provider of whole books: with native nothing is sent to it, ' +
    'with qb_authoritative entries that originate here are published to it from now on. Nothing is sent again.',
  role: 'admin',
  effect: 'destructive',
  idempotent: true,
  confirmation: 'Changes whether entries of this graph are published to the outside system of the connection.',
  gate: { graphs: ['tenant'] },
  input: model(
    'SetWritePolicyArguments',
    {
      connection_id: Type.String({ minLength: 1, description: 'An id of get-graph-sync-status.' }),
      write_policy: writePolicy,
    },
    { closed: true },
  ),
  services: { connections },
  errors: {
    NOT_FOUND: 'The graph has no such live connection.',
    INVALID_INPUT: { kind: 'refused', meaning: 'Nothing is ever written back to a connection of this provider.' },
  },
  isOn: ({ connections }) => connections.registry.hasBooks,

  async handle({ input, ctx, use }) {
    const { connection_id: id, write_policy: policy } = input;
    const changed = await ctx.transaction((tx) => use.connections.changes.setWritePolicy(tx, id, policy, ctx.now()));
    return connectionView(changed);
  },
});
