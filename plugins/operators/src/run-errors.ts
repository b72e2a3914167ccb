/** The errors of the runs of operators. */
export const runErrors = {
  OPERATORS_DISABLED: { kind: 'forbidden', meaning: 'Operators were switched off after the run was queued.' },
  FORBIDDEN: { kind: 'forbidden', meaning: 'The caller lost the role on the graph after the run was queued.' },
  NOT_FOUND: { kind: 'not_found', meaning: 'The operator or the graph no longer exists.' },
  MAPPING_NOT_FOUND: { kind: 'not_found', meaning: 'The mapping is not in this graph, or it has several.' },
  INSUFFICIENT_CREDITS: { kind: 'payment_required', meaning: 'The credits do not cover the first model call.' },
  NO_LANGUAGE_MODEL: { kind: 'unavailable', meaning: 'This deployment has no language model.' },
  OPERATOR_FAILED: { kind: 'internal', meaning: 'The operator failed after it had made changes, which are listed.' },
} as const;
