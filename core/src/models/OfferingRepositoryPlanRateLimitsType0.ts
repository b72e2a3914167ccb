import { Type } from 'typebox';
import { mapModel, nullable } from '../schema/model.ts';

export default mapModel('OfferingRepositoryPlanRateLimitsType0', nullable(Type.Integer()));
