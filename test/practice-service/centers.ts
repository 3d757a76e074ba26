export type PracticeCenter = { readonly id: string; readonly name: string }

/**
 * The centers and the one switch among them.
 *
 * The interface does not say whether a change follows the token or the client. This service takes the worst
 * reading: one switch for every token of the client, so that a second workstation moves it under our feet.
 */
export class Centers {
  readonly all: readonly PracticeCenter[]
  #currentId: string

  constructor(all: readonly PracticeCenter[]) {
    const first = all[0]
    if (!first) throw new Error('A practice service needs at least one center.')
    this.all = all
    this.#currentId = first.id
  }

  get currentId(): string {
    return this.#currentId
  }

  /** Answers whether there is such a center; an unknown one changes nothing. */
  switchTo(centerId: string): boolean {
    if (!this.all.some((center) => center.id === centerId)) return false
    this.#currentId = centerId
    return true
  }
}
