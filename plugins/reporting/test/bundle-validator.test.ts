// Goal: the check of a report never holds up the service, and its failure is the failure of that report only.
// Method: the real process, with limits that make it fail, alone and in a service over HTTP.
import { setImmediate } from 'node:timers/promises';
import { provide } from '@pacioli/core';
import { afterEach, describe, expect, it } from 'vitest';
import { writeJsonLd } from '../src/serialization/json-ld/index.ts';
import { BundleValidator, bundleValidator } from '../src/serialization/shapes/index.ts';
import { openExampleBooks, startReporting } from './example-books.ts';
import { handMadeBundle } from './hand-made-bundle.ts';

const parts = [...writeJsonLd(handMadeBundle)];
const conforming = { ran: true, conforms: true, violations: [] };
const { signal } = new AbortController();
const request = { parts, base: handMadeBundle.base, signal };

let validator = new BundleValidator();
afterEach(() => validator.stop());

describe('the validator of reports', () => {
  it('does not block the service while it validates (reporting P-12)', async () => {
    let isDone = false;
    const validation = validator.validate(request).finally(() => {
      isDone = true;
    });
    let turns = 0;
    for (; !isDone; turns += 1) await setImmediate();
    expect(await validation).toEqual(conforming);
    expect(turns).toBeGreaterThan(100);
  });

  it('validates one document after another in one process, and starts a new one after it was idle', async () => {
    validator = new BundleValidator({ idleMsMax: 1 });
    expect(await Promise.all([validator.validate(request), validator.validate(request)])).toEqual([
      conforming,
      conforming,
    ]);
    expect(await validator.validate(request)).toEqual(conforming);
  });

  it('refuses more documents than may wait (reporting P-12)', async () => {
    validator = new BundleValidator({ waitingMax: 1 });
    const accepted = [validator.validate(request), validator.validate(request)];
    await expect(validator.validate(request)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'The report could not be validated: too many reports are being validated. Nothing changed.',
    });
    expect(await Promise.all(accepted)).toEqual([conforming, conforming]);
  });

  it('fails a document that needs more memory than is allowed, and none of the others (reporting P-12)', async () => {
    validator = new BundleValidator({ heapMbMax: 40 });
    const large = { ...request, parts: [JSON.stringify({ '@graph': new Array(5_000_000).fill(1) })] };
    const [first, second] = await Promise.allSettled([validator.validate(large), validator.validate(request)]);
    expect(first).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'REPORT_NOT_VALIDATED',
        message:
          'The report could not be validated: it needs more memory than is allowed; report fewer columns. Nothing changed.',
      },
    });
    expect(second).toEqual({ status: 'fulfilled', value: conforming });
  });

  it('ends its process when the request is aborted', async () => {
    const caller = new AbortController();
    const validation = validator.validate({ ...request, signal: caller.signal });
    caller.abort(new Error('The caller left.'));
    await expect(validation).rejects.toThrow('The caller left.');
    expect(await validator.validate(request)).toEqual(conforming);
  });

  it('fails on text that is not a document', async () => {
    await expect(validator.validate({ ...request, parts: ['{'] })).rejects.toThrow('The validation of a report failed');
  });
});

describe('create-report', () => {
  it('fails and changes nothing if the validation takes too long, while the service keeps answering (reporting P-12)', async () => {
    const hasty = provide(bundleValidator, {
      create: () => new BundleValidator({ runMsMax: 1 }),
      stop: (made) => made.stop(),
    });
    const reporting = await startReporting({}, { override: [hasty] });
    const books = await openExampleBooks(reporting.user);
    const answer = await books.operation('create-report', {
      name: 'Too slow',
      mapping_id: books.mappingId,
      period_start: '2026-04-01',
      period_end: '2026-04-30',
    });
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      503,
      'REPORT_NOT_VALIDATED',
      'The report could not be validated: it took longer than 1 ms. Nothing changed.',
    ]);
    expect(await books.query('{ reports { reports { id } } }')).toEqual({ reports: { reports: [] } });
    await reporting.service.close();
  });
});
