import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedder, EmbeddingError } from '@pacioli/core/ports';
import { describeEmbedder } from '@pacioli/embedder-words/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onnxEmbedder } from '../src/index.ts';
import { type TinyModelOptions, tinyDimensions, writeTinyModel } from './tiny-model.ts';

const signal = new AbortController().signal;

async function modelFolder(options?: TinyModelOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-onnx-'));
  await writeTinyModel(folder, options);
  return folder;
}

describeEmbedder('onnx', async () => {
  const folder = await modelFolder();
  return { embedder: await onnxEmbedder({ folder }), close: () => rm(folder, { recursive: true }) };
});

describe('onnxEmbedder', () => {
  const folders: string[] = [];
  const folderOf = async (options?: TinyModelOptions): Promise<string> => {
    const folder = await modelFolder(options);
    folders.push(folder);
    return folder;
  };
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await onnxEmbedder({ folder: await folderOf() });
  });
  afterAll(async () => {
    await embedder.close?.();
    for (const folder of folders) await rm(folder, { recursive: true });
  });

  it('has the dimension of the model, and an id by the content of the folder', async () => {
    expect(embedder.dimensions).toBe(tinyDimensions);
    const again = await onnxEmbedder({ folder: await folderOf() });
    const other = await onnxEmbedder({
      folder: await folderOf({ inputs: ['input_ids', 'token_type_ids', 'attention_mask'] }),
    });
    expect([again.id === embedder.id, other.id === embedder.id]).toEqual([true, false]);
    await Promise.all([again.close?.(), other.close?.()]);
  });

  it('reads as many tokens of a text as the file of the tokenizer says, and no more', async () => {
    const long = 'rent '.repeat(126);
    const [most, longer] = await embedder.embed([long, `${long} tax tax tax`], 'passage', { signal });
    expect(longer).toEqual(most);
    const [, fewer] = await embedder.embed([long, `${'rent '.repeat(125)} tax`], 'passage', { signal });
    expect(fewer).not.toEqual(most);
  });

  it('leaves the event loop free while the model runs', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await embedder.embed(Array<string>(256).fill('finished goods of the company '.repeat(25)), 'passage', { signal });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it('drops a call whose caller aborts, and serves the next one', async () => {
    const caller = new AbortController();
    const embedding = embedder.embed(Array<string>(256).fill('x y z '.repeat(60)), 'passage', {
      signal: caller.signal,
    });
    caller.abort(new Error('The caller is gone.'));
    await expect(embedding).rejects.toThrow('The caller is gone.');
    expect(await embedder.embed(['rent'], 'query', { signal })).toHaveLength(1);
  });

  it('refuses calls beyond 64 that wait for the model', async () => {
    const calls = Array.from({ length: 65 }, () => embedder.embed(['rent of the office'], 'query', { signal }));
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
    const refused = settled.find((each) => each.status === 'rejected');
    expect(refused?.reason).toBeInstanceOf(EmbeddingError);
    expect(String(refused?.reason)).toContain('busy');
  });

  it('says which file of the folder is missing', async () => {
    const folder = await folderOf();
    await rm(join(folder, 'tokenizer.json'));
    await expect(onnxEmbedder({ folder })).rejects.toThrow('has no readable file tokenizer.json');
  });

  it('rejects a file that is no model, and models without a vector for each token or with other inputs', async () => {
    const damaged = await folderOf();
    await writeFile(join(damaged, 'model.onnx'), 'not a model');
    await expect(onnxEmbedder({ folder: damaged })).rejects.toThrow(EmbeddingError);
    await expect(onnxEmbedder({ folder: await folderOf({ operator: 'Identity' }) })).rejects.toThrow(
      'no vector for each token',
    );
    await expect(onnxEmbedder({ folder: await folderOf({ inputs: ['input_ids', 'pixels'] }) })).rejects.toThrow(
      'pixels',
    );
  });

  it('refuses calls after it was closed', async () => {
    const closed = await onnxEmbedder({ folder: await folderOf() });
    await closed.close?.();
    await expect(closed.embed(['rent'], 'query', { signal })).rejects.toThrow('closed');
  });
});
