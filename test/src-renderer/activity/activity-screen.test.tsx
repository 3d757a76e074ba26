import { expect, it, vi } from 'vitest'
import type { AuditEntry } from '../../../src-shared/contract.ts'
import { all, type Answers, click, find, openWindow, press, shows, type } from '../open-window.tsx'
import { syntheticStatus } from '../synthetic-submission.ts'

const entry = (id: number, rest: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: Date.UTC(2026, 10, 20, 9) + id,
  submissionId: null,
  what: 'imageArrived',
  by: null,
  details: { images: 1 },
  ...rest,
})
const DISCARDED = entry(200, {
  what: 'discarded',
  by: 'QX',
  details: { from: 'review', to: 'discarded', why: 'Test images' },
})
const TRAIL: Answers = {
  'audit.list': ({ before, by, until }) => {
    const newest = [DISCARDED, ...Array.from({ length: 138 }, (_none, index) => entry(199 - index))]
    const left = newest.filter(
      (one) =>
        (before === undefined || one.id < before) &&
        (by === undefined || one.by === by) &&
        (until === undefined || one.at < until),
    )
    return { items: left.slice(0, 100), more: left.length > 100 }
  },
  'audit.export': () => ({ fileName: 'activity.csv', csv: 'at,what\r\n', entries: 1 }),
  'station.days': ({ days = 14 }) => ({
    items: Array.from({ length: days }, (_none, index) => ({
      day: `2026-11-${String(index + 1).padStart(2, '0')}`,
      added: index,
      sent: Math.max(0, index - 1),
    })),
  }),
}

it('the activity shows what happened, by whom and why, goes on by pages, and is narrowed', async () => {
  const { inputsOf } = openWindow('#/activity', TRAIL)
  await shows('Why: Test images')
  const rows = () => document.querySelectorAll('tr[data-entry]').length
  await vi.waitFor(() => expect(rows()).toBe(100))
  await click('button', 'Show older')
  await vi.waitFor(() => expect(rows()).toBe(139))
  expect(all('button', 'Show older')).toEqual([])
  await type('textbox', 'Who', 'QX')
  await vi.waitFor(() => expect(rows()).toBe(1))
  await click('button', 'Clear filters')
  await vi.waitFor(() => expect(rows()).toBe(100))
  await type('textbox', 'Who', 'QX')
  await click('button', 'Save as CSV')
  await vi.waitFor(() => expect(inputsOf('audit.export')).toMatchObject([{ by: 'QX' }]))
})

it('the chart of cases a day says its numbers to the keyboard and to a screen reader, and follows what is sent', async () => {
  const { inputsOf, emit } = openWindow('#/activity', TRAIL)
  await shows('In all: 91 added, 78 sent')
  const chart = await find('slider', 'Day of the chart')
  expect(chart.getAttribute('aria-valuetext')).toBe('14 Nov 2026: 13 added, 12 sent')
  chart.focus()
  press('ArrowLeft', chart)
  await vi.waitFor(() => expect(chart.getAttribute('aria-valuetext')).toBe('13 Nov 2026: 12 added, 11 sent'))
  press('Home', chart)
  await shows('1 Nov 2026: 0 added, 0 sent')
  expect(all('row', /14 Nov 2026/, await find('table', 'Cases a day'))).toHaveLength(1)
  const before = inputsOf('station.days').length
  emit('stationChanged', syntheticStatus({ lastSentAt: Date.now() }))
  await vi.waitFor(() => expect(inputsOf('station.days').length).toBeGreaterThan(before), 5_000)
})
