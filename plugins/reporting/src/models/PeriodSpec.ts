import { calendarDate, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A column of a statement. */
export const PeriodSpec = model('PeriodSpec', { start: calendarDate(), end: calendarDate(), label: Type.String() });
