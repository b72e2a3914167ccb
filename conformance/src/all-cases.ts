import con001 from '../cases/CON-001.case.ts';
import gql001 from '../cases/GQL-001.case.ts';
import gql002 from '../cases/GQL-002.case.ts';
import plat001 from '../cases/PLAT-001.case.ts';
import plat002 from '../cases/PLAT-002.case.ts';
import plat003 from '../cases/PLAT-003.case.ts';
import plat004 from '../cases/PLAT-004.case.ts';
import plat005 from '../cases/PLAT-005.case.ts';
import plat006 from '../cases/PLAT-006.case.ts';
import plat007 from '../cases/PLAT-007.case.ts';
import plat008 from '../cases/PLAT-008.case.ts';
import plat009 from '../cases/PLAT-009.case.ts';
import plat010 from '../cases/PLAT-010.case.ts';
import plat011 from '../cases/PLAT-011.case.ts';
import plat012 from '../cases/PLAT-012.case.ts';
import plat014 from '../cases/PLAT-014.case.ts';
import plat015 from '../cases/PLAT-015.case.ts';
import plat016 from '../cases/PLAT-016.case.ts';
import plat017 from '../cases/PLAT-017.case.ts';
import plat018 from '../cases/PLAT-018.case.ts';
import type { ConformanceCase } from './define-case.ts';
import { readJsonCases } from './json-case.ts';

/** Every case of this package that is not derived from the served document. */
export function allCases(): readonly ConformanceCase[] {
  return [
    con001,
    gql001,
    gql002,
    plat001,
    plat002,
    plat003,
    plat004,
    plat005,
    plat006,
    plat007,
    plat008,
    plat009,
    plat010,
    plat011,
    plat012,
    plat014,
    plat015,
    plat016,
    plat017,
    plat018,
    ...readJsonCases(),
  ];
}
