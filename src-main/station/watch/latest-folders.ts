/** Where cameras write now, and some more. */
const MOST_FOLDERS = 32

/** The folders that changed last, by comparing their times with one another: no clock is trusted. */
export class LatestFolders {
  #folders: { readonly relativePath: string; readonly mtimeMs: number }[] = []

  add({ relativePath, mtimeMs }: { readonly relativePath: string; readonly mtimeMs: number }): void {
    this.#folders.push({ relativePath, mtimeMs })
    // Cut now and then, so that a walk through many folders holds few.
    if (this.#folders.length >= 4 * MOST_FOLDERS) this.#cut()
  }

  paths(): string[] {
    this.#cut()
    return this.#folders.map((folder) => folder.relativePath)
  }

  #cut(): void {
    this.#folders.sort((one, other) => other.mtimeMs - one.mtimeMs)
    this.#folders = this.#folders.slice(0, MOST_FOLDERS)
  }
}
