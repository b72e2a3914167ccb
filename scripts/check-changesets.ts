/** Validates the notes in `.changeset`: each names packages that exist, and how their versions rise. */
import getReleasePlan from '@changesets/get-release-plan';

const root = new URL('..', import.meta.url).pathname;
const { changesets, releases } = await getReleasePlan(root);
for (const { name, type, newVersion } of releases.filter(({ type }) => type !== 'none'))
  console.log(`${name} ${newVersion} (${type})`);
const empty = changesets.filter(({ summary }) => summary.trim() === '');
for (const { id } of empty) console.error(`.changeset/${id}.md says nothing. Write what changes for consumers.`);
if (empty.length > 0) process.exitCode = 1;
