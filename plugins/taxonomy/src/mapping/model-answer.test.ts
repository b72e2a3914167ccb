import { describe, expect, it } from 'vitest';
import { acceptedProposals, type ModelProposal, readModelAnswer } from './model-answer.ts';

const one =
  '{"element_id": "a", "target_id": "x", "target_qname": "rs-gaap:X", "confidence": 0.9, "reasoning": "Fits."}';
const two =
  '{"element_id": "b", "target_id": null, "target_qname": null, "confidence": 0.1, "reasoning": "None {fits}."}';
const both: readonly ModelProposal[] = [
  { accountId: 'a', targetId: 'x', confidence: 0.9 },
  { accountId: 'b', targetId: null, confidence: 0.1 },
];

describe("a model's answer", () => {
  it.each([
    ['a list', `[${one}, ${two}]`],
    [
      'a code fence with prose around',
      `Here you are:\n\`\`\`json\n[\n${one},\n${two}\n]\n\`\`\`\nAsk me for more {anytime}.`,
    ],
    ['several lists with prose between', `[${one}] and then, "quoted": [${two}]`],
    ['a list that breaks off', `[${one},\n${two},\n{"element_id": "c", "target_id": "x", "confid`],
    ['a list within an object', `{"mappings": [${one}, ${two}]}`],
    ['a confidence as text', `[${one.replace('0.9', '"0.9"')}, ${two}]`],
    ['objects that say nothing', `[${one}, {}, {"confidence": 1}, {"element_id": 7, "confidence": 1}, ${two}]`],
    ['a confidence out of range', `[${one}, ${two}, {"element_id": "a", "target_id": "y", "confidence": 1.1}]`],
    ['a broken object', `[${one}, {"element_id": "a" "target_id": "y"}, ${two}]`],
  ])('is read from %s (taxonomy AM-8)', (_what, text) => {
    expect(readModelAnswer(text)).toEqual(both);
  });

  it('may be nothing at all', () => {
    for (const text of ['', 'I would rather not.', '[', '{'.repeat(70_000), `{"${'{"'.repeat(1_000)}`]) {
      expect(readModelAnswer(text)).toEqual([]);
    }
  });

  it.each(['{', '{"', '{\\"', '{"\\', '{""', '}{"a'])('is read at once when it is %s over and over', (piece) => {
    const noise = piece.repeat(Math.floor(64_000 / piece.length));
    expect(readModelAnswer(noise)).toEqual([]);
  });

  it('is found behind what was never closed', () => {
    expect(readModelAnswer(`${'{'.repeat(60_000)}${one}, {"note": "\\"{", {"x": ${two}]`)).toEqual(both);
  });

  it('counts the surest of several, for accounts that were asked about and targets that were offered', () => {
    const say = (accountId: string, targetId: string, confidence: number) => ({ accountId, targetId, confidence });
    const accepted = acceptedProposals(
      [
        say('a', 'x', 0.4),
        say('a', 'y', 0.6),
        say('a', 'x', 0.5),
        say('a', 'foreign', 1),
        say('z', 'x', 1),
        ...both.slice(1),
      ],
      new Set(['a', 'b']),
      new Set(['x', 'y']),
    );
    expect([...accepted]).toEqual([['a', { targetId: 'y', confidence: 0.6 }]]);
  });
});
