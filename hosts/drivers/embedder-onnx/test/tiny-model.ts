/** Writes a sentence model that is small enough for tests: its vector of a token is a row of one table. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const words =
  'inventory of finished goods litigation against the company rent office warehouses trade receivables tax'.split(' ');
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'.split('');
const vocabulary = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  ...words,
  ...letters,
  ...letters.map((letter) => `##${letter}`),
];

export const tinyDimensions = 32;

export interface TinyModelOptions {
  readonly inputs?: readonly string[];
  /** The only operator: `Gather` returns a vector for each token, and `Identity` returns the table, which is wrong. */
  readonly operator?: 'Gather' | 'Identity';
}

export async function writeTinyModel(folder: string, options: TinyModelOptions = {}): Promise<void> {
  await writeFile(join(folder, 'model.onnx'), modelOf(options));
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer()));
}

function tokenizer(): object {
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
  return {
    version: '1.0',
    truncation: { max_length: 128, strategy: 'LongestFirst', stride: 0, direction: 'Right' },
    added_tokens: special.map((content, id) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      pair: [],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
}

/** A model of one operator, in the protocol buffers of ONNX: the field numbers are those of its `onnx.proto`. */
function modelOf({ inputs = ['input_ids', 'attention_mask'], operator = 'Gather' }: TinyModelOptions): Buffer {
  const [int64, float] = [7, 1];
  const node = operator === 'Gather' ? [text(1, 'table'), text(1, 'input_ids')] : [text(1, 'table')];
  const graph = [
    bytes(1, [...node, text(2, 'last_hidden_state'), text(4, operator)]),
    text(2, 'tiny'),
    bytes(5, [
      number(1, vocabulary.length),
      number(1, tinyDimensions),
      number(2, float),
      text(8, 'table'),
      raw(9, tableOf()),
    ]),
    ...inputs.map((name) => bytes(11, valueInfo(name, int64, ['batch', 'sequence']))),
    bytes(
      12,
      valueInfo('last_hidden_state', float, operator === 'Gather' ? ['batch', 'sequence', 'width'] : ['all', 'width']),
    ),
  ];
  return Buffer.concat([number(1, 8), bytes(7, graph), bytes(8, [text(1, ''), number(2, 13)])]);
}

function valueInfo(name: string, type: number, dimensions: readonly string[]): readonly Buffer[] {
  const shape = bytes(
    2,
    dimensions.map((dimension) => bytes(1, [text(2, dimension)])),
  );
  return [text(1, name), bytes(2, [bytes(1, [number(1, type), shape])])];
}

/** A table of pseudorandom 1 and -1, so that different tokens have different directions. */
function tableOf(): Buffer {
  const table = Buffer.alloc(vocabulary.length * tinyDimensions * 4);
  let state = 7;
  for (let at = 0; at < table.length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    table.writeFloatLE(state < 0 ? -1 : 1, at);
  }
  return table;
}

const number = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)]);
const text = (field: number, value: string): Buffer => raw(field, Buffer.from(value));
const bytes = (field: number, parts: readonly Buffer[]): Buffer => raw(field, Buffer.concat([...parts]));

function raw(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
}

function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128);
  return Buffer.from([...out, rest]);
}
