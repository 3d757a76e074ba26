/** Foreign files, opened within this process, which may hang or die in the call. Errors of the disk carry their code. */
import { stat } from 'node:fs/promises'
import { chosenFile, isJunkFile, openSource, readSource, withFile } from '../lib/files.ts'
import { hashSource, spoolFile } from './copy.ts'
import { readAtOfHandle } from './formats/bytes.ts'
import { expandZip } from './formats/zip.ts'
import { inspectFile } from './inspect-file.ts'
import type { ForeignFiles, ForeignRequest } from './messages.ts'
import { copyReport } from './report-copy.ts'

/** Within this process. */
export const openedHere: ForeignFiles = {
  copy: spoolFile,
  hash: hashSource,
  read: readSource,
  inspect: inspectFile,
  async locate(path) {
    const target = await chosenFile(path)
    const found = await stat(target)
    const { size: sizeBytes, mtimeMs, ino: inode } = found
    return { path: target, sizeBytes, mtimeMs: Math.floor(mtimeMs), inode, isFile: found.isFile() }
  },
  async factsOf(path, nameOrder) {
    // Loaded when it is first needed: few processes ever do.
    const [{ openDicom }, { readDicomFacts }] = await Promise.all([
      import('./dicom/dicom.ts'),
      import('./dicom/facts.ts'),
    ])
    return await withFile(openSource(path), async (handle) =>
      readDicomFacts(await openDicom(readAtOfHandle(handle), (await handle.stat()).size), { nameOrder }),
    )
  },
  copyReport,
  expand: (path, targetFolder) => expandZip(path, targetFolder, isJunkFile),
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
    case 'factsOf':
      return yield await openedHere.factsOf(request.path, request.nameOrder)
    case 'copyReport':
      return yield await openedHere.copyReport(request.request)
    case 'expand':
      return yield* openedHere.expand(request.path, request.targetFolder)
  }
}
