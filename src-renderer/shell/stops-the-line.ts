import type { Banner } from './banner-choice.ts'

const BLOCKING_BANNERS: ReadonlySet<Banner['kind']> = new Set([
  'alarm',
  'lost',
  'notAuthorised',
  'storage',
  'safeMode',
  'signedOut',
  'stopped',
])

/** May it interrupt somebody who listens to the screens? Only what stops all work, or may already have gone wrong. */
export function isBlocking(kind: Banner['kind']): boolean {
  return BLOCKING_BANNERS.has(kind)
}
