import { mkdtempSync, realpathSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'

/** Has something done at an end, the last one first. */
export type AtEnd = (act: () => Promise<void>) => void

/** A folder of its own for the running test, removed after it, or at another end. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fundus-courier-test-')))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A program of a process, written for the running test and removed after it. */
export async function temporaryProgram(code: string): Promise<URL> {
  const path = join(temporaryFolder(), 'program.mjs')
  await writeFile(path, code)
  return pathToFileURL(path)
}
