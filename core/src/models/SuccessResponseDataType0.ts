import { openModel } from '../schema/model.ts';

export default openModel('SuccessResponseDataType0');
