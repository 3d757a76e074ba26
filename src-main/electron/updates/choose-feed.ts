/** Where this station looks for updates, or why it does not. Pure. */
import type { UpdateSettings } from '../../../src-shared/settings.ts'
import type { UpdatesOff } from '../../../src-shared/updates.ts'

export type FeedFacts = {
  readonly isPackaged: boolean
  readonly platform: NodeJS.Platform
  /** What the maker of the package said; null for none. */
  readonly packagedFeed: string | null
  readonly settings: UpdateSettings
}

export type FeedChoice =
  | { readonly kind: 'feed'; readonly url: string }
  | { readonly kind: 'off'; readonly why: UpdatesOff }

export function chooseFeed(facts: FeedFacts): FeedChoice {
  if (!facts.isPackaged) return { kind: 'off', why: 'development' }
  // What came as a .deb belongs to the system and its packages.
  if (facts.platform === 'linux') return { kind: 'off', why: 'packageManager' }
  if (facts.settings.install === 'off') return { kind: 'off', why: 'setOff' }
  const url = facts.settings.feed ?? facts.packagedFeed
  return url === null ? { kind: 'off', why: 'noFeed' } : { kind: 'feed', url }
}
