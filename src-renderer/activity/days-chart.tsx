import { useElementSize } from '@mantine/hooks'
import { useState, type KeyboardEvent } from 'react'
import type { DayCount } from '../../src-shared/day-count.ts'
import { formatCalendarDay } from '../format/instants.ts'
import { formatCount } from '../format/numbers.ts'
import { chartShape, labelEvery } from './chart-shape.ts'
import { shortDayLabel } from './day-label.ts'
import css from './days-chart.module.css'
import { t } from '../words/t.ts'

const HEIGHT = 118
const LABELS = 22
const LABEL_WIDTH = 62
/** Room for the numbers, and for half of the last day's name. */
const LEFT = 34
const RIGHT = 12

/** How far each key goes; `first` and `last` are ends. */
const KEYS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_at, last) => last,
}

export type DaysChartProps = { readonly items: readonly DayCount[] }

/** Two bars a day. The pointer or the arrows choose a day, whose numbers stand above; a table says the same. */
export function DaysChart({ items }: DaysChartProps) {
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
      <p className={`${css.readout} tabular`}>{shown ? dayText(shown) : totalText(items)}</p>
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
                  {shortDayLabel(one.day)}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
      <table className={css.table}>
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
