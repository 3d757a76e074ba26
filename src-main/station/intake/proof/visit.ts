/** The judgement on one case: whose pictures, which day, which eye, and whether they belong together. Pure. */
import type { StatedEye } from '../evidence.ts'
import { judgeDay, type PictureOfDay } from './day.ts'
import { judgeEyes, type PictureOfEye } from './eyes.ts'
import { numbersIn } from './numbers.ts'
import { type FolderMemory, judgePatient, type PatientVerdict, type PictureOfPatient } from './patient.ts'
import { folderOfVisit, judgeTogether, type Together } from './together.ts'
import { valueIn, type Verdict } from './verdict.ts'

/** Everything that is known of one picture. */
export type PictureEvidence = Pick<PictureOfPatient, 'id' | 'paths' | 'ids' | 'people' | 'link' | 'instants' | 'doProfilesDiffer' | 'isNamedByRecord' | 'isOverwritten'> &
  Pick<PictureOfDay, 'days' | 'births' | 'seenOn' | 'fileDay'> & {
    readonly eyes: PictureOfEye['stated']
    readonly idHints: PictureOfPatient['hints']
    readonly dayHints: PictureOfDay['hints']
    /** Ms since 1970, by the camera if it says so, else by the file. */
    readonly takenAt: number
    readonly isReadByProfile: boolean
    /** The folder has held two patients: it holds nothing together any more. */
    readonly isInSharedFolder: boolean
  }

export type VisitVerdict = {
  readonly who: PatientVerdict
  readonly day: Verdict<string>
  readonly eyes: ReadonlyMap<string, Verdict<StatedEye>>
  readonly together: Together
}

/** Judges the pictures of one case; excluded ones and twins of others are not among them. */
export function judgeVisit(pictures: readonly PictureEvidence[], memory: FolderMemory): VisitVerdict {
  const eyes = judgeEyes(pictures.map((picture) => ({ ...picture, stated: picture.eyes })))
  const who = judgePatient(
    pictures.map((picture) => ({ ...picture, hints: picture.idHints })),
    memory,
  )
  const day = judgeDay(pictures.map((picture) => ({ ...picture, hints: picture.dayHints })))
  const together = judgeTogether(
    pictures.map(({ id, paths, ids, link, takenAt, isInSharedFolder }) => {
      const verdict = eyes.get(id)
      const isNamed = paths.some((path) => numbersIn(path).length > 0)
      return {
        id,
        takenAt,
        eye: verdict ? valueIn(verdict) : null,
        own: ids.length > 0 ? 'stated' : isNamed ? 'named' : null,
        study: link,
        folder: isInSharedFolder ? null : folderOfVisit(paths[0] ?? ''),
      }
    }),
  )
  return { who, day, eyes, together }
}

/** What a verdict allows: to leave unseen, to be approved by a person who looks, or nothing before an answer. */
export type Clearance = 'mayLeaveUnseen' | 'needsLook' | 'needsAnswer'

export function clearanceOf({ who, day, eyes, together }: VisitVerdict): Clearance {
  const kinds = [who.kind, day.kind, together.kind, ...[...eyes.values()].map(({ kind }) => kind)]
  if (kinds.some((kind) => kind === 'disputed' || kind === 'unknown')) return 'needsAnswer'
  return kinds.includes('proposed') ? 'needsLook' : 'mayLeaveUnseen'
}
