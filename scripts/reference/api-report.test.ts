// Goal: a report changes with the public surface of a package, and with nothing else. Method: reports of a small one.
import { describe, expect, it } from 'vitest';
import { apiReport } from './api-report.ts';
import { Declarations } from './declarations.ts';
import type { Package } from './packages.ts';

const garden: Package = {
  name: '@acme/garden',
  folder: 'garden',
  version: '1.0.0',
  isPrivate: false,
  entryPoints: new Map([['@acme/garden', 'garden/index.ts']]),
};

const index = `export { default as watered } from './watered.ts';
export { type Pump, pump as mainPump } from './pump.ts';
export { default } from './plugin.ts';`;

const pump = `import type { Speed } from './speed.ts';
/** Moves water. */
export class Pump {
  readonly #power = 1;
  /** Starts it. */
  async start(speed: Speed): Promise<void> {
    await this.#turn(speed);
  }
  async #turn(speed: Speed): Promise<void> {}
}
export const pump: Pump = new Pump();
export function unexported(): void {}`;

function report(change: Readonly<Record<string, string>> = {}): string {
  const texts: Readonly<Record<string, string>> = {
    'garden/index.ts': index,
    'garden/pump.ts': pump,
    'garden/speed.ts': `export interface Speed { readonly rate: Rate }\ntype Rate = 'slow' | 'fast';`,
    'garden/watered.ts': `export default defineEvent('garden.watered', model('Watered', { id: Type.String() }));`,
    'garden/plugin.ts': `export default definePlugin({ name: 'garden', start: async () => { work(); } });`,
    ...change,
  };
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
  return apiReport(garden, new Declarations(files, new Map())).text;
}

describe('a report of the public surface', () => {
  it('has every exported name with its signature, and the types that these mention', () => {
    expect(report()).toBe(`# @acme/garden

The exported names and their signatures. Written by \`npm run gen\`; do not edit.

## @acme/garden

class Pump {
  start(speed: Speed): Promise<void>;
}

default: definePlugin({ name: 'garden', start: async () => { } })

mainPump: const pump: Pump

watered: defineEvent('garden.watered', model('Watered', { id: Type.String() }))

## Mentioned, not exported

interface Speed {
  readonly rate: Rate;
}

type Rate = 'slow' | 'fast';
`);
  });

  it('does not change with bodies, comments, private members and what is not exported', () => {
    const changed = pump
      .replace('Moves water.', 'Moves it.')
      .replace('await this.#turn(speed)', 'return')
      .replace('#power = 1', '#power = 2')
      .replace('unexported(): void', 'unexported(a: number): void');
    expect(changed).not.toBe(pump);
    expect(report({ 'garden/pump.ts': changed })).toBe(report());
  });

  it('changes with a type that only another type mentions', () => {
    const speed = `export interface Speed { readonly rate: Rate }\ntype Rate = 'slow';`;
    expect(report({ 'garden/speed.ts': speed })).not.toBe(report());
  });
});
