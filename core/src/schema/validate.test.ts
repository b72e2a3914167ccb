import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { toWire, validationFailure } from '../errors/to-wire.ts';
import { canonicalJson } from './canonical.ts';
import { calendarDate, instant, model, nullable, oneOf } from './model.ts';
import { SchemaValidator } from './validate.ts';

const line = model(
  'Line',
  { amount: Type.Integer({ maximum: Number.MAX_SAFE_INTEGER }), memo: Type.Optional(nullable(Type.String())) },
  { closed: true },
);
const entry = model('Entry', {
  date: calendarDate(),
  at: Type.Optional(instant()),
  status: Type.Optional(oneOf(['draft', 'posted'], { default: 'draft' })),
  password: Type.Optional(Type.String({ minLength: 3 })),
  lines: Type.Array(line, { minItems: 1 }),
});

function issuesOf(value: unknown): readonly string[] {
  const checked = new SchemaValidator({ checksSchemas: true }).check(entry, value, 'body');
  return checked.ok ? [] : checked.issues.map((issue) => `${issue.loc.join('.')} ${issue.type}`);
}

describe('the check of a schema', () => {
  it('rejects a schema that violates JSON Schema if `checksSchemas` is set', () => {
    const inTests = new SchemaValidator({ checksSchemas: true });
    expect(() => inTests.check(Type.String({ minLength: -1 }), 'x', 'body')).toThrow('minLength');
  });

  it('is skipped in a service, which still rejects an unknown keyword', () => {
    const served = new SchemaValidator({ checksSchemas: false });
    expect(served.check(Type.String({ minLength: -1 }), 'x', 'body').ok).toBe(true);
    expect(() => served.check({ ...Type.String(), minLength: 'x' }, 'x', 'body')).toThrow('minLength');
  });
});

describe('the check of an input', () => {
  it('fills in defaults and ignores unknown fields of an open model (platform E-12)', () => {
    const checked = new SchemaValidator({ checksSchemas: true }).check(
      entry,
      { date: '2026-03-31', lines: [{ amount: 1 }], later: true },
      'body',
    );
    expect(checked).toEqual({
      ok: true,
      value: { date: '2026-03-31', status: 'draft', lines: [{ amount: 1 }], later: true },
    });
  });

  it('reports each issue with location and type (platform E-3, E-11)', () => {
    expect(issuesOf({})).toEqual(['body.date missing', 'body.lines missing']);
    expect(issuesOf({ date: '31.3.2026', lines: [] })).toEqual([
      'body.date date_from_datetime_parsing',
      'body.lines too_short',
    ]);
    expect(issuesOf({ date: '2026-03-31', status: 'gone', lines: [{ amount: 1.5 }] })).toEqual([
      'body.status enum',
      'body.lines.0.amount int_type',
    ]);
    expect(issuesOf({ date: '2026-03-31', lines: [{ amount: '1', other: 1 }] })).toEqual([
      'body.lines.0.other extra_forbidden',
      'body.lines.0.amount int_type',
    ]);
    expect(issuesOf({ date: '2026-03-31', lines: [{ amount: true }] })).toEqual(['body.lines.0.amount int_type']);
  });

  it('rejects the year 0, which no store keeps, and accepts the years 1 to 9999 (platform E-11)', () => {
    for (const date of ['0001-01-01', '9999-12-31', '2024-02-29'])
      expect(issuesOf({ date, lines: [{ amount: 1 }] })).toEqual([]);
    for (const date of ['0000-12-31', '2025-02-29'])
      expect(issuesOf({ date, lines: [{ amount: 1 }] })).toEqual(['body.date date_from_datetime_parsing']);
  });

  it('rejects a whole number beyond 2^53−1, which parsing JSON has rounded (ledger L-2)', () => {
    expect(issuesOf({ date: '2026-03-31', lines: [{ amount: JSON.parse('9007199254740993') }] })).toEqual([
      'body.lines.0.amount less_than_equal',
    ]);
  });

  it('says that a date or an instant must exist', () => {
    const value = { date: '2026-02-30', at: '2026-02-28T25:00:00Z', lines: [{ amount: 1 }] };
    const checked = new SchemaValidator({ checksSchemas: true }).check(entry, value, 'body');
    expect(checked.ok ? [] : checked.issues.map(({ msg }) => msg)).toEqual([
      'Must be a date that exists, as YYYY-MM-DD',
      'Must be a date and time that exist, such as 2026-03-31T10:00:00Z',
    ]);
  });

  it('accepts an instant without an offset (ledger L-6)', () => {
    expect(issuesOf({ date: '2026-03-31', at: '2026-03-31T10:00:00', lines: [{ amount: 1 }] })).toEqual([]);
    expect(issuesOf({ date: '2026-03-31', at: 'yesterday', lines: [{ amount: 1 }] })).toEqual([
      'body.at datetime_from_date_parsing',
    ]);
  });

  it('never repeats a long value', () => {
    const checked = new SchemaValidator({ checksSchemas: true }).check(
      entry,
      { date: 'x'.repeat(10_000), lines: [{ amount: 1 }] },
      'body',
    );
    expect(JSON.stringify(checked).length).toBeLessThan(500);
  });

  it('never echoes a secret (platform E-11)', () => {
    const checked = new SchemaValidator({ checksSchemas: true }).check(
      entry,
      { date: '2026-03-31', password: 'pw', lines: [{ amount: 1 }] },
      'body',
    );
    expect(JSON.stringify(checked)).not.toContain('"pw"');
  });
});

describe('the body of a 422', () => {
  const context = { requestId: 'req_1', now: new Date('2026-03-31T00:00:00Z') };
  const failure = validationFailure(
    ['a', 'b', 'c', 'd'].map((name) => ({ loc: ['body', name], msg: 'Field required', type: 'missing' })),
  );

  it('is a list on plain routes, and a sentence plus the full list on operations (platform E-3)', () => {
    const list = toWire(failure, { ...context, validationErrors: 'list' });
    expect(list.body['detail']).toHaveLength(4);
    const sentence = toWire(failure, { ...context, validationErrors: 'message' });
    expect(sentence.body['detail']).toBe('a: Field required; b: Field required; c: Field required (+1 more)');
    expect(sentence.body['errors']).toHaveLength(4);
    expect(Object.keys(sentence.body).slice(0, 4)).toEqual(['detail', 'code', 'request_id', 'timestamp']);
  });

  it('never reveals the message of an unknown error (platform E-8)', () => {
    const wire = toWire(new Error('SELECT secret FROM kernel_user'), { ...context, validationErrors: 'list' });
    expect(wire.status).toBe(500);
    expect(wire.body['detail']).toBe('Internal server error');
  });
});

describe('canonical JSON', () => {
  it('is the same for equal values in any field order (platform N-21)', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
