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

export type ReadEarlier =
  | { readonly kind: 'found'; readonly visit: Visit }
  | { readonly kind: 'none' }
  /** Without a history number the patient is not identified. */
  | { readonly kind: 'noHistoryNumber' }
  /** Without a date nothing is earlier or later. */
  | { readonly kind: 'noVisitDate' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/**
 * The newest visit before this one with exactly the same history number in the same center, because each center
 * numbers its patients itself. Two cases of one day are one visit, and a discarded case is none. The station finds all
 * cases whose number contains this one.
 */
export async function readEarlierVisit(
  session: Pick<StationSession, 'call'>,
  current: Visit,
): Promise<ReadEarlier> {
  const { history_number: number, visit_date: today } = current.fields
  if (!number) return { kind: 'noHistoryNumber' }
  if (!today) return { kind: 'noVisitDate' }
  const isEarlier = ({ id, state, fields, images, centerId }: Visit): boolean =>
    id !== current.id &&
    state !== 'discarded' &&
    fields.history_number === number &&
    centerId === current.centerId &&
    dayOf(fields) !== '' &&
    dayOf(fields) < today &&
    images.some(isSent)
  const earlier: Visit[] = []
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins at the end of the previous one
    const answer = await session.call('submissions.list', {
      search: number,
      limit: PAGE_SIZE,
      ...(after !== undefined && { after }),
    })
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    const { items } = answer.value
    earlier.push(...items.filter(isEarlier))
    after = items.at(-1)?.id
    if (items.length < PAGE_SIZE) break
  }
  const [newest] = earlier.toSorted((one, other) => dayOf(other.fields).localeCompare(dayOf(one.fields)))
  return newest ? { kind: 'found', visit: newest } : { kind: 'none' }
}

function dayOf({ visit_date = '' }: Fields): string {
  return visit_date
}

/** The earlier visit, read once it is wanted; null while loading. Other changes of the case do not change it. */
export function useEarlier(current: Visit, isWanted: boolean): ReadEarlier | null {
  const session = useSession()
  const { id, centerId, fields } = current
  const key = JSON.stringify([id, centerId, fields.history_number, fields.visit_date])
  const earlier = useLoaded(isWanted ? key : null, () => readEarlierVisit(session, current))
  return earlier.kind === 'ready' ? earlier.value : null
}
