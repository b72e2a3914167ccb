import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const examples = '/usr/share/doc/beancount/examples';
export const packagedBooks = ['example.beancount', 'simple/basic.beancount', 'vesting/vesting.beancount'];
const maxOutputBytes = 64 * 1024 * 1024;

export const isInstalled = ['bean-query', 'bean-example'].every((name) => spawnSync(name, ['--version']).status === 0);
export const hasExamples = packagedBooks.every((book) => existsSync(join(examples, book)));
/** True if the oracle is available; otherwise the test titles say that they are skipped. */
export const isReady = isInstalled && hasExamples;
export const why = isReady ? '' : ' (skipped: Debian package beancount with its examples is not installed)';

/** Rounds plain decimal text half-even to cents without the arithmetic under test. */
export function centsOf(text: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = fraction.padEnd(3, '0');
  const floor = BigInt(whole + digits.slice(0, 2));
  const rest = digits.slice(2).replace(/0+$/, '');
  const isUp = rest > '5' || (rest === '5' && floor % 2n === 1n);
  const cents = isUp ? floor + 1n : floor;
  return sign === '-' ? -cents : cents;
}

export interface OracleRow {
  readonly year: string;
  readonly account: string;
  readonly cents: bigint;
}

export function askBeanQuery(file: string, currency: string): OracleRow[] {
  const query = `select year, account, str(weight) as weight where currency(weight) = '${currency}'`;
  const answer = execFileSync('bean-query', ['-q', '-f', 'csv', file, query], {
    encoding: 'utf8',
    maxBuffer: maxOutputBytes,
    env: { ...process.env, BEANCOUNT_DISABLE_LOAD_CACHE: '1' },
  });
  return answer
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [year = '', account = '', weight = ''] = line.split(',').map((field) => field.trim());
      const number = weight.split(' ')[0] ?? '';
      return { year, account, cents: /E/.test(number) ? centsOf(Number(number).toFixed(20)) : centsOf(number) };
    });
}
