import { openModel } from '../schema/model.ts';

export default openModel('PasskeyRegisterOptionsRequestAssertionType0');
