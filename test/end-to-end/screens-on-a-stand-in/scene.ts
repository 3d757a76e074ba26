/** A screen in one state, to be shown in any language and theme. */
import type { Page } from 'playwright-core'
import type { StandIn } from './stand-in-station.ts'
import type { Say } from './words-of.ts'

export type Scene = {
  readonly name: string
  readonly hash: string
  /**
   * Needs a page and a station of its own, since it changes them in a way that Escape and another address do not take
   * back.
   */
  readonly isAlone?: boolean
  /** What a printer gets: nobody operates it, so it needs none of what a screen needs. */
  readonly isOnPaper?: boolean
  /** What a person does there until the scene stands; controls are found by the words of the language. */
  readonly prepare?: (page: Page, standIn: StandIn, say: Say) => Promise<unknown>
}
