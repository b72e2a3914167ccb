/**
 * The thread of a model. Tokenizing and inference are synchronous, so they would block the event loop of the service.
 * Messages in: `{ call, texts }` and `{ cancel }`. Messages out: `{ ready }`, `{ call, vectors }` and `{ call, error }`.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { toUSVString } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** The number of texts that run through the model at once: more need more memory and are not faster. */
const batchTexts = 16;
const standardTokens = 256;
const maxTokens = 512;
/** The characters of a text that are tokenized: enough for as many tokens as a model reads. */
const maxCharacters = 32 * maxTokens;

const canceled = new Set();

async function open() {
  const tokenizerText = await readFile(join(workerData.folder, 'tokenizer.json'), 'utf8');
  const model = await readFile(join(workerData.folder, 'model.onnx'));
  const config = JSON.parse(tokenizerText);
  const session = await InferenceSession.create(model, { intraOpNumThreads: workerData.threads, logSeverityLevel: 3 });
  const opened = {
    session,
    tokenizer: new Tokenizer(config, {}),
    output: session.outputNames.includes('last_hidden_state') ? 'last_hidden_state' : session.outputNames[0],
    tokens: Math.min(config.truncation?.max_length ?? standardTokens, maxTokens),
  };
  const [probe] = await run(opened, ['probe']);
  const digest = createHash('sha256').update(model).update(tokenizerText).digest('hex').slice(0, 16);
  parentPort.postMessage({ ready: { dimensions: probe.length, digest } });
  return opened;
}

/** The ids of a text with its special tokens, of which the last one stays when a text is cut. */
function idsOf({ tokenizer, tokens }, text) {
  const { ids } = tokenizer.encode(toUSVString(text.slice(0, maxCharacters)));
  return ids.length <= tokens ? ids : [...ids.slice(0, tokens - 1), ids.at(-1)];
}

async function run(opened, texts) {
  const rows = texts.map((text) => idsOf(opened, text));
  const width = Math.max(1, ...rows.map((ids) => ids.length));
  const ids = new BigInt64Array(rows.length * width);
  const mask = new BigInt64Array(rows.length * width);
  rows.forEach((row, at) => {
    row.forEach((id, place) => {
      ids[at * width + place] = BigInt(id);
      mask[at * width + place] = 1n;
    });
  });
  const dims = [rows.length, width];
  const all = { input_ids: ids, attention_mask: mask, token_type_ids: new BigInt64Array(ids.length) };
  const feeds = Object.fromEntries(opened.session.inputNames.map((name) => [name, tensor(name, all[name], dims)]));
  const output = (await opened.session.run(feeds))[opened.output];
  if (output.dims.length !== 3) throw new Error(`The output ${opened.output} has no vector for each token.`);
  return rows.map((row, at) => meanOf(output.data, at * width, row.length, output.dims[2]));
}

function tensor(name, data, dims) {
  if (data === undefined) throw new Error(`The model wants the input ${name}, which is not one of a sentence model.`);
  return new Tensor('int64', data, dims);
}

/** The mean of the vectors of a text's tokens, without those of the padding, at length 1. */
function meanOf(data, firstToken, count, dimensions) {
  const sum = new Float64Array(dimensions);
  for (let token = firstToken; token < firstToken + count; token += 1)
    for (let index = 0; index < dimensions; index += 1) sum[index] += data[token * dimensions + index];
  const length = Math.hypot(...sum);
  return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length));
}

async function embed(opened, call, texts) {
  // Texts of similar length share a batch, so that little of it is padding.
  const order = texts.map((_text, at) => at).sort((a, b) => texts[a].length - texts[b].length);
  const vectors = [];
  for (let start = 0; start < order.length; start += batchTexts) {
    await setImmediate(); // Takes the message that cancels this call.
    if (canceled.delete(call)) return undefined;
    const batch = order.slice(start, start + batchTexts);
    const made = await run(
      opened,
      batch.map((at) => texts[at]),
    );
    batch.forEach((at, place) => {
      vectors[at] = made[place];
    });
  }
  return vectors;
}

const opened = await open();
let last = Promise.resolve();
parentPort.on('message', ({ call, texts, cancel }) => {
  if (cancel !== undefined) {
    canceled.add(cancel);
    return;
  }
  last = last.then(async () => {
    try {
      const vectors = await embed(opened, call, texts);
      parentPort.postMessage({ call, vectors });
    } catch (error) {
      parentPort.postMessage({ call, error: String(error?.message ?? error) });
    }
    canceled.delete(call);
  });
});
