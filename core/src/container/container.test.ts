import { describe, expect, it } from 'vitest';
import { createServices } from './container.ts';
import { contribute, provide } from './provider.ts';
import { type CollectionEntry, createCollection, createToken } from './token.ts';

interface Counter {
  readonly made: number;
}
const counter = createToken<Counter>('test.counter');
const doubled = createToken<number>('test.doubled');
interface Rule extends CollectionEntry {
  readonly weight: number;
}
const rules = createCollection<Rule>('test.rules');

describe('the services of a deployment', () => {
  it('are created once, on first use, with their dependencies', () => {
    let made = 0;
    const services = createServices(
      [
        provide(doubled, { services: { counter }, create: (use) => use.counter.made * 2 }),
        provide(counter, {
          create: () => {
            made += 1;
            return { made };
          },
        }),
      ],
      [],
    );
    expect(made).toBe(0);
    expect(services.resolve(doubled)).toBe(2);
    expect(services.resolve(counter)).toBe(services.resolve(counter));
    expect(made).toBe(1);
  });

  it('are separate for two deployments in one process', () => {
    const first = createServices([provide(doubled, { create: () => 1 })], []);
    const second = createServices([provide(doubled, { create: () => 2 })], []);
    expect([first.resolve(doubled), second.resolve(doubled)]).toEqual([1, 2]);
  });

  it('resolve a collection to one frozen list, ordered by key', () => {
    const services = createServices(
      [],
      [
        contribute(rules, 'b', { create: () => ({ weight: 2 }) }),
        contribute(rules, 'a', { create: () => ({ weight: 1 }) }),
      ],
    );
    const list = services.resolve(rules);
    expect(list).toEqual([
      { key: 'a', weight: 1 },
      { key: 'b', weight: 2 },
    ]);
    expect(Object.isFrozen(list)).toBe(true);
  });

  it('keep the methods of entries that are objects of a class', () => {
    class Heavy {
      readonly #kilograms = 7;
      get weight(): number {
        return this.#kilograms;
      }
    }
    const [entry] = createServices([], [contribute(rules, 'heavy', { create: () => new Heavy() })]).resolve(rules);
    expect([entry?.key, entry?.weight]).toEqual(['heavy', 7]);
  });

  it('place entries before and after others, else by key (platform X-16)', () => {
    const rule = (
      key: string,
      place: { readonly before?: readonly string[]; readonly after?: readonly string[] } = {},
    ) => contribute(rules, key, { ...place, create: () => ({ weight: 1 }) });
    const keysOf = (...entries: readonly ReturnType<typeof rule>[]) =>
      createServices([], entries)
        .resolve(rules)
        .map(({ key }) => key);
    expect(keysOf(rule('c'), rule('b', { after: ['c'] }), rule('a', { after: ['b'] }))).toEqual(['c', 'b', 'a']);
    expect(keysOf(rule('a'), rule('b'), rule('z', { before: ['b'] }))).toEqual(['a', 'z', 'b']);
  });

  it('resolve a collection without entries to an empty list', () => {
    expect(createServices([], []).resolve(rules)).toEqual([]);
  });

  it('are all stopped in reverse order of creation, even if one fails', async () => {
    const stopped: string[] = [];
    const services = createServices(
      [
        provide(counter, { create: () => ({ made: 1 }), stop: async () => void stopped.push('counter') }),
        provide(doubled, {
          services: { counter },
          create: (use) => use.counter.made * 2,
          stop: async () => {
            stopped.push('doubled');
            throw new Error('does not want to stop');
          },
        }),
      ],
      [],
    );
    services.resolve(doubled);
    await expect(services.stop()).rejects.toThrow('could not be stopped');
    expect(stopped).toEqual(['doubled', 'counter']);
  });
});
