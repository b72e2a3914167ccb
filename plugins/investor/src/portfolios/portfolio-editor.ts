import { invalidInput, notFound, ServiceError, type Transaction } from '@pacioli/core';
import {
  changesHolding,
  type Disposal,
  type NewPosition,
  type PositionFields,
  type PositionPatch,
  type PositionRow,
  patchedPosition,
  positionOf,
  requireNamedOnce,
  requirePastDates,
  type StoredPositions,
} from '../positions/index.ts';
import type { Issuers, StoredSecurities } from '../securities/index.ts';
import type { Actor } from '../values/index.ts';
import { type NewPortfolio, type PortfolioPatch, patchedPortfolio, portfolioOf } from './portfolio-rules.ts';
import type { PortfolioRow, StoredPortfolios } from './stored-portfolios.ts';

/** The most active positions of a portfolio, whose block is read as a whole. */
const maxActivePositions = 5_000;

/** The changes of positions in one call; disposals come before additions (P-11). */
export interface PositionDeltas {
  readonly add: readonly NewPosition[];
  readonly update: readonly PositionPatch[];
  readonly dispose: readonly Disposal[];
}

/** The ids of the positions that a write opened, changed or disposed of. */
export interface ChangedPositions {
  readonly opened: readonly string[];
  readonly changed: readonly string[];
  readonly disposed: readonly string[];
}

interface EditorServices {
  readonly portfolios: StoredPortfolios;
  readonly positions: StoredPositions;
  readonly securities: StoredSecurities;
  readonly issuers: Issuers;
}

/** Writes portfolios and their positions, each call in one transaction (investor 5). */
export class PortfolioEditor {
  readonly #use: EditorServices;

  constructor(use: EditorServices) {
    this.#use = use;
  }

  /** Creates a portfolio with its first positions; refusals come in the order of P-1. */
  async create(
    tx: Transaction,
    { portfolio, positions }: { readonly portfolio: NewPortfolio; readonly positions: readonly NewPosition[] },
    by: Actor,
  ): Promise<{ readonly portfolioId: string; readonly changes: ChangedPositions }> {
    const fields = portfolioOf(portfolio);
    const added = newPositions(positions, 'positions', dayOf(by.now));
    if (fields.entity_id !== null) await this.#use.issuers.require(tx, fields.entity_id);
    await this.#requireSecurities(tx, added);
    const { id } = await this.#use.portfolios.create(tx, fields, by);
    const opened = await this.#add(tx, { portfolioId: id, positions: added }, by);
    return { portfolioId: id, changes: { opened, changed: [], disposed: [] } };
  }

  /** Changes a portfolio and its positions, in the order of P-10. */
  async update(
    tx: Transaction,
    portfolioId: string,
    { patch, deltas, by }: { readonly patch: PortfolioPatch; readonly deltas: PositionDeltas; readonly by: Actor },
  ): Promise<ChangedPositions> {
    const today = dayOf(by.now);
    requireNamedOnce(deltas.update, deltas.dispose);
    const added = newPositions(deltas.add, 'positions.add', today);
    deltas.update.forEach((each, index) => {
      requirePastDates(each, { field: `positions.update.${index}`, today });
    });
    const present = await this.#require(tx, portfolioId);
    const fields = patchedPortfolio(present, patch);
    const isOwnerGiven = patch.entity_id != null;
    await this.#requireSecurities(tx, added);
    const locked = await this.#lock(tx, portfolioId, deltas);
    if (isOwnerGiven && fields.entity_id !== null) await this.#use.issuers.require(tx, fields.entity_id);
    const changes = deltas.update.map((each) => changeOf(locked, each));
    const disposals = deltas.dispose.map((each) => disposalOf(locked, each));
    await this.#use.portfolios.update(tx, portfolioId, fields, by.now);
    await this.#use.positions.dispose(tx, { disposals, day: today }, by.now);
    await this.#use.positions.update(tx, changes, by.now);
    const opened = await this.#add(tx, { portfolioId, positions: added }, by);
    return { opened, changed: changes.map(({ id }) => id), disposed: disposals.map(({ id }) => id) };
  }

  /** Removes a portfolio with all its positions, and returns how many there were (P-30 to P-32). */
  async remove(tx: Transaction, portfolioId: string, isConfirmed: boolean): Promise<number> {
    await this.#require(tx, portfolioId);
    const active = await this.#use.positions.countActive(tx, portfolioId);
    if (active > 0 && !isConfirmed)
      throw new ServiceError(
        'conflict',
        'ACTIVE_POSITIONS',
        `Portfolio has ${active} active position(s); set confirm_active_positions=true to cascade-delete.`,
      );
    const removed = await this.#use.positions.removeAll(tx, portfolioId);
    await this.#use.portfolios.remove(tx, portfolioId);
    return removed;
  }

