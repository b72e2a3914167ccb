import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { model, nullable, oneOf } from './model.ts';
import { SchemaValidator } from './validate.ts';

const circle = model('Circle', {
  kind: Type.Unsafe<'circle'>({ enum: ['circle'] }),
  radius: Type.Number({ minimum: 0 }),
});
const rectangle = model('Rectangle', {
  kind: oneOf(['square', 'oblong']),
  size: model('Size', { width: Type.Integer(), height: Type.Integer() }),
});
const group = model('Group', {
  kind: Type.Unsafe<'group'>({ enum: ['group'] }),
  members: Type.Array(Type.Union([circle, rectangle])),
});
const shape = Type.Union([circle, rectangle, group]);
const drawing = model('Drawing', { shapes: Type.Array(shape), frame: Type.Optional(nullable(rectangle)) });

function issuesOf(value: unknown, schema: typeof shape | typeof drawing = shape): readonly string[] {
  const checked = new SchemaValidator({ checksSchemas: true }).check(schema, value, 'body');
  return checked.ok ? [] : checked.issues.map((issue) => `${issue.loc.join('.')} ${issue.type}`);
}

describe('the issues of a union', () => {
  it('are those of the arm that the discriminator selects (platform E-3)', () => {
    expect(issuesOf({ kind: 'circle', radius: 1 })).toEqual([]);
    expect(issuesOf({ kind: 'circle' })).toEqual(['body.radius missing']);
    expect(issuesOf({ kind: 'circle', radius: -1 })).toEqual(['body.radius greater_than_equal']);
    expect(issuesOf({ kind: 'oblong', size: { width: 1.5 } })).toEqual([
      'body.size.height missing',
      'body.size.width int_type',
    ]);
  });

  it('name the discriminator if no arm accepts its value', () => {
    const checked = new SchemaValidator({ checksSchemas: true }).check(shape, { kind: 'star', radius: 1 }, 'body');
    expect(checked).toMatchObject({
      issues: [
        {
          loc: ['body', 'kind'],
          msg: 'Must be one of: "circle", "square", "oblong", "group"',
          type: 'enum',
          input: 'star',
        },
      ],
    });
    expect(issuesOf({ radius: 1 })).toEqual(['body.kind missing']);
  });

  it('are narrowed separately for each list member, and in nested unions', () => {
    const circles = Array.from({ length: 11 }, () => ({ kind: 'circle', radius: 1 }));
    const shapes = [{ kind: 'star' }, { kind: 'circle' }, ...circles, { kind: 'group', members: [{ kind: 'circle' }] }];
    expect(issuesOf({ shapes }, drawing)).toEqual([
      'body.shapes.0.kind enum',
      'body.shapes.1.radius missing',
      'body.shapes.13.members.0.radius missing',
    ]);
  });

  it('omit null if a value was given', () => {
    expect(issuesOf({ shapes: [], frame: { kind: 'square' } }, drawing)).toEqual(['body.frame.size missing']);
    expect(issuesOf({ shapes: [], frame: null }, drawing)).toEqual([]);
    expect(issuesOf({ shapes: [], frame: 'none' }, drawing)).toEqual(['body.frame dict_type']);
  });

  it('are unchanged without a discriminator', () => {
    const either = Type.Union([Type.Integer(), model('Named', { name: Type.String() })]);
    const checked = new SchemaValidator({ checksSchemas: true }).check(either, {}, 'body');
    expect(checked).toMatchObject({ issues: [{ type: 'int_type' }, { loc: ['body', 'name'], type: 'missing' }] });
  });
});
