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

type ChartSize = {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
}

/** The end of the scale: 1, 2 or 5 times a power of ten, never a fraction of a case. */
export function roundUp(max: number): number {
  if (max <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(max))
  return ([1, 2, 5, 10].find((factor) => factor * power >= max) ?? 10) * power
}

/** Two bars per day, arrived and sent, in a column for the pointer. */
export function chartShape(items: readonly DayCount[], { width, height, left, top }: ChartSize) {
  const end = roundUp(Math.max(0, ...items.flatMap(({ added, sent }) => [added, sent])))
  const yOf = (value: number): number => top + (height - top) * (1 - value / end)
  const step = items.length === 0 ? 0 : Math.max(0, width - left) / items.length
  const bar = Math.min(14, step * 0.36)
  const barOf = (x: number, value: number) => ({ x, y: yOf(value), width: bar, height: height - yOf(value) })
  return {
    days: items.map(({ day, added, sent }, index) => {
      const x = left + index * step
      const middle = x + step / 2
      return { day, x, width: step, added: barOf(middle - bar - 0.5, added), sent: barOf(middle + 0.5, sent) }
    }),
    ticks: [0, end / 2, end].map((value) => ({ value, y: yOf(value) })),
  }
}

/** Label every nth day so that labels never touch; the last day is always labelled. */
export function labelEvery(days: number, width: number, labelWidth: number): number {
  const fitting = Math.max(1, Math.floor(width / labelWidth))
  return Math.max(1, Math.ceil(days / fitting))
}

const HEIGHT = 118
const LABELS = 22
const LABEL_WIDTH = 62

const LEFT = 34
const RIGHT = 12

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
  const shape = chartShape(items, { width: width - RIGHT, height: HEIGHT, left: LEFT, top: 8 })
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
        ref={ref}
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
        <svg width={width} height={HEIGHT + LABELS} aria-hidden>
          {shape.ticks.map(({ value, y }) => (
            <g key={value}>
              <line className={css.grid} x1={LEFT} x2={width - RIGHT} y1={y} y2={y} />
              <text className={css.label} x={LEFT - 8} y={y + 4} textAnchor="end">
                {formatCount(value)}
              </text>
            </g>
          ))}
          {shape.days.map((one, index) => (
            <g key={one.day} onPointerEnter={() => setPointed(index)}>
              <rect
                className={css.column}
                data-pointed={index === pointed}
                x={one.x}
                y={0}
                width={one.width}
                height={HEIGHT}
              />
              <rect className={css.added} {...one.added} />
              <rect className={css.sent} {...one.sent} />
              {(last - index) % every === 0 && (
                <text
                  className={css.label}
                  x={one.x + one.width / 2}
                  y={HEIGHT + LABELS - 5}
                  textAnchor="middle"
                >
                  {formatShortDay(one.day)}
                </text>
              )}
            </g>
          ))}
        </svg>
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
