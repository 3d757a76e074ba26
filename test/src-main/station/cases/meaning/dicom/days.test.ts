/** On which day, as the clinic counts it: what DICOM files state of it, with their zones. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  readDays,
  type WrittenMoment,
} from '../../../../../../src-main/station/cases/meaning/dicom/patient.ts'

/** `studyDate 20261120 101500`: the attribute, the date, and the time beside it. */
function written(text: string): WrittenMoment {
  const [attribute, date = '', time = null] = text.split(' ')
  return { attribute: attribute as WrittenMoment['attribute'], date, time }
}

/** The days, with a question mark if they are only proposed; `!` if one is no day. */
function daysIn(offset: string | null, ...texts: readonly string[]): string {
  const { days, hasNoDay } = readDays(texts.map(written), offset)
  const shown = days.map(({ value, doubt }) => `${value}${doubt === undefined ? '' : '?'}`)
  return [...shown, ...(hasNoDay ? ['!'] : [])].join(' ')
}

type Row = readonly [what: string, offset: string | null, written: readonly string[], days: string]

const STUDY = 'studyDate 20261120 101500'

describe.each([
  // Five hours behind UTC; in November without summer time.
  ['America/Lima'],
  ['America/Bogota'],
])('in %s', (zone) => {
  beforeEach(() => void vi.stubEnv('TZ', zone))
  afterEach(() => void vi.unstubAllEnvs())
  it.each<Row>([
    ['no zone', null, ['studyDate 20261120 233000'], '2026-11-20'],
    ['UTC by day', '+0000', [STUDY], '2026-11-20'],
    ['the zone of the clinic, late', '-0500', ['studyDate 20261120 233000'], '2026-11-20'],
    ['UTC, in the evening', '+0000', ['studyDate 20261121 013000'], '2026-11-20?'],
    ['Berlin, early', '+0100', ['studyDate 20261120 031500'], '2026-11-19?'],
    ['UTC, a date alone', '+0000', ['studyDate 20261120'], '2026-11-20?'],
    [
      'UTC, a date alone and a moment by day',
      '+0000',
      ['studyDate 20261120', 'acquisitionDateTime 20261120150000'],
      '2026-11-20',
    ],
    ['a moment in UTC, late', null, ['acquisitionDateTime 20261121024500Z'], '2026-11-20?'],
    ['a moment with its offset, late', null, ['acquisitionDateTime 20261121034500.25+0100'], '2026-11-20?'],
    ['a moment as ISO writes it', null, ['acquisitionDateTime 2026-11-20T15:00:00+00:00'], '2026-11-20'],
    [
      'the clinic’s day, and a moment in UTC that is the same',
      null,
      ['studyDate 20261120 214500', 'acquisitionDateTime 20261121024500+0000'],
      '2026-11-20',
    ],
    [
      'two days around midnight, of UTC',
      '+0000',
      ['studyDate 20261120 043000', 'contentDate 20261120 053000'],
      '2026-11-19?',
    ],
    [
      'two days around midnight, of no zone',
      null,
      ['studyDate 20261120 235500', 'contentDate 20261121 000500'],
      '2026-11-20 2026-11-21',
    ],
    [
      'two days apart, of UTC',
      '+0000',
      ['studyDate 20261120 150000', 'contentDate 20261123 150000'],
      '2026-11-20 2026-11-23',
    ],
    ['an offset that is none', 'local', ['studyDate 20261120 013000'], '2026-11-20'],
  ])('%s', (_what, offset, texts, days) => {
    expect(daysIn(offset, ...texts)).toBe(days)
  })
})

describe('what is written', () => {
  it.each<Row>([
    ['with dots', null, ['studyDate 2026.11.20'], '2026-11-20'],
    ['no day', null, ['studyDate 20261131'], '!'],
    ['no day beside one', null, ['studyDate 20261120', 'contentDate 2026112'], '2026-11-20 !'],
    ['a word', null, ['studyDate TODAY'], '!'],
    ['a year', null, ['acquisitionDateTime 2026'], ''],
    ['zeros', null, ['studyDate 00000000', 'contentDate 20261120'], '2026-11-20'],
    ['a copy of later', null, ['studyDate 20261120', 'creationDate 20261125'], '2026-11-20'],
    ['a copy of before', null, ['studyDate 20261120', 'creationDate 20261101'], '2026-11-20 2026-11-01'],
    ['a copy alone', null, ['creationDate 20261120'], '2026-11-20'],
  ])('%s', (_what, offset, texts, days) => {
    expect(daysIn(offset, ...texts)).toBe(days)
  })
})
