import { randomBytes } from 'node:crypto';
import { type Log, notFound, ServiceError, type Store, type Transaction } from '@pacioli/core';
import type { MemorySettings } from '../config.ts';
import { storedTexts, textKeyOf, unitedTags } from '../texts/index.ts';
import type { Memories, NewMemory, PreparedMemory, RecalledMemory, StoredMemory } from '../tokens.ts';
import { bytesOf, type TextEmbedder } from '../vectors/index.ts';
import { type MemoryAccess, requireOpenMemory } from './open-memory.ts';
import type { PendingVectors } from './pending-vectors.ts';
import { Recall, type RecallRequest } from './recall.ts';
import type { StoredMemories, StoredVector } from './stored-memories.ts';

/** The most memories of a graph (ME-4); recall compares the query with each of them. */
export const maxMemories = 10_000;

/** The changes of a memory; undefined keeps a value, null clears it (ME-6). */
export interface MemoryChanges {
  readonly memoryId: string;
  readonly text?: string | undefined;
  readonly memoryType?: string | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly sourceRef?: string | null | undefined;
  readonly provenance?: NewMemory['provenance'];
}

export interface PreparedChanges {
  readonly changes: MemoryChanges;
  /** The vector of the new text: undefined without a new text, null if the embedder did not answer. */
  readonly vector: Float32Array | null | undefined;
}

interface GraphMemoriesParts {
  readonly settings: MemorySettings;
  readonly store: Store;
  readonly memories: StoredMemories;
  readonly embedder: TextEmbedder;
  readonly pending: PendingVectors;
}

interface EmbedOptions {
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Stores, changes and finds the memories of graphs. Callers check roles first. */
export class GraphMemories implements Memories {
  readonly #use: GraphMemoriesParts;
  readonly #recall: Recall;

  constructor(use: GraphMemoriesParts) {
    this.#use = use;
    this.#recall = new Recall({ ...use, ranking: use.settings.ranking });
  }

  /** False while the deployment has switched memory off. */
  get isOn(): boolean {
    return this.#use.settings.enabled;
  }

  requireOpen(graph: { readonly type: string; readonly parentId?: string }, access: MemoryAccess): void {
    requireOpenMemory(this.#use.settings, graph, access);
  }

  async prepare(given: NewMemory, options: EmbedOptions): Promise<PreparedMemory> {
    const memory = { ...given, ...storedTexts(given) } as NewMemory; // Texts that were given are still there.
    return { memory, vector: await this.#use.embedder.ofNewText(memory.text, options) };
  }

  async remember(
    tx: Transaction,
    { memory, vector }: PreparedMemory,
    by: { readonly userId: string; readonly now: Date },
  ): Promise<StoredMemory> {
    const { memories, pending } = this.#use;
    await memories.lock(tx);
    const textKey = textKeyOf(memory.text);
    const existing = await memories.findText(tx, memory.memoryType, textKey);
    if (existing !== undefined) {
      const again = { ...existing, tags: unitedTags(existing.tags, memory.tags), updatedAt: by.now };
      await memories.update(tx, { ...again, textKey }, 'unchanged');
      return again;
    }
    const count = await memories.count(tx);
    if (count >= maxMemories) {
      const message = `Memory limit reached (${count}/${maxMemories}).`;
      throw new ServiceError('invalid_input', 'MEMORY_LIMIT_REACHED', message);
    }
    const stored: StoredMemory = {
      id: `mem_${randomBytes(16).toString('hex')}`,
      text: memory.text,
      source: memory.source,
      memoryType: memory.memoryType,
      tags: memory.tags ?? null,
      sourceRef: memory.sourceRef ?? null,
      provenance: memory.provenance ?? null,
      createdBy: by.userId,
      createdAt: by.now,
      updatedAt: by.now,
    };
    await memories.insert(tx, { ...stored, textKey, vector: this.#stored(vector) });
    await pending.recordWrite(tx, vector === null ? null : this.#use.embedder.model);
    return stored;
  }

  /** Checks the new texts and makes the vector of a new text, outside of any transaction. */
  async prepareChanges(given: MemoryChanges, options: EmbedOptions): Promise<PreparedChanges> {
    const changes = { ...given, ...storedTexts(given) };
    const vector = changes.text === undefined ? undefined : await this.#use.embedder.ofNewText(changes.text, options);
    return { changes, vector };
  }

  /** Changes the given fields only (ME-6); 404 for an unknown id, 409 if another memory of the type has the text. */
  async update(tx: Transaction, { changes, vector }: PreparedChanges, now: Date): Promise<StoredMemory> {
    const { memories, pending } = this.#use;
    await memories.lock(tx);
    const before = await this.require(tx, changes.memoryId);
    const isUnchanged = [changes.text, changes.memoryType, changes.tags, changes.sourceRef, changes.provenance].every(
      (value) => value === undefined,
    );
    if (isUnchanged) return before;
    const after: StoredMemory = {
      ...before,
      text: changes.text ?? before.text,
      memoryType: changes.memoryType ?? before.memoryType,
      tags: replaced(changes.tags, before.tags),
      sourceRef: replaced(changes.sourceRef, before.sourceRef),
      provenance: replaced(changes.provenance, before.provenance),
      updatedAt: now,
    };
    const textKey = textKeyOf(after.text);
    const same = await memories.findText(tx, after.memoryType, textKey);
    if (same !== undefined && same.id !== before.id) {
      const message = `The memory ${same.id} has this text and type already. Update that one, or forget one of them.`;
      throw new ServiceError('conflict', 'ALREADY_EXISTS', message);
    }
    const isNewText = vector !== undefined && after.text !== before.text;
    await memories.update(tx, { ...after, textKey }, isNewText ? this.#stored(vector) : 'unchanged');
    if (isNewText) await pending.recordWrite(tx, vector === null ? null : this.#use.embedder.model);
    return after;
  }

  /** 404 for an id that is not in the graph (ME-8). */
  async require(tx: Transaction, memoryId: string): Promise<StoredMemory> {
    const found = await this.#use.memories.find(tx, memoryId);
    if (found === undefined) throw notFound('Memory not found');
    return found;
  }

  recall(
    graphId: string,
    request: RecallRequest,
    options: { readonly now: Date; readonly signal: AbortSignal },
  ): Promise<readonly RecalledMemory[]> {
    return this.#recall.run(graphId, request, options);
  }

  #stored(vector: Float32Array | null): StoredVector | null {
    return vector === null ? null : { model: this.#use.embedder.model, bytes: bytesOf(vector) };
  }
}

/** The new value, null included, or the old one if none was given. */
function replaced<T>(value: T | undefined, before: T): T {
  return value === undefined ? before : value;
}
