import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { WorkerFailure } from './failure.ts';

const chunkBytes = 2 ** 20;
/** One sign between others becomes three: a quote before it and one after it. */
const maxGrowth = 3;
export const byteOrderMark = Buffer.from('\uFEFF');

/** The kinds of bytes outside of texts; `kinds` below has the kind of each byte. */
const other = 0;
const space = 1;
const opening = 2;
const closing = 3;
const separator = 4;
/** Of a number, or of `NaN` and `Infinity`, which some programs write. */
const numberStart = 5;
const kinds = new Uint8Array(256);
for (const [kind, signs] of [' \t\r\n', '[{', ']}', ',:', '-0123456789NI'].entries())
  for (const sign of Buffer.from(signs)) kinds[sign] = kind + 1;
const [quote = 0, backslash = 0, bracket = 0] = Buffer.from('"\\[');

const unreadable = (message: string): WorkerFailure =>
  new WorkerFailure('unreadable-file', `The file cannot be read as json. ${message}`);

export interface JsonCopy {
  /** Of the longest record, in the file and in its copy. */
  readonly maxRecordBytes: number;
}

/**
 * Copies a JSON file with each value of a record that is a number, a list or an object as a text: `{"a": 1.10, "b": [2]}`
 * becomes `{"a": "1.10", "b": "[2]"}`. The engine would read numbers as doubles. Whether the file is JSON, the engine
 * judges by the original.
 */
export async function copyJson(path: string, copy: string): Promise<JsonCopy> {
  const records = new RecordCopy();
  const target = await open(copy, 'w', 0o600);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }))
      await target.writeFile(records.next(chunk as Buffer)); // Without an encoding, chunks are buffers.
    return records.end();
  } finally {
    await target.close();
  }
}

/** True for a file that begins with a byte order mark, with which the engine does not see an array. */
export async function hasByteOrderMark(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(byteOrderMark.length), 0, byteOrderMark.length, 0);
    return buffer.equals(byteOrderMark);
  } finally {
    await handle.close();
  }
}

/** Follows the file sign by sign, in bytes: no byte of a longer character is one of the signs of JSON. */
class RecordCopy {
  /** Lists and objects that are open. */
  #depth = 0;
  /** The depth around records: 1 in an array. */
  #outside = 0;
  #records = 0;
  #isInText = false;
  #isEscaped = false;
  /** In a number that becomes a text. */
  #isInNumber = false;
  #hasEnded = false;
  #recordBytes = 0;
  #maxRecordBytes = 0;
  #out = Buffer.alloc(0);
  #length = 0;

  next(chunk: Buffer): Buffer {
    this.#out = Buffer.allocUnsafe(chunk.length * maxGrowth);
    this.#length = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.#isEscaped || !(this.#isInText || this.#isInNumber)) {
        this.#sign(chunk[at] ?? 0);
        at += 1;
      } else at = this.#isInText ? this.#text(chunk, at) : this.#number(chunk, at);
    }
    this.#recordBytes += this.#length;
    return this.#out.subarray(0, this.#length);
  }

  end(): JsonCopy {
    if (this.#depth > 0) {
      const open = this.#outside === 1 ? 'It begins with "[" and has no "]" at its end' : 'Its last record has no end';
      throw unreadable(`${open}: it was cut off.`);
    }
    if (this.#records === 0) throw unreadable('It has no records.');
    return { maxRecordBytes: Math.max(this.#maxRecordBytes, this.#recordBytes) };
  }

  /** Copies a text up to its end or its next escape, and returns the place after it. */
  #text(chunk: Buffer, from: number): number {
    const isNested = this.#isNested();
    const out = this.#out;
    let length = this.#length;
    let at = from;
    let sign = other;
    while (at < chunk.length) {
      sign = chunk[at] ?? other;
      at += 1;
      if (sign !== quote && sign !== backslash) {
        out[length++] = sign;
        continue;
      }
      if (isNested) out[length++] = backslash;
      out[length++] = sign;
      break;
    }
    this.#length = length;
    if (sign === quote) this.#isInText = false;
    if (sign === backslash) this.#isEscaped = true;
    return at;
  }

  #number(chunk: Buffer, from: number): number {
    let at = from;
    for (; at < chunk.length; at += 1) {
      const sign = chunk[at] ?? other;
      const kind = kinds[sign] ?? other;
      if (kind === space || kind === closing || kind === separator) {
        this.#isInNumber = false;
        this.#put(quote);
        break;
      }
      this.#put(sign);
    }
    return at;
  }

  #sign(sign: number): void {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      if (this.#isNested() && (sign === quote || sign === backslash)) this.#put(backslash);
      this.#put(sign);
      return;
    }
    const kind = kinds[sign] ?? other;
    if (kind === space) {
      if (this.#isNested()) this.#recordBytes += 1;
      else this.#put(sign);
    } else if (this.#hasEnded) throw unreadable('It has text after the end of its array.');
    else if (kind === opening) this.#open(sign);
    else if (kind === closing) this.#close(sign);
    else if (kind === separator) this.#put(sign);
    else this.#value(sign, kind);
  }

  #open(sign: number): void {
    const isArray = sign === bracket;
    if (isArray && this.#depth === 0 && this.#records === 0) this.#outside = 1;
    else if (this.#depth === this.#outside) this.#startRecord(!isArray);
    else if (this.#isInRecord()) this.#put(quote);
    this.#depth += 1;
    this.#put(sign);
  }

  #close(sign: number): void {
    this.#depth = Math.max(0, this.#depth - 1);
    this.#put(sign);
    if (this.#isInRecord()) this.#put(quote);
    this.#hasEnded = this.#outside === 1 && this.#depth === 0;
  }

  /** The first sign of a text, a number or a word, or one inside a word. */
  #value(sign: number, kind: number): void {
    if (this.#depth === this.#outside) this.#startRecord(false);
    if (sign === quote) {
      this.#isInText = true;
      if (this.#isNested()) this.#put(backslash);
    } else if (this.#isInRecord() && kind === numberStart) {
      this.#isInNumber = true;
      this.#put(quote);
    }
    this.#put(sign);
  }

  #startRecord(isObject: boolean): void {
    this.#records += 1;
    if (!isObject)
      throw unreadable(`Record ${this.#records} is not an object with the names of the columns, as {"name": "value"}.`);
    this.#maxRecordBytes = Math.max(this.#maxRecordBytes, this.#recordBytes + this.#length);
    this.#recordBytes = -this.#length;
  }

  /** Directly in a record, not in one of its lists and objects. */
  #isInRecord(): boolean {
    return this.#depth === this.#outside + 1;
  }

  #isNested(): boolean {
    return this.#depth > this.#outside + 1;
  }

  #put(sign: number): void {
    this.#out[this.#length] = sign;
    this.#length += 1;
  }
}
