import type { Profile } from '../../src-shared/profile.ts'

/** In the order in which they are offered. */
export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const satisfies readonly Profile['dateOrder'][]
