/**
 * The folders that some look came by: one that is not among them is news. Kept from one sweep to the next, so that
 * what is gone is not kept for ever.
 */
export class KnownFolders {
  #known = new Set<string>()
  #seenInSweep = new Set<string>()

  beginSweep(): void {
    this.#seenInSweep = new Set()
  }

  /** A sweep came to its end: what it did not come by is not known any more. */
  endSweep(): void {
    this.#known = this.#seenInSweep
    this.#seenInSweep = new Set()
  }

  /** A look came by this folder. True where it is the first one. */
  see(relativePath: string): boolean {
    const isNew = !this.#known.has(relativePath)
    this.#known.add(relativePath)
    this.#seenInSweep.add(relativePath)
    return isNew
  }

  has(relativePath: string): boolean {
    return this.#known.has(relativePath)
  }

  /** Nothing is there any more under this path. */
  forget(relativePath: string): void {
    this.#known.delete(relativePath)
    this.#seenInSweep.delete(relativePath)
  }
}
