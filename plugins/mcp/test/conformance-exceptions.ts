/** Checks of the conformance suite that fail on purpose, by the reason. */
export type Exceptions = Readonly<Record<string, readonly string[]>>;

const ofBothEras: Exceptions = {
  'Results are one JSON text, with a structured form where the tool declares one (ai-surface M-37).': [
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
  ],
  'Resources and prompts are those of ai-surface M-62; plugins add none, and so no fixture can.': [
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
  'Schemas of arguments have no references and no alternatives at their top (ai-surface M-31).': [
    'json-schema-2020-12-tool-found',
  ],
  'Completion of arguments is not offered, and the capabilities do not name it (ai-surface M-8).': [
    'completion-complete',
  ],
};

/** Of the revision with a handshake, 2025-11-25. */
export const exceptionsWithHandshake: Exceptions = {
  ...ofBothEras,
  'A server without sessions cannot ask its client anything in these revisions (ai-surface M-1, M-20d).': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-general',
    'elicitation-sep1330-general',
    'server-sse-polling-session',
    'server-sse-multiple-streams-session',
  ],
  'Log messages for clients and subscriptions are not offered, and the capabilities do not name them (ai-surface M-8).':
    ['logging-set-level', 'tools-call-with-logging', 'resources-subscribe', 'resources-unsubscribe'],
};

/** Of the tasks extension (ai-surface M-20e). */
export const exceptionsOfTasks: Exceptions = {
  'A run asks one question at a time (platform L-3), so no tool asks several.': ['tasks-mrtr-partial-fulfillment'],
  'No tool requires the extension: without it a call waits for the end of its run (ai-surface M-11, M-20e).': [
    'sep-2663-server-returns-missing-capability-when-required',
  ],
  'A tool asks for a confirmation before its run starts, and for nothing else (ai-surface M-20d).': [
    'sep-2663-mrtr-synchronous-before-task-creation',
  ],
};

/** Of the stateless revision, 2026-07-28. */
export const exceptionsStateless: Exceptions = {
  ...ofBothEras,
  'No tool mirrors an argument to a header.': [
    'sep-2243-server-no-xmcp-tool',
    'sep-2243-server-decode-base64',
    'sep-2243-server-validate-param-match',
    'sep-2243-server-reject-invalid-param-chars',
    'sep-2243-server-reject-param-mismatch',
  ],
  'A tool asks for one thing, a confirmation, under its own key, and never for a sample or for roots (ai-surface M-20d).':
    [
      'sep-2322-elicitation-incomplete',
      'sep-2322-ignore-unexpected-params',
      'sep-2322-sampling-incomplete',
      'sep-2322-list-roots-incomplete',
      'sep-2322-request-state-incomplete',
      'sep-2322-multiple-inputs-incomplete',
      'sep-2322-multi-round-r1',
      'sep-2322-non-tool-incomplete',
      'sep-2322-respect-client-capabilities',
    ],
  'No tool requires a capability: one that cannot be confirmed runs as in the older revisions (ai-surface M-20d).': [
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
  ],
};
