import { Type } from 'typebox';
import { instant, model, openObject } from '../schema/model.ts';
import orgUsageSummary from './OrgUsageSummary.ts';

export default model('OrgUsageResponse', {
  org_id: Type.String(),
  period_days: Type.Integer(),
  start_date: instant(),
  end_date: instant(),
  summary: orgUsageSummary,
  graph_details: Type.Array(openObject()),
  daily_trend: Type.Array(openObject()),
});
