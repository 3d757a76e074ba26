import { statSync } from 'node:fs'
import { codeOf } from './folder-trouble.ts'
import { walkFolder } from './walk-folder.ts'

/** Which folder stands under a path: where a share is missing, it is an empty one that nobody means. */
export class FolderPlace {
  readonly #path: string
  #before: { readonly identity: string; readonly fileCount: number } | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** How many files the last full look came by. */
  get fileCount(): number {
    return this.#before?.fileCount ?? 0
  }

  /** Which folder this is; another disk or share under the same path is another one. Throws where it is no folder. */
  identity(): string {
    const stats = statSync(this.#path)
    if (!stats.isDirectory()) throw Object.assign(new Error('Not a folder.'), { code: 'ENOTDIR' })
    return `${stats.dev}:${stats.ino}`
  }

  /** A full look came by so many files in the folder of this identity. */
  seen(identity: string, fileCount: number): void {
    this.#before = { identity, fileCount }
  }

  /** Is it another one than before, without the files that were there? */
  isSuddenlyEmpty(identity: string, fileCount: number): boolean {
    return fileCount === 0 && this.fileCount > 0 && this.#before?.identity !== identity
  }

  /** Is there nothing now but the place where a folder with files was? Nothing is to be written into that. */
  isOnlyAPlace(): boolean {
    try {
      if (this.fileCount === 0 || this.identity() === this.#before?.identity) return false
      return walkFolder(this.#path).next().done === true
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      return true
    }
  }
}
