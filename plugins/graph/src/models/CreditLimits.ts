import { model } from '@pacioli/core';
import { Type } from 'typebox';

export default model('CreditLimits', {
  monthly_ai_credits: Type.Integer(),
  current_balance: Type.Integer(),
});
