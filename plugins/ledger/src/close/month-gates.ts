import { type FoundGate, type GateOutcome, gateOutcome } from './close.ts';
import type { CloseGate, CloseGateArgs } from './close-extensions.ts';
import type { CloseFinding, CloseOverride } from './close-facts.ts';

/** Evaluates every gate for a month, so that a refused close lists all blockers at once (ledger 7.3). */
export class MonthGates {
  readonly #gates: readonly CloseGate[];

  constructor(gates: readonly CloseGate[]) {
    this.#gates = gates;
  }

  async evaluate(args: CloseGateArgs, overrides: ReadonlySet<CloseOverride> = new Set()): Promise<GateOutcome> {
    const findings: { gate: FoundGate; finding: CloseFinding }[] = [];
    for (const gate of this.#gates) {
      const finding = await gate.evaluate(args);
      if (finding !== undefined) findings.push({ gate, finding });
    }
    return gateOutcome(findings, overrides);
  }
}
