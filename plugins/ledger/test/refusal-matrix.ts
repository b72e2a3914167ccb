/** The refusals of each operation by status, as in ledger appendix A, with short names for the reasons. */
export const refusalMatrix: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  initialize: { 409: ['started'], 422: ['dates'] },
  'initialize-chart-of-accounts': { 409: ['chart'], 422: ['template'] },
  'link-entity-taxonomy': { 404: ['taxonomy', 'entity'] },
  'update-entity': { 400: ['empty'], 404: ['entity'], 422: ['fields'] },
  'create-agent': { 409: ['duplicate', 'lock'] },
  'update-agent': { 404: ['agent'], 409: ['lock'] },
  'create-event-block': {
    404: ['handler', 'schedule', 'entry'],
    409: ['duplicate', 'ambiguous handler', 'lock'],
    422: [
      'source',
      'metadata',
      'template',
      'unbalanced',
      'closed period',
      'not posted',
      'already reversed',
      'reserved type',
    ],
  },
  'update-event-block': {
    404: ['event', 'successor', 'schedule', 'entry'],
    409: ['lock'],
    422: [
      'transition',
      'effects posted',
      'terminal corrections',
      'protected keys',
      'classification',
      'closed period',
      'unresolved accounts',
      'unbalanced',
      'disposal',
    ],
  },
  'preview-event-block': { 200: ['domain problem'], 422: ['schema'] },
  'execute-event-block': {
    200: ['provider rejection'],
    401: ['provider auth'],
    404: ['event'],
    409: ['lock', 'retracted', 'no drafts'],
    422: ['closed period', 'foreign connection', 'no credentials'],
    503: ['provider down'],
  },
  'create-event-handler': { 403: ['hub'], 409: ['name', 'lock'], 422: ['template'] },
  'update-event-handler': { 403: ['hub'], 404: ['handler'], 409: ['name', 'lock'], 422: ['template'] },
  'update-journal-entry': {
    404: ['entry'],
    409: ['lock'],
    422: ['not draft', 'closed period', 'unbalanced', 'retired account', 'disposal', 'reversal'],
  },
  'delete-journal-entry': {
    404: ['entry'],
    409: ['lock'],
    422: ['not draft', 'closed period', 'last draft', 'disposal', 'reversal'],
  },
  'preview-reconciling-item': { 404: ['event'], 409: ['not flagged'] },
  'resolve-reconciling-item': {
    404: ['event'],
    409: ['not flagged', 're-flagged', 'lock'],
    422: ['blockers', 'closed period', 'unmapped', 'note missing', 'no open period'],
  },
  'set-close-target': { 404: ['calendar'], 409: ['lock'], 422: ['target'] },
  'close-period': {
    404: ['calendar', 'period'],
    409: ['lock', 'already closed'],
    422: ['blockers', 'unbalanced', 'write-back', 'statements'],
  },
  'reopen-period': { 404: ['calendar', 'period'], 409: ['lock'], 422: ['not closed', 'order', 'reason'] },
  'promote-obligations': { 409: ['lock'] },
  'rebuild-schedule': { 404: ['schedule'], 409: ['lock'], 422: ['disposed'] },
  'terminate-schedule': {
    404: ['schedule'],
    409: ['lock'],
    422: ['no month end', 'before the first month', 'posted later', 'reason'],
  },
  'create-information-block': { 404: ['taxonomy'], 422: ['definition', 'elements'] },
  'update-information-block': { 404: ['schedule'], 422: ['definition'] },
  'delete-information-block': { 404: ['schedule'], 422: ['closed period', 'disposal'] },
};

/** Refusals that no request can provoke in this deployment, with the cause. */
export const unreachable: Readonly<Record<string, string>> = {
  'execute-event-block 200 provider rejection':
    'nothing is published without a provider plugin that supports publishing',
  'execute-event-block 401 provider auth': 'nothing is published without a provider plugin that supports publishing',
  'execute-event-block 409 no drafts': 'only an event that would be published needs drafts',
  'execute-event-block 422 no credentials': 'credentials belong to the provider plugin',
  'execute-event-block 503 provider down': 'nothing is published without a provider plugin that supports publishing',
};
