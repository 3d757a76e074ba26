/** Finds the earlier visit of the same patient for a side-by-side comparison. */
import type { Failure } from '../../src-shared/failure.ts'
import type { Fields } from '../../src-shared/fields.ts'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Image, Submission } from '../../src-shared/submission.ts'
import { foldText } from '../i18n/i18n.ts'
import type { StationSession } from '../store/store.ts'
import { useSession } from '../store/use-station.ts'
import { useLoaded } from '../components/browser.tsx'
import { isSent } from '../components/photo.tsx'

export type Visit = Pick<Submission, 'id' | 'state' | 'fields' | 'images' | 'centerId'>

type EarlierVisit =
  | { readonly kind: 'found'; readonly visit: Visit }
  | { readonly kind: 'none' }
  /** Without a history number the patient is not identified. */
  | { readonly kind: 'noHistoryNumber' }
  /** Without a date nothing is earlier or later. */
  | { readonly kind: 'noVisitDate' }

function whyNoEarlierVisit({ history_number, visit_date }: Fields): EarlierVisit | null {
  if (!history_number) return { kind: 'noHistoryNumber' }
  return visit_date ? null : { kind: 'noVisitDate' }
}

/**
 * The newest visit before this one with exactly the same history number in the same center, because each center
 * numbers its patients itself. Two cases of one day are one visit, and a discarded case is none.
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
      typeof fields.visit_date === 'string' &&
      fields.visit_date < today &&
      images.some(isSent),
  )
  const [newest] = earlier.toSorted((one, other) =>
    (other.fields.visit_date ?? '').localeCompare(one.fields.visit_date ?? ''),
  )
  return newest ? { kind: 'found', visit: newest } : { kind: 'none' }
}

/** The image of a visit to compare with this eye, preferably one whose bytes still exist. */
export function imageOfEye(images: readonly Image[], eye: Eye): Image | null {
  if (eye === 'unknown') return null
  const ofEye = images.filter((image) => image.eye === eye && isSent(image))
  return ofEye.find(({ removedAt }) => removedAt === null) ?? ofEye[0] ?? null
}

/** Do the two visits name two people? Then one of the numbers may be wrong, and the viewer must say so. */
export function isOtherName(one: Fields, other: Fields): boolean {
  return (['last_name', 'first_name'] as const).some((name) => {
    const [here, there] = [plainName(one[name]), plainName(other[name])]
    return here !== '' && there !== '' && here !== there
  })
}

function plainName(name: string | undefined): string {
  return foldText(name ?? '')
    .replaceAll(/[\s,.-]+/g, ' ')
    .trim()
}

const PAGE_SIZE = 200

/** A very short number is part of thousands of others; a visit beyond these pages counts as not found. */
const MAX_PAGES = 25

export type ReadEarlier = EarlierVisit | { readonly kind: 'failed'; readonly failure: Failure }

/** Reads all cases whose number contains this one, and selects those of the same patient. */
export async function readEarlierVisit(
  session: Pick<StationSession, 'call'>,
  current: Visit,
): Promise<ReadEarlier> {
  const why = whyNoEarlierVisit(current.fields)
  if (why) return why
  const search = current.fields.history_number ?? ''
  const candidates: Visit[] = []
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins at the end of the previous one
    const answer = await session.call('submissions.list', {
      search,
      limit: PAGE_SIZE,
      ...(after !== undefined && { after }),
    })
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    const { items } = answer.value
    candidates.push(...items.filter(({ fields }) => fields.history_number === search))
    after = items.at(-1)?.id
    if (items.length < PAGE_SIZE) break
  }
  return earlierVisit(current, candidates)
}

/** The earlier visit, read once it is wanted; null while loading. Other changes of the case do not change it. */
export function useEarlier(current: Visit, isWanted: boolean): ReadEarlier | null {
  const session = useSession()
  const { id, centerId, fields } = current
  const key = JSON.stringify([id, centerId, fields.history_number, fields.visit_date])
  const earlier = useLoaded(isWanted ? key : null, () => readEarlierVisit(session, current))
  return earlier.kind === 'ready' ? earlier.value : null
}
