/** A person at the screens, each of whose acts is counted. */
import type { Locator } from 'playwright-core'

export type Hands = {
  /** A click, on a control or into a list of choices. */
  click(what: Locator): Promise<void>
  /** A field that is filled in: going there and typing is one act. */
  type(where: Locator, text: string): Promise<void>
  /** All acts so far. */
  readonly count: () => number
}

/** Looking is not counted, nor is a moment in which the station works. */
export function countedHands(): Hands {
  let acts = 0
  return {
    async click(what) {
      acts += 1
      await what.click()
    },
    async type(where, text) {
      acts += 1
      await where.fill(text)
    },
    count: () => acts,
  }
}
