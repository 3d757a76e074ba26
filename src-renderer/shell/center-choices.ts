/** The content of the center menu and dialog. Pure. */
import type { Center, CenterCount } from '../../src-shared/case.ts'
import { t } from '../i18n/i18n.ts'

/** A longer list gets a search. */
export const SEARCHED_FROM = 8

type CurrentCenter =
  | { readonly kind: 'none' }
  /** The service was not asked yet, or did not answer. */
  | { readonly kind: 'unlisted'; readonly centerId: string }
  | { readonly kind: 'listed'; readonly center: Center }
  /** The service's list no longer contains this center. */
  | { readonly kind: 'gone'; readonly centerId: string }

export function currentCenter(centerId: string | null, centers: readonly Center[] | null): CurrentCenter {
  if (centerId === null) return { kind: 'none' }
  const center = centers?.find((one) => one.centerId === centerId)
  if (center) return { kind: 'listed', center }
  return centers === null || centers.length === 0
    ? { kind: 'unlisted', centerId }
    : { kind: 'gone', centerId }
}

export function matchingCenters(centers: readonly Center[], search: string): Center[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean)
  return centers.filter(({ centerId, name }) => {
    const text = `${name ?? ''} ${centerId}`.toLowerCase()
    return terms.every((term) => text.includes(term))
  })
}

export function countAll(waiting: readonly CenterCount[]): number {
  return waiting.reduce((sum, { count }) => sum + count, 0)
}

/** A center's name; its id if it has no name, and a text if there is no center. */
export function centerName(centerId: string | null, centers: readonly Center[]): string {
  if (centerId === null) return t('shell:center.none')
  const name = centers.find((one) => one.centerId === centerId)?.name
  return name ?? t('shell:center.unnamed', { id: centerId })
}
