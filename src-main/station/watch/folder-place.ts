import { statSync } from 'node:fs'
import { errorCode } from './folder-trouble.ts'
import { walkFolder } from './walk-folder.ts'

/** Which folder stands under a path: where a share is missing, it is an empty one that nobody means. */
export class FolderLocation {
  readonly #path: string
  #last: { readonly identity: string; readonly fileCount: number } | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** How many files the last full look came by. */
  get fileCount(): number {
    return this.#last?.fileCount ?? 0
  }

  /** Which folder this is; another disk or share under the same path is another one. Throws where it is no folder. */
  identity(): string {
    const stats = statSync(this.#path)
    if (!stats.isDirectory()) throw Object.assign(new Error('Not a folder.'), { code: 'ENOTDIR' })
    return `${stats.dev}:${stats.ino}`
  }

  /** A full look came by so many files in the folder of this identity. */
  recordSweep(identity: string, fileCount: number): void {
    this.#last = { identity, fileCount }
  }

  /** Is it another one than before, without the files that were there? */
  isSuddenlyEmpty(identity: string, fileCount: number): boolean {
    return fileCount === 0 && this.fileCount > 0 && this.#last?.identity !== identity
  }

  /** Is there nothing now but the place where a folder with files was? Nothing is to be written into that. */
  isEmptyMountPoint(): boolean {
    try {
      if (this.fileCount === 0 || this.identity() === this.#last?.identity) return false
      return walkFolder(this.#path).next().done === true
    } catch (error) {
      if (errorCode(error) === undefined) throw error
      return true
    }
  }
}