  async #require(tx: Transaction, portfolioId: string): Promise<PortfolioRow> {
    const present = await this.#use.portfolios.findForUpdate(tx, portfolioId);
    if (present === undefined) throw notFound('Portfolio not found.');
    return present;
  }

  /** Requires that all securities exist, and then that all are active (P-1, S-22). */
  async #requireSecurities(tx: Transaction, positions: readonly PositionFields[]): Promise<void> {
    const ids = [...new Set(positions.map((position) => position.security_id))];
    const states = await this.#use.securities.activeStates(tx, ids);
    const missing = ids.filter((id) => !states.has(id)).sort();
    if (missing.length > 0) throw notFound(`Security not found: [${missing.map((id) => `'${id}'`).join(', ')}]`);
    const inactive = ids.find((id) => states.get(id) === false);
    if (inactive !== undefined)
      throw new ServiceError('conflict', 'SECURITY_INACTIVE', `Security is inactive: ${inactive}`);
  }

  /** Locks the positions that the deltas name; each must exist and belong to the portfolio (P-10). */
  async #lock(
    tx: Transaction,
    portfolioId: string,
    { update, dispose }: PositionDeltas,
  ): Promise<ReadonlyMap<string, PositionRow>> {
    const ids = [...update, ...dispose].map(({ id }) => id);
    const rows = await this.#use.positions.lock(tx, ids);
    const unknown = ids.find((id) => !rows.has(id));
    if (unknown !== undefined) throw notFound(`Position not found: ${unknown}`);
    const foreign = ids.find((id) => rows.get(id)?.portfolio_id !== portfolioId);
    if (foreign !== undefined)
      throw new ServiceError(
        'conflict',
        'OTHER_PORTFOLIO',
        `Position ${foreign} does not belong to portfolio ${portfolioId}.`,
      );
    return rows;
  }

  /** Adds positions; the first whose security already has an active one is refused with 409 (P-1, P-12, P-34). */
  async #add(
    tx: Transaction,
    { portfolioId, positions }: { readonly portfolioId: string; readonly positions: readonly PositionFields[] },
    by: Actor,
  ): Promise<readonly string[]> {
    const repeated = positions.find((each, index) => positions.findIndex(isInSecurityOf(each)) < index);
    if (repeated !== undefined) throw alreadyHeld(repeated.security_id, portfolioId);
    const written = await this.#use.positions.add(tx, { portfolioId, positions }, by);
    const securities = new Set(written.map((row) => row.security_id));
    const refused = positions.find((position) => !securities.has(position.security_id));
    if (refused !== undefined) throw alreadyHeld(refused.security_id, portfolioId);
    if (written.length > 0 && (await this.#use.positions.countActive(tx, portfolioId)) > maxActivePositions)
      throw invalidInput(
        `A portfolio holds at most ${maxActivePositions} active positions. Add the others to another portfolio.`,
      );
    return written.map(({ id }) => id);
  }
}

const isInSecurityOf = (position: PositionFields) => (other: PositionFields) =>
  other.security_id === position.security_id;

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

function newPositions(given: readonly NewPosition[], field: string, today: string): readonly PositionFields[] {
  return given.map((position, index) => positionOf(position, { field: `${field}.${index}`, today }));
}

function alreadyHeld(securityId: string, portfolioId: string): ServiceError {
  return new ServiceError(
    'conflict',
    'ALREADY_HELD',
    `An active position already exists for security ${securityId} in portfolio ${portfolioId}.`,
  );
}

/** A locked position, which must not be archived. */
function unarchivedRow(rows: ReadonlyMap<string, PositionRow>, id: string): PositionRow {
  const row = rows.get(id);
  if (row === undefined) throw new Error('A locked position is missing.');
  if (row.status === 'archived') throw notHeld(`Position ${id} is archived.`);
  return row;
}

/** The changed fields of a position; those of its holding are fixed once it is disposed of (P-15). */
function changeOf(rows: ReadonlyMap<string, PositionRow>, patch: PositionPatch) {
  const row = unarchivedRow(rows, patch.id);
  if (row.status !== 'active' && changesHolding(patch)) throw notHeld(`Position ${patch.id} is disposed.`);
  return { id: patch.id, ...patchedPosition(row, patch) };
}

function disposalOf(rows: ReadonlyMap<string, PositionRow>, { id, disposition_reason: reason }: Disposal) {
  if (unarchivedRow(rows, id).status !== 'active') throw notHeld(`Position ${id} is already disposed.`);
  return { id, reason: reason ?? null };
}

function notHeld(message: string): ServiceError {
  return new ServiceError('conflict', 'POSITION_NOT_ACTIVE', message);
}
