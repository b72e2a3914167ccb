import type { Graph } from '@pacioli/core';
import type { Operator } from '../catalog/index.ts';
import type { OperatorMetadataResponse } from '../models/OperatorMetadataResponse.ts';

/** The facts of an operator as callers see them (ai-surface OP-2). */
export function metadataOf(operator: Operator): OperatorMetadataResponse {
  return {
    name: operator.name,
    description: operator.description,
    version: operator.version,
    capabilities: [...operator.capabilities],
    supported_modes: [...operator.modes],
    requires_credits: operator.needsModel,
    author: operator.author ?? null,
    tags: [...(operator.tags ?? [])],
  };
}

/** The operators of a graph by type, or only those with a capability. */
export function listOperators(
  operators: readonly Operator[],
  graph: Graph,
  capability: string | undefined,
): Readonly<Record<string, OperatorMetadataResponse>> {
  const listed = operators.filter(
    (each) => each.fits(graph) && (capability === undefined || each.capabilities.some((own) => own === capability)),
  );
  return Object.fromEntries(listed.map((each) => [each.key, metadataOf(each)]));
}
