/** Distribution of reports to other graphs: publish lists, shares, the copies of recipients, and blocks of senders. */
export { Distribution } from './distribution.ts';
export { InterruptedShares } from './interrupted-shares.ts';
export {
  addMembers,
  createList,
  deleteList,
  findList,
  listLists,
  listMembers,
  type MemberRow,
  type PublishListRow,
  removeMember,
  requireOwnList,
  updateList,
} from './publish-lists.ts';
export { countCall } from './recent-calls.ts';
export { sharingErrors, tooManyAdditions } from './refusals.ts';
export { removeCopies } from './report-copy.ts';
export { distributionServices } from './services.ts';
export { acceptedTargets, countActiveShares } from './share-rows.ts';
export {
  blockSource,
  findShareSetting,
  listBlocks,
  type SourceBlockRow,
  setShareSetting,
  unblockSource,
} from './source-blocks.ts';
export { investorDomain, namesOf, requireTargets } from './target-graphs.ts';
