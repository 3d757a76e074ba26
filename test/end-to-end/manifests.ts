/** The manifests beside the images, as a recovery finds them: they follow the outbox half a second later. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../station-process/start-station.ts'

/** Waits until one manifest holds all of these. */
export async function inManifests(dataFolder: string, ...wanted: readonly string[]): Promise<void> {
  await until(`a manifest holds ${wanted.join(', ')}`, async () => {
    const texts = await manifestsIn(dataFolder)
    return texts.some((text) => wanted.every((part) => text.includes(part)))
  })
}

/** The texts of all manifests; one that is just replaced is not among them. */
async function manifestsIn(dataFolder: string): Promise<readonly string[]> {
  const folder = join(dataFolder, 'spool', 'manifests')
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')))
}
