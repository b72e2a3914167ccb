/** Errors of the operations that generate or file a report. */
export const generationErrors = {
  REPORT_NOT_VALIDATED: {
    kind: 'unavailable',
    meaning: 'The validator stopped, took too long or has too many reports waiting. Nothing changed.',
  },
  REPORT_STORE_FAILED: { kind: 'upstream', meaning: 'The file of the report could not be stored. Nothing changed.' },
} as const;

/** The error of an operation that names a report of another graph. */
export const copyError = {
  REPORT_IS_COPY: {
    kind: 'forbidden',
    meaning: 'The report is a copy of another graph, which only that graph changes.',
  },
} as const;

/** Errors of the operations that change a report, which only its author may (P-4). */
export const changeErrors = {
  ...copyError,
  NOT_AUTHOR: { kind: 'forbidden', meaning: 'The report belongs to another author, who is still a member.' },
  NOT_FOUND: 'The graph has no report with this id.',
} as const;
