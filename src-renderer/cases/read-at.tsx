import type { CallOutput } from '../../src-shared/contract.ts'
import { formatAge } from '../format/instants.ts'
import { formatCount } from '../format/numbers.ts'
import { useStationNow } from '../parts/use-now.ts'
import { useAnswer } from '../store/use-answer.ts'
import css from './cases-screen.module.css'
import { t } from '../words/t.ts'

export type ReadAtProps = {
  readonly list: CallOutput<'cases.list'>
  readonly shown: number
  /** How many would be shown if the service told their day. */
  readonly undated: number
}

/** How many of how many, of which center, and how old that is. */
export function ReadAt({ list, shown, undated }: ReadAtProps) {
  const now = useStationNow()
  const { value } = useAnswer('centers.list', {})
  const total = list.items.length
  const center = value?.items.find(({ centerId }) => centerId === list.centerId)?.name
  return (
    <span className={`${css.readAt} tabular`} role="status">
      {[
        shown === total
          ? t('case:count', { count: total, formatted: formatCount(total) })
          : t('case:countOf', { shown: formatCount(shown), total: formatCount(total) }),
        ...(undated === 0 ? [] : [t('case:undated', { count: undated })]),
        ...(list.centerId === null ? [] : [center ?? t('case:ofCenter', { id: list.centerId })]),
        t('case:readAt', { when: formatAge(now - list.readAt) }),
      ].join(' \u00b7 ')}
    </span>
  )
}
