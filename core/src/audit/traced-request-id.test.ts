import { describe, expect, it } from 'vitest';
import { tracedRequestId, traceparentOf } from './traced-request-id.ts';

// From the examples of W3C Trace Context, section 3.2.3.
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

describe('the id of a request', () => {
  it('has the trace of the caller, a span of its own, and whether the trace is recorded (platform E-13)', () => {
    const id = tracedRequestId(`00-${trace}-${parent}-01`) ?? '';
    expect(id).toMatch(new RegExp(`^trace_${trace}_[0-9a-f]{16}_01$`));
    expect(id).not.toContain(parent);
    // As any id that a caller may send.
    expect(id).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
    expect(tracedRequestId(`00-${trace}-${parent}-02`)).toMatch(/_00$/);
    expect(tracedRequestId(`00-${trace}-${parent}-03`)).toMatch(/_01$/);
  });

  it('differs in each request of a trace', () => {
    const ids = Array.from({ length: 100 }, () => tracedRequestId(`00-${trace}-${parent}-01`));
    expect(new Set(ids).size).toBe(100);
  });

  it('becomes the parent of calls to other services', () => {
    const id = tracedRequestId(`00-${trace}-${parent}-01`) ?? '';
    const [, , span] = id.split('_');
    expect(traceparentOf(id)).toBe(`00-${trace}-${span}-01`);
  });

  it('continues a trace of a later version, which may have more fields', () => {
    expect(tracedRequestId(`cc-${trace}-${parent}-01-what-the-future-has`)).toContain(trace);
  });

  it.each([
    ['nothing', undefined],
    ['no text', 7],
    ['an empty text', ''],
    ['an id of zeros', `00-${'0'.repeat(32)}-${parent}-01`],
    ['a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
    ['the invalid version', `ff-${trace}-${parent}-01`],
    ['more fields in the first version', `00-${trace}-${parent}-01-more`],
    ['upper case', `00-${trace.toUpperCase()}-${parent}-01`],
    ['a short id', `00-${trace.slice(1)}-${parent}-01`],
    ['a header of two values', `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`],
  ])('continues no trace with %s', (_, given) => {
    expect(tracedRequestId(given)).toBeUndefined();
  });

  it.each(['req_0123456789abcdef', 'my-own-id', `trace_${trace}`, `trace_${'0'.repeat(32)}_${parent}_01`])(
    'without a trace starts none: %s',
    (id) => {
      expect(traceparentOf(id)).toBeUndefined();
    },
  );
});
