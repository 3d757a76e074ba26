import { isDivision, readName } from '../name-reading.ts'

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

/** The folder of the visit that a file lies in: folders that only divide it by eye or kind (`OD`, `FOP`) are left out. */
export function visitFolderOf(relativePath: string): string {
  let folder = parentOf(relativePath)
  while (folder !== '' && isDivision(readName(folder.slice(folder.lastIndexOf('/') + 1))))
    folder = parentOf(folder)
  return folder
}
