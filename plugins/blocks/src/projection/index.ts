export {
  factEntities,
  factPeriods,
  factsOfReports,
  factUnits,
  rowsPerBatch,
  setsOfReports,
} from './projected-facts.ts';
