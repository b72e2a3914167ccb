import { type Contribution, contribute, graphRemovalSteps, kernel } from '@pacioli/core';
import { builtInFormats } from './built-in-formats.ts';
import { filesOfGraph, ReportFiles } from './report-files.ts';
import { reportSerializers } from './serializer.ts';

/** The formats of this plugin, and the removal of the files of a removed graph. */
export const formatContributions: readonly Contribution[] = [
  contribute(graphRemovalSteps, 'reports', {
    services: { files: kernel.fileStore },
    create: ({ files }) => ({ remove: (graph) => new ReportFiles(files).removeAll(filesOfGraph(graph.id)) }),
  }),
  ...Object.entries(builtInFormats).map(([format, serializer]) =>
    contribute(reportSerializers, format, { create: () => serializer }),
  ),
];
