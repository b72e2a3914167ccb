import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, similarityOf, vectorOf } from './similarity.ts';

describe('stored vectors', () => {
  it('are little-endian floats and read back unchanged, wherever their bytes begin (ME-1)', () => {
    expect(bytesOf(Float32Array.of(1, -2)).toString('hex')).toBe('0000803f000000c0');
    fc.assert(
      fc.property(fc.float32Array({ noNaN: true }), fc.integer({ min: 0, max: 3 }), (vector, shift) => {
        const bytes = Buffer.concat([Buffer.alloc(shift), bytesOf(vector)]).subarray(shift);
        expect(vectorOf(bytes, vector.length)).toEqual(vector);
      }),
    );
  });

  it('are refused with another number of dimensions', () => {
    expect(() => vectorOf(bytesOf(Float32Array.of(1, 2)), 3)).toThrow(/8 bytes.*3 dimensions/);
  });
});

describe('similarityOf', () => {
  it('is the cosine, from −1 to 1, and 0 for a vector of zeros (ME-10)', () => {
    const [a, b] = [Float32Array.of(0.6, 0.8), Float32Array.of(0.8, 0.6)];
    expect(similarityOf(a, b)).toBeCloseTo(0.96, 6);
    expect(similarityOf(a, Float32Array.of(0, 0))).toBe(0);
    expect(similarityOf(Float32Array.of(1.0001, 0), Float32Array.of(1, 0))).toBe(1);
    expect(similarityOf(Float32Array.of(1, 0), Float32Array.of(-1.0001, 0))).toBe(-1);
  });
});
