/** The preview of a folder: the station's own decisions, dry run on a temporary outbox. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ParsedInput } from '../../../../src-shared/contract.ts'
import { folderSettingsSchema } from '../../../../src-shared/folder-settings.ts'
import type { Settings } from '../../../../src-shared/settings.ts'
import type { FileNote, ProfileDryRun } from '../../../../src-shared/station-status.ts'
import { worded } from '../../../../src-shared/wording.ts'
import { isSidecar } from '../../lib/files.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import type { FileMark } from '../../../reader/watch-messages.ts'
import { ingestDataFile } from '../ingest-data-file.ts'
import { factsIn } from '../meaning/dicom/facts.ts'
import { assignImage, ignoreByName } from '../ingest.ts'
import { type IngestContext, noteFor } from '../settle.ts'
import { readingOf } from '../visits/pictures.ts'

/** Enough to see how files are read, few enough to answer while a person types. */
const MAX_FILES = 300

/** Beyond this number, the newest files are chosen among the first. */
const MAX_LISTED = 50_000

export type DryRunOptions = Pick<
  IngestContext,
  'clock' | 'foreign' | 'own' | 'peopleInPatientList' | 'readDataFile' | 'settings' | 'version'
> & {
  readonly listFiles: (folderPath: string) => AsyncIterable<FileMark>
  readonly openMemoryOutbox: () => { readonly outbox: Outbox; readonly close: () => void }
}

/** Previews how the files of a folder would be grouped. Only reads; throws the file system's error if it cannot. */
export async function tryProfile(
  options: DryRunOptions,
  input: ParsedInput<'folders.tryProfile'>,
): Promise<ProfileDryRun> {
  const { count, files } = await newestFiles(options, input.path)
  const settings = settingsFor(options.settings(), input)
  const { outbox, close } = options.openMemoryOutbox()
  const notes: FileNote[] = []
  try {
    const context: IngestContext = {
      ...options,
      outbox,
      folderPath: input.path,
      settings: () => settings,
      note: (note) => void notes.push(note),
      storageIs: () => undefined,
      spoolFolder: '',
      pictureFolder: '',
      readPhoto: () => Promise.resolve({ kind: 'notOpened' }),
    }
    for (const file of files)
      await tryFile(context, file).catch(() =>
        noteFor(context, file)('unreadable', worded('intake:dryRun.unreadable')),
      )
    const { items } = outbox.listSubmissions({ limit: MAX_FILES })
    // A preview without its values would say that nothing can be read.
    if (items.some(({ unreadable }) => unreadable !== undefined)) throw new Error('a preview cannot be read')
    const visits = items.filter((one) => one.state !== 'discarded')
    return {
      fileCount: count,
      triedCount: files.length,
      visits: visits.map(({ fields, sources, images, reasons, oddities }) => ({
        fields,
        sources,
        reasons,
        oddities,
        images: images.map(({ fileName, contentType, eye, eyeSource, twinOf }) => ({
          fileName,
          contentType,
          eye,
          eyeSource,
          twinOf: images.find((image) => image.id === twinOf)?.fileName ?? null,
        })),
      })),
      notes,
    }
  } finally {
    close()
  }
}

async function tryFile(context: IngestContext, file: FileMark): Promise<void> {
  const note = noteFor(context, file)
  if (isSidecar(file.relativePath)) {
    await ingestDataFile(context, file)
    return
  }
  const path = join(file.folderPath, file.relativePath)
  const found = await context.foreign.inspect(path, file)
  if (found.kind === 'changed') return
  if (found.kind === 'incomplete') return note('arriving', worded('intake:watch.stillWritten'))
  if (found.kind === 'unreadable') return note('unreadable', found)
  if (found.kind === 'other') return note('ignored', worded('intake:watch.other.unknown'))
  if (found.content === 'zip') return note('ignored', worded('intake:dryRun.archive'))
  if (ignoreByName(context, file)) return
  const facts =
    found.content === 'application/dicom'
      ? factsIn(await context.foreign.elementsOf(path), readingOf(context).nameOrder)
      : null
  // The bytes are not read: the unique name replaces them. The rows are as complete as any, or they could not be read.
  const sha256 = createHash('sha256').update(file.relativePath).digest('hex')
  const bytes = { spoolName: sha256, contentType: found.content, sizeBytes: file.sizeBytes, sha256 }
  const stored = { bytes, facts, picture: null, grey: null, oddities: '[]' }
  context.outbox.write(() => assignImage({ context, mark: file, stored }))
}

async function newestFiles(options: DryRunOptions, path: string) {
  const files: FileMark[] = []
  let count = 0
  for await (const file of options.listFiles(path)) {
    count += 1
    if (files.length < MAX_LISTED) files.push(file)
  }
  return { count, files: files.toSorted((one, other) => other.mtimeMs - one.mtimeMs).slice(0, MAX_FILES) }
}

/** The settings of the station as they would be with this folder. */
function settingsFor(settings: Settings, input: ParsedInput<'folders.tryProfile'>): Settings {
  const { path, reading } = input
  const watched = settings.folders.find((folder) => folder.path === path)
  return {
    ...settings,
    folders: [folderSettingsSchema.parse({ ...watched, ...reading, path })],
  }
}
