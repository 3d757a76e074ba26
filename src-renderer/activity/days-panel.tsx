import { Loader, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { useStation } from '../store/use-station.ts'
import css from './days-chart.module.css'
import { DaysChart } from './days-chart.tsx'
import { t } from '../words/t.ts'

const PERIODS = [14, 30] as const
type Period = (typeof PERIODS)[number]

/** A busy camera brings a case every few seconds; the bars need not follow each. */
const DEBOUNCE_MS = 2_000

/** How many cases came and were sent on each of the last days. */
export function DaysPanel() {
  const [period, setPeriod] = useState<Period>(14)
  const changes = useStation(({ status }) =>
    status === null
      ? ''
      : `${Object.values(status.counts).reduce((sum, count) => sum + count, 0)}/${status.lastSentAt}`,
  )
  const [settled] = useDebouncedValue(changes, DEBOUNCE_MS)
  const { value, failure, readAgain } = useAnswer('station.days', { days: period })
  useEffect(() => {
    if (settled !== '') readAgain()
  }, [settled, readAgain])
  const items = value?.items ?? []
  const isEmpty = items.every(({ added, sent }) => added === 0 && sent === 0)
  return (
    <section className={css.panel} aria-labelledby="days-title">
      <div className={css.head}>
        <h2 id="days-title" className={css.title}>
          {t('activity:chart.title')}
        </h2>
        <span className={css.legend} aria-hidden>
          <span className={css.key} data-of="added" />
          {t('activity:chart.added')}
          <span className={css.key} data-of="sent" />
          {t('activity:chart.sent')}
        </span>
        <SegmentedControl
          size="xs"
          aria-label={t('activity:chart.period')}
          value={String(period)}
          data={PERIODS.map((days) => ({
            value: String(days),
            label: t('activity:chart.lastDays', { count: days }),
          }))}
          onChange={(chosen) => setPeriod(PERIODS.find((days) => String(days) === chosen) ?? 14)}
        />
      </div>
      {failure && !value && <FailureNotice failure={failure} tone="amber" />}
      <div className={css.place}>
        {value ? (
          isEmpty ? (
            <p className={css.empty}>{t('activity:chart.empty', { count: items.length })}</p>
          ) : (
            <DaysChart items={items} />
          )
        ) : (
          !failure && <Loader size="sm" aria-label={t('activity:chart.title')} />
        )}
      </div>
    </section>
  )
}
