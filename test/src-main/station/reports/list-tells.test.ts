import { describe, expect, it } from 'vitest'
import { saysAnswered } from '../../../../src-main/station/lib/case-ids.ts'
import type { AnnouncedReport } from '../../../../src-main/station/outbox/reports.ts'
import { assessList, canSkipCheck } from '../../../../src-main/station/reports/center-lists.ts'
import { DAY, HOUR } from '../../../../src-shared/durations.ts'

const CAME = 1_000 * HOUR
const told: AnnouncedReport = {
  first_version_at: CAME,
  state: 'reported',
  report_mark: null,
  changed_at: CAME,
  read_at: CAME,
}
const marked: AnnouncedReport = { ...told, state: 'x', report_mark: 'there' }
const rejected = { ...told, state: 'rejected' }
const late = { ...told, changed_at: CAME + 1, read_at: CAME + 1 }
const silent = { ...told, state: 'pending', changed_at: 0, read_at: CAME + 2 * HOUR }
const notReadSince = { ...silent, read_at: CAME - 1 }
const lagging = { ...silent, read_at: CAME + HOUR }

describe('the words of a list', () => {
  it.each<[string, readonly AnnouncedReport[], string]>([
    ['nothing was seen', [], 'unknown'],
    ['two reports were told of', [told, told], 'unknown'],
    ['three were told of', [told, told, told], 'tells'],
    ['a mark told of them', [marked, marked, marked], 'tells'],
    ['a rejection told of them', [rejected, rejected, rejected], 'tells'],
    ['it told of them only afterwards', [late, late, late], 'unknown'],
    ['it was silent about one', [told, told, told, silent], 'silent'],
    ['it was not read since', [told, told, told, notReadSince], 'tells'],
    ['it lags by less than an hour', [told, told, told, lagging], 'tells'],
  ])('where %s', (_what, reports, telling) => {
    expect(assessList(reports, saysAnswered)).toBe(telling)
  })
})

describe('a question is spared', () => {
  const now = 2_000 * HOUR
  const spared: Parameters<typeof canSkipCheck>[0] = {
    reliability: 'tells',
    firstVersionAt: null,
    askedAt: now - HOUR,
    listed: { isAnswered: false, changedAt: now - 5 * HOUR, readAt: now - 1 },
    freshSince: now - 6 * 60_000,
    now,
  }
  const said = { isAnswered: false, changedAt: now - 5 * HOUR, readAt: now - 1 }

  it('where a list that tells has just said that nothing is there', () => {
    expect(canSkipCheck(spared)).toBe(true)
  })

  it.each<[string, Partial<typeof spared>]>([
    ['the list is not proven', { reliability: 'unknown' }],
    ['the list was silent', { reliability: 'silent' }],
    ['a report is there that may change', { firstVersionAt: now - DAY }],
    ['it was never asked about', { askedAt: null }],
    ['it was asked about a day ago', { askedAt: now - DAY }],
    ['it was asked about before the clock was set back', { askedAt: now + HOUR }],
    ['the list was read before the clock was set back', { listed: { ...said, readAt: now + 1 } }],
    ['the list does not show it', { listed: null }],
    ['the list shows an answer', { listed: { ...said, isAnswered: true } }],
    ['its words have changed since', { listed: { ...said, changedAt: now - HOUR + 1 } }],
    ['the list is old', { listed: { ...said, readAt: now - HOUR } }],
  ])('and not where %s', (_what, given) => {
    expect(canSkipCheck({ ...spared, ...given })).toBe(false)
  })
})
