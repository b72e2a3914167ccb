import { join } from 'node:path';
import { contribute, definePlugin, searchableTexts } from '@pacioli/core';
import { wordEmbedder } from '@pacioli/embedder-words';
import { lanceSearchIndex } from '@pacioli/search-lancedb';

/**
 * The search index in a folder, with the points of its writes.
 *
 * @param {string} folder
 * @param {(point: string) => Promise<void>} stopAt
 * @returns {import('@pacioli/core/ports').SearchIndex}
 */
export function stoppingIndex(folder, stopAt) {
  const index = lanceSearchIndex({ folder: join(folder, 'search') });
  const { replace, setVectors } = index;
  index.replace = async (...words) => {
    const writing = replace.apply(index, words);
    // The engine writes while the process is killed.
    await stopAt('in the write of the index');
    await writing;
    await stopAt('after the write of the index');
  };
  index.setVectors = async (...words) => {
    await setVectors.apply(index, words);
    await stopAt('after a page of vectors');
  };
  return index;
}

/**
 * An embedder of this name; after a change of the name, the vectors of all entries are made anew.
 *
 * @param {string} name
 * @returns {import('@pacioli/core/ports').Embedder}
 */
export const namedEmbedder = (name) => ({ ...wordEmbedder(), id: name });

/** A plugin with the same text to search in each graph. */
export const letters = definePlugin({
  name: 'letters',
  title: 'Letters',
  version: '0.1.0',
  kernel: '^0.1.0',
  contributions: [
    contribute(searchableTexts, 'letter', {
      create: () => ({
        list: async (_tx, { afterId }) => (afterId === '' ? ['letter_1'] : []),
        find: async () => ({
          sourceType: 'xbrl_textblock',
          title: 'Letter',
          entityName: null,
          entityTicker: null,
          entityCik: null,
          filingDate: null,
          fiscalYear: null,
          fiscalPeriod: null,
          accessionNumber: null,
          passages: [{ content: 'binnacle', sectionId: null, sectionLabel: null, elementQname: 'acme:Note' }],
          isCut: false,
        }),
      }),
    }),
  ],
});
