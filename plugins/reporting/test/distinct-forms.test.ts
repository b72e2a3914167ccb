import { Parser } from 'n3';
import { describe, expect, it } from 'vitest';
import { distinctForms } from '../src/serialization/shapes/distinct-forms.mjs';

const prefixes = `@prefix fin: <https://vocab.example.org/fin/v1#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
  @prefix r: <https://vocab.example.org/report/1/> . r:usd a fin:Unit . r:entity a fin:Entity .`;
const first = 'r:first a fin:Fact ; fin:factType "Numeric" ; fin:unit r:usd ; fin:numericValue "1.50"^^xsd:decimal .';

/** The subjects that remain of the first fact and another one. */
function kept(other: string): readonly string[] {
  const quads = new Parser().parse(`${prefixes}\n${first}\n${other}`);
  const subjects = distinctForms(quads, 'https://vocab.example.org/fin/v1#').map(({ subject }) => subject.value);
  return [...new Set(subjects)].map((subject) => subject.split('/').at(-1) ?? '').sort();
}

describe('distinct-forms', () => {
  it('keeps one of two facts that differ only in their values', () => {
    const other = first.replace('r:first', 'r:other').replace('1.50', '-20000.25');
    expect(kept(other)).toEqual(['entity', 'first', 'usd']);
  });

  it.each([
    ['another code', first.replace('Numeric', 'Number')],
    ['a value that is no decimal', first.replace('1.50', 'many')],
    ['a value of another type', first.replace('xsd:decimal', 'xsd:double')],
    ['a text for a value', first.replace('"1.50"^^xsd:decimal', '"1.50"')],
    ['two values', first.replace('"1.50"^^xsd:decimal', '"1.5"^^xsd:decimal, "2.5"^^xsd:decimal')],
    ['no unit', first.replace('fin:unit r:usd ;', '')],
    ['a unit that is no unit', first.replace('r:usd', 'r:entity')],
    ['a unit that is not in the document', first.replace('r:usd', 'r:eur')],
    ['a property of its own', first.replace('fin:unit', 'fin:status "draft" ; fin:unit')],
    ['another class besides', first.replace('fin:Fact', 'fin:Fact, fin:Period')],
  ])('keeps a fact with %s', (_what, text) => {
    expect(kept(text.replace('r:first', 'r:other'))).toEqual(['entity', 'first', 'other', 'usd']);
  });
});
