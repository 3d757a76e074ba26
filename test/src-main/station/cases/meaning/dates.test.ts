import { describe, expect, it } from 'vitest'
import {
  dateInName,
  type DateOrder,
  type DayReading,
  localDate,
  monthOf,
  offsetOf,
  readDay,
} from '../../../../../src-main/station/cases/meaning/dates.ts'
import { HOUR } from '../../../../../src-shared/durations.ts'

const DAY = { kind: 'day', day: '2026-11-07' } as const

/** Year first, unless a row says otherwise. */
function orderOf(order: unknown): DateOrder {
  return order === 'dmy' || order === 'mdy' ? order : 'ymd'
}

describe('a day', () => {
  it.each<readonly (string | number)[]>([
    ['2026-11-07'],
    ['20261107'],
    [20_261_107],
    ['2026/11/7'],
    ['2026_11_07'],
    ['2026-11-07T09:15:00'],
    ['2026-11-07 09:15:00.123'],
    ['2026-11-07, 9:15 a.m.'],
    ['20261107T0915'],
    ['20261107091500'],
    ['２０２６-１１-０７'],
    ['٢٠٢٦-١١-٠٧'],
    ['07.11.2026', 'dmy'],
    ['7/11/2026 09:15', 'dmy'],
    ['11/07/2026', 'mdy'],
    ['7 Nov 2026'],
    ['07-NOV-2026 09:15'],
    ['7. November 2026'],
    ['7 de noviembre de 2026'],
    ['7 novembre 2026'],
    ['November 7, 2026'],
    ['Sat, 7 Nov 2026'],
    ['Sat Nov 7 2026'],
    ['2026-Nov-07'],
  ])('is read of %s', (text, order) => expect(readDay(text, orderOf(order))).toEqual(DAY))

  it.each<readonly unknown[]>([
    ['2026-02-30'],
    ['31.02.2026', 'dmy'],
    ['2026-1107'],
    ['7 Nob 2026'],
    ['2026-11-07 OD'],
    ['2026-11-07 25:00'],
    ['9999-12-31'],
    ['1720-01-01'],
    ['07.11.26', 'dmy'],
    ['46333'],
    ['1795000000'],
    [''],
    [null],
    [{}],
  ])('is none of %s', (text, order) => expect(readDay(text, orderOf(order))).toEqual({ kind: 'none' }))

  it('whose order is not known is unsure', () => {
    expect(readDay('07/11/2026', 'ymd')).toEqual({ kind: 'unsure' })
    expect(readDay('17/11/2026', 'ymd')).toEqual({ kind: 'unsure' })
  })
})

/** How a moment here is written with another offset from UTC, in hours. */
function writtenAt(moment: string, offset: number): string {
  const shifted = new Date(Date.parse(moment) + offset * HOUR).toISOString().slice(0, 19)
  return `${shifted}${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`
}

const OWN_OFFSET = -new Date('2026-11-07T12:00:00').getTimezoneOffset() / 60

describe('an instant', () => {
  it.each([
    ['noon, written nearby', '2026-11-07T12:00:00', OWN_OFFSET + 2],
    ['before midnight, in the clinic’s own zone', '2026-11-07T23:50:00', OWN_OFFSET],
  ])('of %s is the day that it writes', (_, moment, offset) =>
    expect(readDay(writtenAt(moment, offset), 'ymd')).toEqual(DAY),
  )

  it.each([
    ['before midnight, written further east', '2026-11-07T23:30:00', OWN_OFFSET + 1, '2026-11-08'],
    ['after midnight, written further west', '2026-11-07T00:20:00', OWN_OFFSET - 1, '2026-11-06'],
    ['the morning, written far in the west', '2026-11-07T06:00:00', OWN_OFFSET - 9, '2026-11-06'],
  ])('of %s is a day here and another there', (_, moment, offset, written) =>
    expect(readDay(writtenAt(moment, offset), 'ymd')).toEqual({
      kind: 'instant',
      day: '2026-11-07',
      written,
    }),
  )

  it('at midnight is a day without a time if it is of a birth', () =>
    expect(readDay('1970-06-02T00:00:00Z', 'ymd', 'birth')).toEqual({ kind: 'day', day: '1970-06-02' }))

  it('is a day of this machine’s zone', () =>
    expect(localDate(new Date(2026, 10, 7, 23, 59).getTime())).toBe('2026-11-07'))

  it.each([
    ['Z', 0],
    ['UTC', 0],
    ['+0530', 330],
    ['GMT-3', -180],
    ['\u221204:00', -240],
    ['+1900', null],
    ['CET', null],
  ])('states its offset as %s', (zone, minutes) => expect(offsetOf(zone)).toBe(minutes))
})

describe('a month', () => {
  it.each([
    ['ene', '01'],
    ['Februar', '02'],
    ['MÄRZ', '03'],
    ['avril', '04'],
    ['Mayo', '05'],
    ['juin', '06'],
    ['juillet', '07'],
    ['août', '08'],
    ['set', '09'],
    ['Okt', '10'],
    ['dezembro', '12'],
    ['ma', null],
    ['Marta', null],
    ['Julia', null],
    ['decided', null],
  ])('by the name %s', (name, month) => expect(monthOf(name)).toBe(month))
})

describe('a date in a name', () => {
  it.each<readonly [name: string, text: string, value: string | null, days: readonly string[]]>([
    ['20261107_OD', '20261107', '2026-11-07', ['2026-11-07']],
    ['2026-11-07 09-15-00 x', '2026-11-07 09-15-00', '2026-11-07', ['2026-11-07']],
    ['07-11-2026', '07-11-2026', null, ['2026-07-11', '2026-11-07']],
    ['07Nov2026_OD', '07Nov2026', '2026-11-07', ['2026-11-07']],
    ['7-nov-2026', '7-nov-2026', '2026-11-07', ['2026-11-07']],
    ['2026_Nov_07_OS', '2026_Nov_07', '2026-11-07', ['2026-11-07']],
    ['Nov 07 2026_OS', 'Nov 07 2026', '2026-11-07', ['2026-11-07']],
    ['November 7, 2026', 'November 7, 2026', '2026-11-07', ['2026-11-07']],
    ['dez-07-2026-x', 'dez-07-2026', '2026-12-07', ['2026-12-07']],
    ['Ago_07_2026_0915', 'Ago_07_2026_0915', '2026-08-07', ['2026-08-07']],
  ])('%s', (name, text, value, days) =>
    expect(dateInName(name, 0)).toMatchObject({ text, value, days } satisfies Partial<
      ReturnType<typeof dateInName>
    >),
  )

  it.each([
    '20261307',
    '07Sol2026',
    '2026_Sol_07',
    '30-02-20261',
    'NOV072026',
    'Nov 31 2026',
    'Marta 07 2026',
  ])('%s is none', (name) => expect(dateInName(name, 0)?.value ?? null).toBeNull())
})

it('reads a column without its other rows', () => {
  const readings: readonly DayReading[] = ['07/11/2026', '17/11/2026'].map((text) => readDay(text, 'mdy'))
  expect(readings).toEqual([{ kind: 'day', day: '2026-07-11' }, { kind: 'none' }])
})
