import type { Center } from '../../src-shared/case.ts'
import { t } from '../words/t.ts'

/** What a center is called; one without a name by its id, and none at all in words. */
export function centerName(centerId: string | null, centers: readonly Center[]): string {
  if (centerId === null) return t('shell:center.none')
  const name = centers.find((one) => one.centerId === centerId)?.name
  return name ?? t('shell:center.unnamed', { id: centerId })
}
