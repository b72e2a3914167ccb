import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadJournal, readJournal } from './load-journal.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pacioli-journal-'));
  mkdirSync(join(folder, 'years'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('load-journal', () => {
  it('resolves includes relative to their file, loads each file once, and sorts all directives', async () => {
    write('years/2020.beancount', 'include "../main.beancount"\n2020-05-05 open Assets:B\n');
    write('years/2019.beancount', 'include "2020.beancount"\n2019-05-05 open Assets:C\n');
    const main = write('main.beancount', 'include "years/2019.beancount"\n2019-12-12 open Assets:A\n');
    const dates = (await loadJournal(main)).directives.map((directive) => directive.date);
    expect(dates).toEqual(['2019-05-05', '2019-12-12', '2020-05-05']);
  });

  it('names a file that cannot be read', async () => {
    const main = write('broken.beancount', 'include "absent.beancount"\n');
    await expect(loadJournal(main)).rejects.toThrow(`${join(folder, 'absent.beancount')}:1: there is no such file`);
    await expect(loadJournal(folder)).rejects.toThrow('this is not a file');
  });

  it('rejects patterns in includes, and includes in a journal that is not a file', async () => {
    const main = write('pattern.beancount', 'include "years/*.beancount"\n');
    await expect(loadJournal(main)).rejects.toThrow('patterns in include are not supported');
    expect(() => readJournal('text', 'include "a.beancount"')).toThrow('the journal is not a file');
  });
});
