/**
 * The folders that some look came by: one that is not among them is news. Kept from one sweep to the next, so that
 * what is gone is not kept for ever.
 */
export class SeenFolders {
  #seen = new Set<string>()
  #seenInSweep = new Set<string>()

  beginSweep(): void {
    this.#seenInSweep = new Set()
  }

  /** A sweep came to its end: what it did not come by is not known any more. */
  endSweep(): void {
    this.#seen = this.#seenInSweep
    this.#seenInSweep = new Set()
  }

  /** A look came by this folder. True where it is the first one. */
  add(relativePath: string): boolean {
    const isNew = !this.#seen.has(relativePath)
    this.#seen.add(relativePath)
    this.#seenInSweep.add(relativePath)
    return isNew
  }

  has(relativePath: string): boolean {
    return this.#seen.has(relativePath)
  }

  /** Nothing is there any more under this path. */
  forget(relativePath: string): void {
    this.#seen.delete(relativePath)
    this.#seenInSweep.delete(relativePath)
  }
}
