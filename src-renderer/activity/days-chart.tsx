/** The chart of cases that arrived and were sent per day. */
import { Group, Loader, SegmentedControl } from '@mantine/core'
import { useDebouncedValue, useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'
import type { DayCount } from '../../src-shared/alarms.ts'
import { FailureNotice } from '../components/controls.tsx'
import { formatCalendarDay, formatShortDay } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import { useAnswer, useStation } from '../store/use-station.ts'
import css from './days-chart.module.css'

/** The end of the scale: 1, 2 or 5 times a power of ten, never a fraction of a case. */
export function roundUp(max: number): number {
  if (max <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(max))
  return ([1, 2, 5, 10].find((factor) => factor * power >= max) ?? 10) * power
}

/** Label every nth day so that labels never touch; the last day is always labelled. */
export function labelEvery(days: number, width: number, labelWidth: number): number {
  const fitting = Math.max(1, Math.floor(width / labelWidth))
  return Math.max(1, Math.ceil(days / fitting))
}

const LABEL_WIDTH = 62

const KEYS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_at, last) => last,
}

/** The bars. Pointer and arrow keys select a day, whose numbers are shown above; a table contains the same data. */
function DaysChart({ items }: { readonly items: readonly DayCount[] }) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [pointed, setPointed] = useState<number | null>(null)
  const last = items.length - 1
  const end = roundUp(Math.max(0, ...items.flatMap(({ added, sent }) => [added, sent])))
  const percentOf = (value: number): string => `${(100 * value) / end}%`
  const every = labelEvery(items.length, width, LABEL_WIDTH)
  const shown = pointed === null ? null : (items[pointed] ?? null)
  const press = (event: KeyboardEvent): void => {
    const move = KEYS[event.key]
    if (!move) return
    event.preventDefault()
    setPointed(Math.min(last, Math.max(0, move(pointed ?? last, last))))
  }
  return (
    <>
      <p className="small dim tabular" style={{ height: 24 }}>
        {shown ? dayText(shown) : totalText(items)}
      </p>
      <div
        className={css.chart}
        role="slider"
        tabIndex={0}
        aria-label={t('activity:chart.choose')}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={pointed ?? last}
        aria-valuetext={dayText(shown ?? items[last])}
        onKeyDown={press}
        onFocus={() => setPointed((before) => before ?? last)}
        onBlur={() => setPointed(null)}
        onPointerLeave={() => setPointed(null)}
      >
        <div ref={ref} className={css.plot} aria-hidden>
          {[0, end / 2, end].map((value) => (
            <span key={value} className={css.tick} style={{ bottom: percentOf(value) }}>
              <span>{formatCount(value)}</span>
            </span>
          ))}
          {items.map(({ day, added, sent }, index) => (
            <span
              key={day}
              className={css.column}
              data-pointed={index === pointed}
              onPointerEnter={() => setPointed(index)}
            >
              <span className={css.added} hidden={added === 0} style={{ height: percentOf(added) }} />
              <span className={css.sent} hidden={sent === 0} style={{ height: percentOf(sent) }} />
              {(last - index) % every === 0 && <span className={css.label}>{formatShortDay(day)}</span>}
            </span>
          ))}
        </div>
      </div>
      <table className="visually-hidden">
        <caption>{t('activity:chart.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('activity:chart.day')}</th>
            <th scope="col">{t('activity:chart.added')}</th>
            <th scope="col">{t('activity:chart.sent')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ day, added, sent }) => (
            <tr key={day}>
              <th scope="row">{formatCalendarDay(day)}</th>
              <td>{formatCount(added)}</td>
              <td>{formatCount(sent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function dayText(one: DayCount | undefined): string {
  if (!one) return ''
  return t('activity:chart.ofDay', {
    day: formatCalendarDay(one.day),
    added: formatCount(one.added),
    sent: formatCount(one.sent),
  })
}

function totalText(items: readonly DayCount[]): string {
  const sum = (name: 'added' | 'sent'): number => items.reduce((total, one) => total + one[name], 0)
  return t('activity:chart.inAll', { added: formatCount(sum('added')), sent: formatCount(sum('sent')) })
}

const PERIODS = [14, 30]

/** A busy camera adds a case every few seconds; the chart need not follow each. */
const DEBOUNCE_MS = 2_000

export function DaysPanel() {
  const [period, setPeriod] = useState(14)
  const changes = useStation(({ status }) =>
    status === null
      ? ''
      : `${Object.values(status.counts).reduce((sum, count) => sum + count, 0)}/${status.lastSentAt}`,
  )
  const [settled] = useDebouncedValue(changes, DEBOUNCE_MS)
  const { value, failure } = useAnswer('station.days', { days: period }, settled)
  const items = value?.items ?? []
  const isEmpty = items.every(({ added, sent }) => added === 0 && sent === 0)
  return (
    <section className={css.panel} aria-labelledby="days-title">
      <Group gap={16} wrap="nowrap">
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
          onChange={(chosen) => setPeriod(Number(chosen))}
        />
      </Group>
      {failure && !value && <FailureNotice failure={failure} tone="amber" />}
      <div className={css.frame}>
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
