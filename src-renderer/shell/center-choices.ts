/** What the menu and the dialog of centers say. Pure. */
import type { Center, CenterCount } from '../../src-shared/case.ts'
import { t } from '../i18n/said.ts'

/** A list that is longer than this is searched. */
export const SEARCHED_FROM = 8

/** The center that is set, as the service's list sees it. */
type CurrentCenter =
  | { readonly kind: 'none' }
  /** The service was not asked yet, or did not answer. */
  | { readonly kind: 'unlisted'; readonly centerId: string }
  | { readonly kind: 'listed'; readonly center: Center }
  /** The service lists centers, and this one is not among them any more. */
  | { readonly kind: 'gone'; readonly centerId: string }

export function currentCenter(centerId: string | null, centers: readonly Center[] | null): CurrentCenter {
  if (centerId === null) return { kind: 'none' }
  const center = centers?.find((one) => one.centerId === centerId)
  if (center) return { kind: 'listed', center }
  return centers === null || centers.length === 0
    ? { kind: 'unlisted', centerId }
    : { kind: 'gone', centerId }
}

/** The centers whose name or id holds each typed word. */
export function matchingCenters(centers: readonly Center[], search: string): Center[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean)
  return centers.filter(({ centerId, name }) => {
    const text = `${name ?? ''} ${centerId}`.toLowerCase()
    return terms.every((term) => text.includes(term))
  })
}

/** How many submissions are here now, whatever center they were made for. */
export function countAll(waiting: readonly CenterCount[]): number {
  return waiting.reduce((sum, { count }) => sum + count, 0)
}

/** What a center is called; one without a name by its id, and none at all in words. */
export function centerName(centerId: string | null, centers: readonly Center[]): string {
  if (centerId === null) return t('shell:center.none')
  const name = centers.find((one) => one.centerId === centerId)?.name
  return name ?? t('shell:center.unnamed', { id: centerId })
}
