/** Codes, trees and templates of charts of accounts. */
export { accountTree, retainedCode, type TreeNode } from './account-tree.ts';
export type { NewCompanies } from './new-companies.ts';
export { newCompany } from './new-company.ts';
export { StoredNewCompanies } from './stored-new-companies.ts';
export { templateFiles } from './template-files.ts';
export {
  formOfTemplate,
  reportedForm,
  templateAccounts,
  templateKeys,
  templateTexts,
} from './templates.ts';
