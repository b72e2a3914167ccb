// A report has thousands of facts and arcs that differ only in their values, and the validator checks each for a
// millisecond. The shapes see of such a node the number of its values, their datatypes, a few codes and the classes of
// the nodes that it names, so nodes with the same of all these conform together, and one of them is checked.

const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const decimalType = 'http://www.w3.org/2001/XMLSchema#decimal';
const decimalText = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** The classes of the nodes that are many, below the vocabulary of a service. */
const classesOfMany = ['Fact', 'Association', 'CalculationAssociation'];

/** The quads without those of facts and arcs that have the form of an earlier one. */
export function distinctForms(quads, vocabulary) {
  const many = new Set(classesOfMany.map((name) => vocabulary + name));
  const bySubject = new Map();
  for (const quad of quads) {
    const own = bySubject.get(quad.subject.value);
    if (own === undefined) bySubject.set(quad.subject.value, [quad]);
    else own.push(quad);
  }
  const classes = new Map([...bySubject].map(([subject, own]) => [subject, classesOf(own)]));
  const forms = new Set();
  return [...bySubject].flatMap(([subject, own]) => {
    const named = classes.get(subject) ?? [];
    if (named.length === 0 || !named.every((name) => many.has(name))) return own;
    const form = JSON.stringify(own.map((quad) => valueForm(quad, { classes, vocabulary })).sort());
    if (forms.has(form)) return [];
    forms.add(form);
    return own;
  });
}

function classesOf(quads) {
  return quads.flatMap(({ predicate, object }) => (predicate.value === rdfType ? [object.value] : [])).sort();
}

/** What a constraint can tell of a value. No shape constrains a decimal or a text of a fact by anything but its type. */
function valueForm({ predicate, object }, { classes, vocabulary }) {
  const { termType, value } = object;
  if (predicate.value === rdfType) return [predicate.value, value];
  if (termType !== 'Literal') return [predicate.value, termType, classes.get(value) ?? []];
  const { language, datatype } = object;
  const isFree =
    datatype.value === decimalType ? decimalText.test(value) : predicate.value === `${vocabulary}stringValue`;
  return [predicate.value, termType, language, datatype.value, isFree ? null : value];
}
