import { describe, expect, it } from 'vitest'
import { mayTell, timeOfDay } from '../../../src-main/station/notice-choice.ts'
import type { Notice } from '../../../src-main/station/ports.ts'
import { notificationSettingsSchema } from '../../../src-shared/settings.ts'

const ATTENTION: Notice = { kind: 'needsAttention', submissionId: 's1' }
const FOLDER: Notice = { kind: 'folderUnreachable' }
const REPORT: Notice = { kind: 'reportArrived', submissionId: 's1', isUrgent: false }
const URGENT: Notice = { ...REPORT, isUrgent: true }

describe('a notice', () => {
  it.each<[Notice, object, boolean]>([
    [ATTENTION, {}, true],
    [ATTENTION, { needsPerson: 'off' }, false],
    [ATTENTION, { folderUnreachable: 'off', reports: 'off' }, true],
    [FOLDER, {}, true],
    [FOLDER, { folderUnreachable: 'off' }, false],
    [REPORT, {}, true],
    [REPORT, { reports: 'urgent' }, false],
    [REPORT, { reports: 'off' }, false],
    [URGENT, { reports: 'urgent' }, true],
    [URGENT, { reports: 'off' }, false],
  ])('%o with %o is told: %s', (notice, settings, isTold) => {
    expect(mayTell(notice, notificationSettingsSchema.parse(settings), '12:00')).toBe(isTold)
  })

  it.each([
    ['22:00', '07:00', '21:59', true],
    ['22:00', '07:00', '22:00', false],
    ['22:00', '07:00', '00:00', false],
    ['22:00', '07:00', '06:59', false],
    ['22:00', '07:00', '07:00', true],
    ['12:30', '13:30', '12:29', true],
    ['12:30', '13:30', '12:30', false],
    ['12:30', '13:30', '13:29', false],
    ['12:30', '13:30', '13:30', true],
    ['00:00', '00:00', '00:00', true],
  ])('with quiet hours from %s to %s is told at %s: %s', (from, to, time, isTold) => {
    const settings = notificationSettingsSchema.parse({ quiet: { from, to } })
    expect(mayTell(URGENT, settings, time)).toBe(isTold)
  })

  it('goes by the clock on the wall of this computer', () => {
    expect(timeOfDay(new Date(2026, 10, 21, 6, 5).getTime())).toBe('06:05')
    expect(timeOfDay(new Date(2026, 10, 21, 23, 59).getTime())).toBe('23:59')
  })
})
