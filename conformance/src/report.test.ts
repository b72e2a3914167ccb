import { describe, expect, it } from 'vitest';
import { type CaseResult, formatReport, makeReport, type Outcome, type Report } from './report.ts';

function result(id: string, outcome: Outcome, level: CaseResult['level'] = 'MUST'): CaseResult {
  const messages = outcome === 'passed' ? [] : [`why ${id}`];
  return { id, level, title: `title of ${id}`, clause: 'clause', outcome, messages, duration_ms: 1 };
}

function report(
  results: readonly CaseResult[],
  expected: Readonly<Record<string, string>>,
  isWhole = true,
  additions: readonly string[] = [],
): Report {
  const run = { url: 'http://127.0.0.1:1', startedAt: new Date(0), isWhole, additions };
  return makeReport(run, results, new Map(Object.entries(expected)));
}

describe('makeReport', () => {
  it('is not ok with an unexpected failure of a MUST', () => {
    expect(report([result('A-001', 'failed')], {}).ok).toBe(false);
    expect(report([result('A-001', 'passed')], {}).ok).toBe(true);
  });

  it('is ok with a failed SHOULD, and shows it', () => {
    const made = report([result('A-001', 'failed', 'SHOULD')], {});
    expect(made.ok).toBe(true);
    expect(formatReport(made, { isVerbose: false })).toContain('A-001');
  });

  it('is ok with a listed failure, and keeps the reason', () => {
    const made = report([result('A-001', 'failed')], { 'A-001': 'not built' });
    expect(made).toMatchObject({ ok: true, summary: { failed: 0, failed_as_expected: 1 } });
    expect(made.results[0]?.expected_failure).toBe('not built');
  });

  it('is not ok with a listed failure that passes, or that has no case', () => {
    expect(report([result('A-001', 'passed')], { 'A-001': 'not built' }).stale).toEqual([
      { id: 'A-001', reason: 'not built' },
    ]);
    expect(report([], { 'A-001': 'not built' }).ok).toBe(false);
  });

  it('does not report an entry as stale if its case was skipped or not part of the run', () => {
    expect(report([result('A-001', 'skipped')], { 'A-001': 'not built' }).ok).toBe(true);
    expect(report([result('A-001', 'passed')], { 'B-001': 'not built' }, false).ok).toBe(true);
    expect(report([result('A-001', 'passed')], { 'A-001': 'not built' }, false).ok).toBe(false);
  });
});

describe('formatReport', () => {
  it('shows cases that need attention, and all cases on request', () => {
    const made = report([result('A-001', 'passed'), result('B-001', 'failed'), result('C-001', 'failed')], {
      'C-001': 'not built',
    });
    const short = formatReport(made, { isVerbose: false });
    expect(short).toContain('why B-001');
    expect(short).not.toContain('A-001');
    expect(short).not.toContain('C-001');
    expect(short).toContain('1 passed, 1 failed, 1 failed as expected, 0 skipped, 0 stale. Not conformant.');
    const long = formatReport(made, { isVerbose: true });
    for (const text of ['A-001', 'not built']) expect(long).toContain(text);
  });

  it('counts what is not served apart from what passed, and lists what was added (platform X-9b)', () => {
    const additions = Array.from({ length: 21 }, (_, index) => `query claims${index + 1}`);
    const made = report([result('A-001', 'passed'), result('B-001', 'not_served')], {}, true, additions);
    expect(made).toMatchObject({ ok: true, additions, summary: { passed: 1, not_served: 1, skipped: 0 } });
    const text = formatReport(made, { isVerbose: false });
    expect(text).toContain(
      '1 passed, 0 failed, 0 failed as expected, 0 skipped, 0 stale, 1 not served, 21 added. Conf',
    );
    expect(text).toContain('added     query claims20\n          and 1 more; see the JSON report\n');
    expect(text).not.toContain('claims21');
    expect(formatReport(made, { isVerbose: true })).toMatch(/absent +MUST +B-001/);
  });
});
