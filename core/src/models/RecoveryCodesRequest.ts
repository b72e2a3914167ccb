import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import recoveryCodesRequestAssertionType0 from './RecoveryCodesRequestAssertionType0.ts';

export default model('RecoveryCodesRequest', {
  password: Type.Optional(nullable(Type.String())),
  assertion: Type.Optional(nullable(recoveryCodesRequestAssertionType0)),
});
