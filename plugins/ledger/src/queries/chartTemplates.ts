import { defineQuery, model } from '@pacioli/core';
import { Type } from 'typebox';
import { formOfTemplate, templateAccounts, templateFiles, templateTexts } from '../accounts/index.ts';

export default defineQuery({
  name: 'chartTemplates',
  summary: 'The charts of accounts that initialize-chart-of-accounts can create.',
  returns: Type.Array(
    model('ChartTemplate', {
      key: Type.String(),
      display_name: Type.String(),
      description: Type.String(),
      account_count: Type.Integer(),
    }),
  ),
  async resolve() {
    return templateTexts.map(({ key, displayName, description }) => {
      const files = templateFiles(key);
      return {
        key,
        display_name: displayName,
        description,
        account_count: templateAccounts(files.template, files.equity, formOfTemplate(key, null)).length,
      };
    });
  },
});
