import { model, oneOf } from '@pacioli/core';

export default model('SetWritePolicyRequest', {
  write_policy: oneOf(['native', 'qb_authoritative']),
});
