import { type Caller, notFound } from '@pacioli/core';
import type { CalendarActor } from '../close/index.ts';

/** The caller as the actor who moves the calendar (ledger L-193). */
export function calendarActor(caller: Pick<Caller, 'userId' | 'credential'>, now: Date): CalendarActor {
  return { userId: caller.userId, type: caller.credential === 'system' ? 'system' : 'user', now };
}

/** Requires that the calendar is initialized (ledger L-156). */
export function requireCalendar<T>(calendar: T | undefined): T {
  if (calendar === undefined) throw notFound('Fiscal calendar not initialized. Call /operations/initialize first.');
  return calendar;
}
