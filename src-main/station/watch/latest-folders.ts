/** Where cameras write now, and some more. */
const MAX_RECENT = 32

/** The folders that changed last, by comparing their times with one another: no clock is trusted. */
export class RecentFolders {
  #folders: { readonly relativePath: string; readonly mtimeMs: number }[] = []

  add({ relativePath, mtimeMs }: { readonly relativePath: string; readonly mtimeMs: number }): void {
    this.#folders.push({ relativePath, mtimeMs })
    // Cut now and then, so that a walk through many folders holds few.
    if (this.#folders.length >= 4 * MAX_RECENT) this.#cut()
  }

  paths(): string[] {
    this.#cut()
    return this.#folders.map((folder) => folder.relativePath)
  }

  #cut(): void {
    this.#folders.sort((one, other) => other.mtimeMs - one.mtimeMs)
    this.#folders = this.#folders.slice(0, MAX_RECENT)
  }
}
