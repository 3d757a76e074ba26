/** Everything that the examined station knows of one picture, as the station's decisions take it. */
import type { ConfirmedProfile } from '../../src-shared/confirmed-profile.ts'
import { readDicomFacts } from '../../src-main/station/reader/dicom/facts.ts'
import { openDicom } from '../../src-main/station/reader/dicom/dicom.ts'
import type { ContentFacts } from '../../src-main/station/cases/meaning/sources.ts'
import { readAtOfBytes } from '../../src-main/station/reader/formats/bytes.ts'
import { localDate } from '../../src-main/station/cases/meaning/dates.ts'
import type { NameUse } from '../../src-main/station/cases/verdict/binding.ts'
import { type BondedRecord, pictureOf } from '../../src-main/station/cases/verdict/picture.ts'
import type { PictureEvidence } from '../../src-main/station/cases/verdict/evidence.ts'
import { dicomBytes } from './dicom-bytes.ts'
import type { FileEvent } from './world.ts'

/** A picture: every file of one photograph. */
export type KnownPicture = {
  readonly id: string
  readonly photograph: string
  readonly paths: string[]
  /** Of its DICOM files, as the station's reader of bytes states them. */
  readonly facts: { readonly path: string; readonly facts: ContentFacts }[]
  readonly seenMs: number
  readonly mtimeMs: number
}

export type Surroundings = {
  readonly bonds: readonly BondedRecord[]
  /** The confirmed profiles that prove files of its age. */
  readonly proving: readonly ConfirmedProfile[]
  readonly use: NameUse
  readonly isInSharedFolder: boolean
}

/** What the DICOM files of a clinic state, by the bytes of their pictures: written as files, and read as the station does. */
export async function readHeaders(events: readonly FileEvent[]): Promise<ReadonlyMap<string, ContentFacts>> {
  const found = new Map<string, ContentFacts>()
  for (const { content } of events) {
    if (content.kind === 'data' || content.dicom === null || found.has(content.bytes)) continue
    const bytes = dicomBytes(content.dicom)
    found.set(content.bytes, await readDicomFacts(await openDicom(readAtOfBytes(bytes), bytes.length)))
  }
  return found
}

export function evidenceOf(
  { id, paths, facts, seenMs, mtimeMs }: KnownPicture,
  { bonds, proving, use, isInSharedFolder }: Surroundings,
): PictureEvidence {
  return pictureOf({
    id,
    paths,
    seenOn: localDate(seenMs),
    fileDay: localDate(mtimeMs),
    isImported: false,
    isInSharedFolder,
    mtimes: [mtimeMs],
    headers: facts.map((one) => ({ ...one, isShared: false })),
    bonds,
    uses: [use],
    proving,
    isTwinUnproven: false,
  })
}
