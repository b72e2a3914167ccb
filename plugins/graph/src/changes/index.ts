/** Graphs and subgraphs that changed since their last nightly backup (graphs B-13). */
export { dueBackups, forgetChanges, noteBackedUp, noteChange, tryAgainLater } from './changed-graphs.ts';
export { WriteMarks } from './write-marks.ts';
