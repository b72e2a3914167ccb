import { describe, expect, it } from 'vitest';
import { Progress } from './progress.ts';

function written(isTTY: boolean, work: (progress: Progress) => void): string {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  work(new Progress({ isTTY, write }));
  return text;
}

describe('the progress of a run (platform X-9b)', () => {
  it('updates one line of a terminal, which other lines end', () => {
    const text = written(true, (progress) => {
      progress.show(1, 2);
      progress.waiting({ asked: 'POST /v1/graphs', seconds: 30 });
      progress.show(2, 2);
      progress.end();
      progress.end();
    });
    expect(text).toBe(
      '\r1 of 2 cases\nWaiting 30 s: the rate limit of the deployment refused POST /v1/graphs.\n\r2 of 2 cases\n',
    );
  });

  it('writes a line for every 200 cases and the last one elsewhere, and none for a short wait', () => {
    const text = written(false, (progress) => {
      for (let done = 1; done <= 450; done += 1) progress.show(done, 450);
      progress.waiting({ asked: 'POST /v1/graphs', seconds: 1 });
      progress.end();
    });
    expect(text).toBe('200 of 450 cases\n400 of 450 cases\n450 of 450 cases\n');
  });
});
