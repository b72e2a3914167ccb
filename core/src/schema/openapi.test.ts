import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { model } from './model.ts';
import { openapiDocument } from './openapi.ts';

describe('openapiDocument', () => {
  it('keeps fields that have the names of schema keywords, with the models that they refer to', () => {
    const Size = model('Size', { pages: Type.Integer() });
    const Paper = model('Paper', {
      title: Type.String(),
      graphql: Type.String(),
      default: Size,
      enum: Type.Array(Size),
    });
    const { components } = openapiDocument({ title: 'Test', version: '1', 'x-product-version': '1' }, [
      {
        method: 'GET',
        path: '/v1/paper',
        operationId: 'getPaper',
        tag: 'Papers',
        summary: 'Returns a paper.',
        parameters: [],
        answers: [[200, Paper]],
        signedIn: false,
      },
    ]) as { components: { schemas: Record<string, object> } };
    expect(components.schemas['Paper']).toMatchObject({
      required: ['title', 'graphql', 'default', 'enum'],
      properties: {
        title: { type: 'string' },
        graphql: { type: 'string' },
        default: { $ref: '#/components/schemas/Size' },
        enum: { type: 'array', items: { $ref: '#/components/schemas/Size' } },
      },
    });
    expect(Object.keys(components.schemas)).toEqual(['Paper', 'Size']);
  });
});
