import { endianness } from 'node:os';

const bytesPerNumber = 4;

/** The vector as 32-bit floats, little-endian, on every machine. */
export function bytesOf(vector: Float32Array): Buffer {
  const bytes = Buffer.from(vector.slice().buffer);
  return endianness() === 'LE' ? bytes : bytes.swap32();
}

/** The vector from its bytes; throws if it has another number of dimensions, because those of a model never change. */
export function vectorOf(bytes: Uint8Array, dimensions: number): Float32Array {
  if (bytes.byteLength !== dimensions * bytesPerNumber)
    throw new Error(`A stored vector has ${bytes.byteLength} bytes; its model has ${dimensions} dimensions.`);
  // Copies, because the bytes of a row can begin at an address that is not a multiple of four.
  const copy = Buffer.from(new Uint8Array(bytes).buffer);
  if (endianness() !== 'LE') copy.swap32();
  return new Float32Array(copy.buffer, copy.byteOffset, dimensions);
}

/** The cosine of two vectors of length 1, from −1 to 1; 0 if one of them is all zeros. */
export function similarityOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  // Sums of rounded products can exceed the range of a cosine.
  return Math.max(-1, Math.min(1, sum));
}
