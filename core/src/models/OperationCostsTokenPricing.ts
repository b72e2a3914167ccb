import { mapModel } from '../schema/model.ts';
import tokenPricing from './TokenPricing.ts';

export default mapModel('OperationCostsTokenPricing', tokenPricing);
