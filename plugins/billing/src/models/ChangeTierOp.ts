import { model, oneOf } from '@pacioli/core';

export default model('ChangeTierOp', {
  new_tier: oneOf(['ladybug-large', 'ladybug-standard', 'ladybug-xlarge']),
});
