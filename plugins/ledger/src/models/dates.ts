import { calendarDate, nullable } from '@pacioli/core';
import { Type } from 'typebox';

/** The two optional dates of a read over time, inclusive. */
export const dateRange = {
  start_date: Type.Optional(nullable(calendarDate())),
  end_date: Type.Optional(nullable(calendarDate())),
};
