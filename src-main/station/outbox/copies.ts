/** The other names of images: copies of those of open cases, and names that a folder has used before. */
import type { Store } from './database.ts'
import { namesBelow } from './images.ts'

export type ImageCopy = {
  readonly image_id: string
  readonly file_name: string
  readonly stem_key: string
  readonly facts: string | null
  readonly record_id: number | null
}

type NewCopy = {
  readonly imageId: string
  readonly folderPath: string
  readonly fileName: string
  readonly stemKey: string
  readonly facts: string | null
  readonly recordId: number | null
}

/** Adds another file that is this image; its name and content count as statements, too. */
export function addCopy(store: Store, copy: NewCopy): void {
  store.run(
    `INSERT OR REPLACE INTO image_copies (image_id, folder_path, file_name, stem_key, facts, record_id)
       VALUES (@imageId, @folderPath, @fileName, @stemKey, @facts, @recordId)`,
    copy,
  )
}

export function copiesOf(store: Store, imageId: string): ImageCopy[] {
  return copiesAmong(store, [imageId])
}

/** The copies of all these images, by name. */
export function copiesAmong(store: Store, imageIds: readonly string[]): ImageCopy[] {
  return store.rows<ImageCopy>`
    SELECT * FROM image_copies WHERE image_id IN (SELECT value FROM json_each(${JSON.stringify(imageIds)}))
    ORDER BY file_name`
}

/** Copies in this directory or below. */
export function copiesInFolder(store: Store, folderPath: string, directory: string): ImageCopy[] {
  return store.rows<ImageCopy>(
    'SELECT * FROM image_copies WHERE folder_path = ? AND file_name >= ? AND file_name < ?',
    folderPath,
    ...namesBelow(directory),
  )
}

/** Binds a copy to the record that governs its folder. */
export function setRecordOfCopy(store: Store, copy: ImageCopy, recordId: number): void {
  store.run`
    UPDATE image_copies SET record_id = ${recordId} WHERE image_id = ${copy.image_id}
    AND file_name = ${copy.file_name}`
}

/** Notes that the folder has used this name for bytes that no image and no copy has under it. */
export function noteFormerName(
  store: Store,
  {
    folderPath,
    stemKey,
    name,
    imageId,
  }: Readonly<Record<'folderPath' | 'stemKey' | 'name', string>> & { readonly imageId: string | null },
): void {
  store.run`
    INSERT OR IGNORE INTO former_names (folder_path, stem_key, name, image_id)
    VALUES (${folderPath}, ${stemKey}, ${name}, ${imageId ?? ''})`
}

type NameUsed = { readonly id: string; readonly name: string; readonly stem_key: string }

/** Every name of these stems that the folder has used, whatever became of the image; an empty `id`: of no image. */
export function namesUsed(store: Store, folderPath: string, stemKeys: readonly string[]): NameUsed[] {
  const stems = JSON.stringify(stemKeys)
  return store.rows<NameUsed>`
    SELECT id, file_name AS name, stem_key FROM images WHERE folder_path = ${folderPath}
    AND stem_key IN (SELECT value FROM json_each(${stems}))
    UNION SELECT image_id, file_name, stem_key FROM image_copies WHERE folder_path = ${folderPath}
    AND stem_key IN (SELECT value FROM json_each(${stems}))
    UNION SELECT image_id, name, stem_key FROM former_names WHERE folder_path = ${folderPath}
    AND stem_key IN (SELECT value FROM json_each(${stems}))`
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

/** Forgets a copy that was skipped, its name, and the archive that it came in: it is read again as any file. */
export function forgetCopy(
  store: Store,
  { folderPath, stemKey, name }: Readonly<Record<'folderPath' | 'stemKey' | 'name', string>>,
): void {
  const parts = name.split('/')
  const above = JSON.stringify(parts.map((_, at) => parts.slice(0, at).join('/')))
  store.run`
    DELETE FROM seen_files WHERE folder_path = ${folderPath} AND ((relative_path = ${name} AND kind = 'duplicate')
    OR (relative_path IN (SELECT value FROM json_each(${above})) AND kind = 'archive'))`
  store.run`
    DELETE FROM former_names WHERE folder_path = ${folderPath} AND stem_key = ${stemKey} AND name = ${name}`
}
