/** Which earlier visit of the same patient is laid beside this one. Pure. */
import type { Eye } from '../../src-shared/eye.ts'
import type { Fields } from '../../src-shared/fields.ts'
import type { Image, Submission } from '../../src-shared/submission.ts'
import { isSent } from '../submission/board-images.ts'

/** What a visit is known by, and what it shows. */
export type Visit = Pick<Submission, 'id' | 'state' | 'fields' | 'images' | 'centerId'>

export type EarlierVisit =
  | { readonly kind: 'found'; readonly visit: Visit }
  | { readonly kind: 'none' }
  /** Without a history number nobody knows whose images these are. */
  | { readonly kind: 'noHistoryNumber' }
  /** Without a date nothing is earlier or later. */
  | { readonly kind: 'noVisitDate' }

/** What the question to the station needs, or why there is none to ask. */
export function whyNoEarlierVisit({ history_number, visit_date }: Fields): EarlierVisit | null {
  if (!history_number) return { kind: 'noHistoryNumber' }
  return visit_date ? null : { kind: 'noVisitDate' }
}

/**
 * The newest visit before this one, of the same patient: the same history number to the letter, in the same center,
 * since each center counts its patients by itself. Two cases of one day are one visit, and a discarded case is none.
 */
export function earlierVisit(current: Visit, candidates: readonly Visit[]): EarlierVisit {
  const why = whyNoEarlierVisit(current.fields)
  if (why) return why
  const today = current.fields.visit_date ?? ''
  const earlier = candidates.filter(
    ({ id, state, fields, images, centerId }) =>
      id !== current.id &&
      state !== 'discarded' &&
      fields.history_number === current.fields.history_number &&
      centerId === current.centerId &&
      fields.visit_date !== undefined &&
      fields.visit_date !== null &&
      fields.visit_date < today &&
      images.some(isSent),
  )
  const [newest] = earlier.toSorted((one, other) =>
    (other.fields.visit_date ?? '').localeCompare(one.fields.visit_date ?? ''),
  )
  return newest ? { kind: 'found', visit: newest } : { kind: 'none' }
}

/** The image of a visit that belongs beside one of this eye: one that is still here, where there is any. */
export function imageOfEye(images: readonly Image[], eye: Eye): Image | null {
  if (eye === 'unknown') return null
  const ofEye = images.filter((image) => image.eye === eye && isSent(image))
  return ofEye.find(({ removedAt }) => removedAt === null) ?? ofEye[0] ?? null
}

/** Do the two visits name two people? Then one of the numbers may be wrong, and whoever compares them must know. */
export function isOtherName(one: Fields, other: Fields): boolean {
  return (['last_name', 'first_name'] as const).some((name) => {
    const [here, there] = [plainName(one[name]), plainName(other[name])]
    return here !== '' && there !== '' && here !== there
  })
}

function plainName(name: string | null | undefined): string {
  return (name ?? '')
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[\s,.-]+/g, ' ')
    .trim()
    .toLowerCase()
}
