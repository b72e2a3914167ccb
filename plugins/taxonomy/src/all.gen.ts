// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import autoMapElements from './operations/auto-map-elements.ts';
import createMappingAssociation from './operations/create-mapping-association.ts';
import createTaxonomyBlock from './operations/create-taxonomy-block.ts';
import deleteMappingAssociation from './operations/delete-mapping-association.ts';
import deleteTaxonomyBlock from './operations/delete-taxonomy-block.ts';
import updateTaxonomyBlock from './operations/update-taxonomy-block.ts';
import elements from './queries/elements.ts';
import libraryElement from './queries/libraryElement.ts';
import libraryElementArcs from './queries/libraryElementArcs.ts';
import libraryElementClassifications from './queries/libraryElementClassifications.ts';
import libraryElementEquivalents from './queries/libraryElementEquivalents.ts';
import libraryElementTree from './queries/libraryElementTree.ts';
import libraryElements from './queries/libraryElements.ts';
import libraryStructure from './queries/libraryStructure.ts';
import libraryStructures from './queries/libraryStructures.ts';
import libraryTaxonomies from './queries/libraryTaxonomies.ts';
import libraryTaxonomy from './queries/libraryTaxonomy.ts';
import libraryTaxonomyArcCount from './queries/libraryTaxonomyArcCount.ts';
import libraryTaxonomyArcs from './queries/libraryTaxonomyArcs.ts';
import mapping from './queries/mapping.ts';
import mappingCandidates from './queries/mappingCandidates.ts';
import mappingCoverage from './queries/mappingCoverage.ts';
import mappings from './queries/mappings.ts';
import reportingTaxonomy from './queries/reportingTaxonomy.ts';
import searchLibraryElements from './queries/searchLibraryElements.ts';
import structures from './queries/structures.ts';
import taxonomies from './queries/taxonomies.ts';
import taxonomyBlock from './queries/taxonomyBlock.ts';
import taxonomyBlocks from './queries/taxonomyBlocks.ts';
import unmappedElements from './queries/unmappedElements.ts';
import mappingChangedEvent from './events/mapping-changed.ts';
import { ASSOCIATION_HAS_FROM_ELEMENT } from './analytical/ASSOCIATION_HAS_FROM_ELEMENT.ts';
import { ASSOCIATION_HAS_TO_ELEMENT } from './analytical/ASSOCIATION_HAS_TO_ELEMENT.ts';
import { Association } from './analytical/Association.ts';
import { ELEMENT_HAS_TRAIT } from './analytical/ELEMENT_HAS_TRAIT.ts';
import { Element } from './analytical/Element.ts';
import { STRUCTURE_HAS_ASSOCIATION } from './analytical/STRUCTURE_HAS_ASSOCIATION.ts';
import { STRUCTURE_HAS_TAXONOMY } from './analytical/STRUCTURE_HAS_TAXONOMY.ts';
import { Structure } from './analytical/Structure.ts';
import { TAXONOMY_EXTENDS_TAXONOMY } from './analytical/TAXONOMY_EXTENDS_TAXONOMY.ts';
import { Taxonomy } from './analytical/Taxonomy.ts';
import { Trait } from './analytical/Trait.ts';

export const all = {
  operations: [autoMapElements, createMappingAssociation, createTaxonomyBlock, deleteMappingAssociation, deleteTaxonomyBlock, updateTaxonomyBlock],
  queries: [elements, libraryElement, libraryElementArcs, libraryElementClassifications, libraryElementEquivalents, libraryElementTree, libraryElements, libraryStructure, libraryStructures, libraryTaxonomies, libraryTaxonomy, libraryTaxonomyArcCount, libraryTaxonomyArcs, mapping, mappingCandidates, mappingCoverage, mappings, reportingTaxonomy, searchLibraryElements, structures, taxonomies, taxonomyBlock, taxonomyBlocks, unmappedElements],
  events: [mappingChangedEvent],
  nodes: [Association, Element, Structure, Taxonomy, Trait],
  relationships: [ASSOCIATION_HAS_FROM_ELEMENT, ASSOCIATION_HAS_TO_ELEMENT, ELEMENT_HAS_TRAIT, STRUCTURE_HAS_ASSOCIATION, STRUCTURE_HAS_TAXONOMY, TAXONOMY_EXTENDS_TAXONOMY],
} as const satisfies PluginParts;
