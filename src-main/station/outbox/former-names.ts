/**
 * The names that a watched folder has used, beside those that its images have now: of copies of images whose cases were
 * closed, and of files that were there before the first start.
 */
import type { Store } from './database.ts'
import { namesBelow } from './images.ts'

type Name = Readonly<Record<'folderPath' | 'stemKey' | 'name', string>>

/** Notes that the folder has used this name for bytes that no image and no copy has under it. */
export function noteFormerName(
  store: Store,
  { folderPath, stemKey, name, imageId }: Name & { readonly imageId: string | null },
): void {
  store.run`
    INSERT OR IGNORE INTO former_names (folder_path, stem_key, name, image_id)
    VALUES (${folderPath}, ${stemKey}, ${name}, ${imageId ?? ''})`
}

/** Every name of this stem that the folder has used, whatever became of the image; an empty `id`: of no image. */
export function namesUsed(
  store: Store,
  folderPath: string,
  stemKey: string,
): { readonly id: string; readonly name: string }[] {
  return store.rows<{ id: string; name: string }>`
    SELECT id, file_name AS name FROM images WHERE folder_path = ${folderPath} AND stem_key = ${stemKey}
    UNION SELECT image_id, file_name FROM image_copies WHERE folder_path = ${folderPath}
    AND stem_key = ${stemKey}
    UNION SELECT image_id, name FROM former_names WHERE folder_path = ${folderPath} AND stem_key = ${stemKey}`
}

/** A name that a copy of an image had after its case was closed. */
type FormerName = { readonly imageId: string; readonly name: string }

/** The images that had names of this stem when their cases were closed already. */
export function formerNamesOfStem(store: Store, folderPath: string, stemKey: string): FormerName[] {
  return store.rows<FormerName>`
    SELECT image_id AS imageId, name FROM former_names WHERE folder_path = ${folderPath}
    AND stem_key = ${stemKey} AND image_id <> ''`
}

/** The same for all names in this directory or below; `directory` is folded, as the keys of stems are. */
export function formerNamesBelow(store: Store, folderPath: string, directory: string): FormerName[] {
  return store.rows<FormerName>(
    `SELECT image_id AS imageId, name FROM former_names
       WHERE folder_path = ? AND stem_key >= ? AND stem_key < ? AND image_id <> ''`,
    folderPath,
    ...namesBelow(directory),
  )
}
