import { defineOperation, model, nullable, oneOf, ServiceError } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { formOfTemplate, reportedForm, templateAccounts, templateFiles, templateKeys } from '../accounts/index.ts';
import { entities } from '../tokens.ts';

const framework = 'us-gaap';

export default defineOperation({
  name: 'initialize-chart-of-accounts',
  summary:
    'Creates the chart of accounts from a template, with its mapping to the reporting framework, once per graph.',
  role: 'member',
  openapi: { id: 'initialize_chart_of_accounts', tag: 'extensions_robo_ledger' },
  input: model('InitializeChartOfAccountsRequest', {
    template: oneOf(templateKeys),
    entity_type: Type.Optional(nullable(Type.String())),
    name: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
  }),
  output: model('InitializeChartOfAccountsResponse', {
    taxonomy_id: Type.String(),
    name: Type.String(),
    template: oneOf(templateKeys),
    entity_type: Type.String(),
    elements_created: Type.Integer(),
    mappings_created: Type.Integer(),
    frameworks: Type.Optional(Type.Array(Type.String())),
    unresolved: Type.Optional(Type.Array(Type.String())),
  }),
  mcp: { hint: 'Creates the chart of accounts from a template, once, when the books have none.' },
  services: { chartOfAccounts, entities },
  stale: 'chart_of_accounts_initialized',
  errors: { ALREADY_EXISTS: 'The graph already has a chart; a chart is never replaced.' },

  async handle({ input, ctx, use }) {
    if (await use.chartOfAccounts.exists(ctx.tx)) {
      throw new ServiceError(
        'conflict',
        'ALREADY_EXISTS',
        'This graph already has a chart of accounts; a chart is never replaced. Customize it with update-taxonomy-block.',
      );
    }
    const entity = await use.entities.primary(ctx.tx);
    const form = formOfTemplate(input.template, input.entity_type ?? entity?.entity_type);
    const files = templateFiles(input.template);
    const accounts = templateAccounts(files.template, files.equity, form);
    const name = (input.name ?? '').trim() || 'Chart of Accounts';
    const chart = await use.chartOfAccounts.create(ctx.tx, {
      name,
      metadata: { template: input.template, template_version: 1, entity_type: form, frameworks: [framework] },
      accounts,
      mapping: { suggestedBy: 'template' },
      createdBy: ctx.caller.userId,
      now: ctx.now(),
    });
    await use.entities.linkChart(ctx.tx, chart.taxonomyId, ctx.now());
    return {
      taxonomy_id: chart.taxonomyId,
      name,
      template: input.template,
      entity_type: reportedForm(form),
      elements_created: accounts.length,
      mappings_created: chart.mappingsCreated,
      frameworks: [framework],
      unresolved: [...chart.unresolved],
    };
  },
});
