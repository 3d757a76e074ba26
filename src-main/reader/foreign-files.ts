/** Foreign files, opened within this process, which may hang or die in the call. Errors of the disk carry their code. */
import { stat } from 'node:fs/promises'
import { chosenFile, isJunkFile, isSidecar, readSource, withFile } from '../station/lib/files.ts'
import { hashSource, spoolFile } from './copy.ts'
import { readAtOfHandle } from './formats/bytes.ts'
import { expandZip } from './formats/zip.ts'
import { HeldFiles } from './held-files.ts'
import { inspectFile } from './inspect-file.ts'
import type { ForeignFiles, ForeignRequest } from './messages.ts'
import { copyReport } from './report-copy.ts'

/** Released once the station has dealt with them. */
export const heldFiles = new HeldFiles()
const { open } = heldFiles

/** Within this process. What will be asked for again stays open: a whole file until it is copied, a hashed one until it is read. */
export const openedHere: ForeignFiles = {
  copy: (request) => spoolFile(request, open).finally(() => heldFiles.release(request.sourcePath)),
  hash: (path) => hashSource(path, open),
  read: (path, mostBytes) => readSource(path, mostBytes, open).finally(() => heldFiles.release(path)),
  async inspect(path, expected) {
    const found = await inspectFile(path, expected, open)
    const isRead = found.kind === 'whole' || (found.kind === 'other' && isSidecar(path))
    if (!isRead) heldFiles.release(path)
    return found
  },
  async locate(path) {
    const target = await chosenFile(path)
    const found = await stat(target)
    const { size: sizeBytes, mtimeMs, ino: inode } = found
    return { path: target, sizeBytes, mtimeMs: Math.floor(mtimeMs), inode, isFile: found.isFile() }
  },
  async elementsOf(path) {
    // Loaded when it is first needed: few processes ever do.
    const [{ openDicom }, { readElements }] = await Promise.all([
      import('./dicom/dicom.ts'),
      import('./dicom/elements.ts'),
    ])
    return await withFile(open(path), async (handle) =>
      readElements(await openDicom(readAtOfHandle(handle), (await handle.stat()).size)),
    )
  },
  copyReport,
  expand: (path, targetFolder) => expandZip(path, targetFolder, isJunkFile, open),
}

/** Answers a request: once, but to `expand` once for each entry. */
export async function* answersTo(request: ForeignRequest): AsyncGenerator<unknown, void, undefined> {
  switch (request.ask) {
    case 'copy':
      return yield await openedHere.copy(request.request)
    case 'hash':
      return yield await openedHere.hash(request.path)
    case 'read':
      return yield await openedHere.read(request.path, request.mostBytes)
    case 'inspect':
      return yield await openedHere.inspect(request.path, request.expected)
    case 'locate':
      return yield await openedHere.locate(request.path)
    case 'elementsOf':
      return yield await openedHere.elementsOf(request.path)
    case 'copyReport':
      return yield await openedHere.copyReport(request.request)
    case 'expand':
      return yield* openedHere.expand(request.path, request.targetFolder)
  }
}
