import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallDeadline } from './call-deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the deadline of a call', () => {
  it('ends a call at its limit and not before (ai-surface 5.4)', () => {
    const deadline = new CallDeadline(new AbortController().signal, 60_000);
    vi.advanceTimersByTime(59_999);
    expect([deadline.isReached, deadline.limit.aborted, deadline.end.aborted]).toEqual([false, false, false]);
    vi.advanceTimersByTime(1);
    expect([deadline.isReached, deadline.limit.aborted, deadline.end.aborted]).toEqual([true, true, true]);
    expect(deadline.end.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('ends a call with its client, before the limit is reached (ai-surface M-12)', () => {
    const client = new AbortController();
    const deadline = new CallDeadline(client.signal, 60_000);
    const reason = new Error('The client went away.');
    client.abort(reason);
    expect([deadline.isReached, deadline.limit.aborted, deadline.end.reason]).toEqual([false, false, reason]);
    expect(new CallDeadline(client.signal, 60_000).end.reason).toBe(reason);
  });

  it('keeps neither a timer nor its client after the call', () => {
    const client = new AbortController();
    const deadline = new CallDeadline(client.signal, 60_000);
    deadline.stop();
    expect(vi.getTimerCount()).toBe(0);
    client.abort();
    expect([deadline.isReached, deadline.end.aborted]).toEqual([false, false]);
  });
});
