import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What lies in a data folder beside the outbox and what belongs to it. */
export type DataFolders = {
  readonly spoolFolder: string
  readonly reportsFolder: string
  readonly thumbnailsFolder: string
  /** Files that a person hands over for a case by hand. */
  readonly uploadsFolder: string
}

/** Makes the folders that are not there yet. */
export async function makeDataFolders(dataFolder: string): Promise<DataFolders> {
  const folders = {
    spoolFolder: join(dataFolder, 'spool'),
    reportsFolder: join(dataFolder, 'reports'),
    thumbnailsFolder: join(dataFolder, 'thumbnails'),
    uploadsFolder: join(dataFolder, 'incoming'),
  }
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 })
  return folders
}
