// Goal: a deployment that follows the guide gives memory back like `npm start`. Method: the lines of the guide are compared
// with what `npm start` sets, and Node is started with them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { serviceEnvironment, serviceFlags } from './service-process.mjs';

const guide = readFileSync(new URL('../docs/guide/06-deployment.md', import.meta.url), 'utf8');

describe('the memory settings of a deployment', () => {
  const [, printed = ''] = /## Memory[\s\S]*?```text\n([\s\S]*?)\n```/.exec(guide) ?? [];
  const settings = Object.fromEntries(
    printed.split('\n').map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1).replaceAll('"', '')];
    }),
  );

  it('are those of npm start', () => {
    expect(settings).toEqual({ NODE_OPTIONS: serviceFlags.join(' '), ...serviceEnvironment });
  });

  it('are accepted by Node', () => {
    const { status, stdout } = spawnSync(process.execPath, ['-p', '1 + 1'], { env: settings, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '2\n' });
  });
});
