/** Compares what rows name with what lies in the spool. Nothing is changed. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export type SpoolCount = {
  /** Images whose file is not there. */
  readonly missing: number
  /** Files that no row names. */
  readonly unnamed: number
}

/** A spooled file that a row names: an image of the camera, or a picture that was made of one. */
export type SpooledFile = { readonly spoolName: string }

/** Every spooled copy lies in a folder named by the first two characters of its hash. */
const HASH_FOLDER = /^[0-9a-f]{2}$/

export async function countSpool(spoolFolder: string, named: readonly SpooledFile[]): Promise<SpoolCount> {
  const there = new Set<string>()
  for (const folder of (await namesIn(spoolFolder)).filter((name) => HASH_FOLDER.test(name)))
    for (const name of await namesIn(join(spoolFolder, folder))) there.add(`${folder}/${name}`)
  const missing = named.filter(({ spoolName }) => !there.has(spoolName)).length
  for (const { spoolName } of named) there.delete(spoolName)
  return { missing, unnamed: there.size }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
