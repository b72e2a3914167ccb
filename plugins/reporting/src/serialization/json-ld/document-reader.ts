// Documents are read in the form in which this service writes them (reporting X-9): a node begins and ends on lines with
// an indentation of four, where no other line of the graph begins.
import type { JsonLdContext } from './context.ts';
import type { JsonLdNode } from './document.ts';

const graphStart = '\n  "@graph": [\n';
const nodeEnd = '\n    }';
const documentEnd = '\n  ]\n}\n';
/** The largest header or node; the longest text of a fact has fewer characters. */
const maxPieceCharacters = 32 * 1024 * 1024;

/** Reads a document node by node, so that its text is never in memory as a whole. */
export class DocumentReader {
  readonly #parts: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #text = '';

  constructor(parts: AsyncIterable<Uint8Array>) {
    this.#parts = parts[Symbol.asyncIterator]();
  }

  /** The context, which comes first. */
  async context(): Promise<JsonLdContext> {
    const header = await this.#pieceBefore(graphStart);
    if (header === undefined) throw otherForm();
    const { '@context': context } = JSON.parse(`${header.replace(/,$/, '')}}`);
    return context;
  }

  /** All nodes in their order, after the context. Throws for a document that ends early. */
  async *nodes(): AsyncGenerator<JsonLdNode> {
    for (;;) {
      const piece = await this.#pieceBefore(nodeEnd);
      if (piece === undefined) break;
      yield JSON.parse(`${piece.replace(/^,\n/, '')}}`) as JsonLdNode; // Checked as far as its fields are read.
    }
    if (this.#text !== documentEnd) throw otherForm();
  }

  /** Closes the file, which may not have been read to its end. */
  async close(): Promise<void> {
    await this.#parts.return?.();
  }

  /** The text before the next mark, which is passed; undefined if there is no further mark. */
  async #pieceBefore(mark: string): Promise<string | undefined> {
    let from = 0;
    for (;;) {
      const end = this.#text.indexOf(mark, from);
      if (end >= 0) {
        const piece = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + mark.length);
        return piece;
      }
      if (this.#text.length > maxPieceCharacters) throw otherForm();
      from = Math.max(0, this.#text.length - mark.length);
      const { done, value } = await this.#parts.next();
      this.#text += done === true ? this.#decoder.decode() : this.#decoder.decode(value, { stream: true });
      if (done === true) return undefined;
    }
  }
}

function otherForm(): Error {
  return new Error('The document of the report is incomplete or has another form than this service writes.');
}
