import { model } from '@pacioli/core';
import { Type } from 'typebox';

export default model('RateLimits', {
  requests_per_minute: Type.Integer(),
  requests_per_hour: Type.Integer(),
  burst_capacity: Type.Integer(),
});
