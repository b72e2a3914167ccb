/**
 * Calls of one bucket in the last `seconds`, kept in slots of a sixtieth of that time, at least one second:
 * small, and as precise as `Retry-After`. Pure; the time is an argument.
 */
export interface SlidingWindow {
  readonly seconds: number;
  /** Slot number to number of calls, oldest first. */
  readonly slots: Map<number, number>;
}

const slotsPerWindow = 60;

/** Creates an empty window. */
export function slidingWindow(seconds: number): SlidingWindow {
  return { seconds, slots: new Map() };
}

/** The length of one slot, in milliseconds. */
export function slotMilliseconds(seconds: number): number {
  return Math.max(1, seconds / slotsPerWindow) * 1000;
}

/** Returns the slot of an instant. */
export function slotOf(window: Pick<SlidingWindow, 'seconds'>, nowMs: number): number {
  return Math.floor(nowMs / slotMilliseconds(window.seconds));
}

/** Returns the last slot that has left the window. */
export function slotBefore(window: Pick<SlidingWindow, 'seconds'>, nowMs: number): number {
  return slotOf(window, nowMs - window.seconds * 1000);
}

/** Drops slots that have left the window, and returns the number of calls in it. */
export function countIn(window: SlidingWindow, nowMs: number): number {
  const before = slotBefore(window, nowMs);
  let calls = 0;
  for (const [slot, count] of window.slots) {
    if (slot <= before) window.slots.delete(slot);
    else calls += count;
  }
  return calls;
}

/** Adds calls at an instant. */
export function addTo(window: SlidingWindow, nowMs: number, calls: number): void {
  const slot = slotOf(window, nowMs);
  window.slots.set(slot, (window.slots.get(slot) ?? 0) + calls);
}

/** Whole seconds until the oldest call leaves the window, at least 1; the whole window when it is empty. */
export function secondsUntilCapacity(window: SlidingWindow, nowMs: number): number {
  const oldest = Math.min(...window.slots.keys());
  if (!Number.isFinite(oldest)) return window.seconds;
  const leavesMs = oldest * slotMilliseconds(window.seconds) + window.seconds * 1000;
  return Math.max(1, Math.ceil((leavesMs - nowMs) / 1000));
}
