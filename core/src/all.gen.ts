// Written by `npm run gen`. Do not edit.
import type { PluginParts } from './define/plugin.ts';
import hello from './queries/hello.ts';
import cancelOperation from './routes/cancel-operation.ts';
import getLiveness from './routes/get-liveness.ts';
import getOperationStatus from './routes/get-operation-status.ts';
import getReadiness from './routes/get-readiness.ts';
import getServiceStatus from './routes/get-service-status.ts';
import resumeOperation from './routes/resume-operation.ts';
import streamOperationEvents from './routes/stream-operation-events.ts';
import removeExpired from './jobs/remove-expired.ts';

export const all = {
  queries: [hello],
  routes: [cancelOperation, getLiveness, getOperationStatus, getReadiness, getServiceStatus, resumeOperation, streamOperationEvents],
  jobs: [removeExpired],
} as const satisfies PluginParts;
