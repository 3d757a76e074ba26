/** Which files a test runs: those that screens-once.ts found or built for the run. */
import { fileURLToPath } from 'node:url'
import type { AppFiles } from './desktop.ts'

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')

export function builtFiles(): AppFiles {
  return { folder: PROJECT, isPackaged: true }
}
