import { describe, expect, it } from 'vitest'
import {
  confirm,
  confirmationOf,
  digestOf,
  firstReviewsLeft,
  provesFile,
} from '../../../../../src-main/station/cases/profiles/strict.ts'
import { readByConfirmed, readConfirmed } from '../../../../../src-main/station/cases/profiles/strict.ts'
import {
  type ConfirmedProfile,
  confirmedProfileSchema,
  patternTextOf,
  type StrictPart,
} from '../../../../../src-shared/confirmed-profile.ts'

type PartInput = StrictPart | { kind: 'id'; formats: { shape: string }[]; padTo?: number }

const text = (written: string): PartInput => ({ kind: 'text', text: written })
const ID: PartInput = { kind: 'id', formats: [{ shape: '999999' }] }
const DAY: PartInput = { kind: 'date', format: 'YYYYMMDD', of: 'visit' }
const EYE: PartInput = { kind: 'eye', right: ['OD'], left: ['OS'] }
const COUNTER: PartInput = { kind: 'counter', maxDigits: 3 }
const NAME: PartInput = { kind: 'name', of: 'both', joint: null }

function profileOf(parts: readonly PartInput[], more: object = {}): ConfirmedProfile {
  return confirmedProfileSchema.parse({ id: 'p', parts, extensions: ['jpeg', 'dicom'], ...more })
}

/** `id=…; date=…; eye=…`, or the kind of the result. */
function read(profile: ConfirmedProfile, path: string): string {
  const result = readConfirmed(profile, path)
  if (result.kind !== 'one') return result.kind
  const { historyNumber, visitDate, eye, name, time } = result.reading
  const values = { id: historyNumber, date: visitDate, eye, name, time }
  return Object.entries(values)
    .flatMap(([label, found]) => (found ? `${label}=${typeof found === 'string' ? found : found.value}` : []))
    .join('; ')
}

describe('a strict profile', () => {
  const plain = profileOf([ID, text('/'), ID, text('_'), DAY, text('_'), EYE, text('_'), COUNTER])

  it.each([
    ['004512/004512_20260602_OD_1.jpg', 'id=004512; date=2026-06-02; eye=right'],
    ['004512/004512_20260602_os_12.DCM', 'id=004512; date=2026-06-02; eye=left'],
    // Nothing precedes or follows the pattern, and no other kind of file is meant.
    ['x/004512/004512_20260602_OD_1.jpg', 'none'],
    ['004512/004512_20260602_OD_1_2.jpg', 'none'],
    ['004512/004512_20260602_OD_1.png', 'none'],
    ['004512/004512_20260602_OD_1', 'none'],
    ['004512_20260602_OD_1.jpg', 'none'],
    // Another length, another word, no real day, a day before cameras wrote files, a fourth digit.
    ['0045127/0045127_20260602_OD_1.jpg', 'none'],
    ['00451/00451_20260602_OD_1.jpg', 'none'],
    ['004512/004512_20260602_OI_1.jpg', 'none'],
    ['004512/004512_20260231_OD_1.jpg', 'none'],
    ['004512/004512_19990602_OD_1.jpg', 'none'],
    ['004512/004512_20260602_OD_1234.jpg', 'none'],
    // Two numbers are two readings.
    ['004512/004513_20260602_OD_1.jpg', 'several'],
    ['', 'none'],
    ['/', 'none'],
  ])('reads %s as %s', (path, values) => {
    expect(read(plain, path)).toBe(values)
  })

  it('states where each value stands', () => {
    const result = readConfirmed(plain, '004512/004512_20260602_OD_1.jpg')
    expect(result).toMatchObject({
      reading: { historyNumber: { source: 'folderName' }, visitDate: { source: 'fileName' } },
    })
  })

  it.each<[what: string, parts: PartInput[], path: string, values: string]>([
    ['a name of several words', [NAME, text('_'), ID], "GARCÍA-LÓPEZ O'Dell, Ana_004512.jpg", 'none'],
    [
      'a name in full',
      [NAME, text('_'), ID],
      "GARCÍA-LÓPEZ O'Dell J. Ana_004512.jpg",
      "id=004512; name=GARCÍA-LÓPEZ O'Dell J. Ana",
    ],
    [
      'a name in the other form of Unicode',
      [NAME, text('_'), ID],
      'García_004512.jpg'.normalize('NFD'),
      'id=004512; name=García',
    ],
    ...['1-1-2026', '21-1-2026', '1-11-2026', '21-11-2026'].map(
      (day): [string, PartInput[], string, string] => [
        `the day ${day}`,
        [ID, text('_'), { kind: 'date', format: 'D-M-YYYY', of: 'visit' }],
        `004512_${day}.jpg`,
        `id=004512; date=${[
          '2026',
          ...day
            .split('-')
            .slice(0, 2)
            .toReversed()
            .map((one) => one.padStart(2, '0')),
        ].join('-')}`,
      ],
    ),
    ['a name with digits', [NAME, text('_'), ID], 'Ana 2_004512.jpg', 'none'],
    [
      'two names between which nothing stands but a space',
      [
        { kind: 'name', of: 'last', joint: null },
        text(' '),
        { kind: 'name', of: 'first', joint: null },
        text('_'),
        ID,
      ],
      'LOPEZ PAZ ANA_004512.jpg',
      'several',
    ],
    [
      'two names of one word each',
      [
        { kind: 'name', of: 'last', joint: null },
        text('_'),
        { kind: 'name', of: 'first', joint: null },
        text('_'),
        ID,
      ],
      'LOPEZ PAZ_ANA_004512.jpg',
      'id=004512; name=LOPEZ PAZ ANA',
    ],
    [
      'years, months and days of folders',
      [
        { kind: 'date', format: 'YYYY', of: 'visit' },
        text('/'),
        { kind: 'date', format: 'MM', of: 'visit' },
        text('/'),
        { kind: 'date', format: 'DD', of: 'visit' },
        text('/'),
        ID,
      ],
      '2026/06/02/004512.jpg',
      'id=004512; date=2026-06-02',
    ],
    [
      'a month that is not that of the day',
      [{ kind: 'date', format: 'YYYY-MM', of: 'visit' }, text('/'), DAY, text('_'), ID],
      '2026-05/20260602_004512.jpg',
      'several',
    ],
    [
      'days first',
      [ID, text(' '), { kind: 'date', format: 'DD.MM.YY', of: 'visit' }],
      '004512 02.06.26.jpg',
      'id=004512; date=2026-06-02',
    ],
    [
      'a birth date beside the day',
      [ID, text('_'), { kind: 'date', format: 'DDMMYYYY', of: 'other' }, text('_'), DAY],
      '004512_31121960_20260602.jpg',
      'id=004512; date=2026-06-02',
    ],
    [
      'a time in the afternoon',
      [ID, text('/'), { kind: 'time', format: 'H.MM.SS.mmm_AM' }],
      '004512/3.00.05.120_PM.jpg',
      'id=004512; time=15:00:05',
    ],
    [
      'no hour of the afternoon',
      [ID, text('_'), { kind: 'time', format: 'H.MM.SS_AM' }],
      '004512_13.00.05_PM.jpg',
      'none',
    ],
    ['no time of day', [ID, text('_'), { kind: 'time', format: 'HHMMSS' }], '004512_256000.jpg', 'none'],
    [
      'a padded number',
      [{ kind: 'id', formats: [{ shape: '99999999' }], padTo: 8 }, text('_'), EYE],
      '00004512_OD.jpg',
      'id=4512; eye=right',
    ],
    [
      'letters of a number, in either case',
      [{ kind: 'id', formats: [{ shape: 'hc-9999A' }] }, text('_'), EYE],
      'HC-4512k_OD.jpg',
      'id=HC-4512k; eye=right',
    ],
    [
      'other letters than all numbers have',
      [{ kind: 'id', formats: [{ shape: 'hc-9999' }] }, text('_'), EYE],
      'HD-4512_OD.jpg',
      'none',
    ],
    [
      'spaces in a number',
      [{ kind: 'id', formats: [{ shape: '999 999 9999' }] }, text('_'), EYE],
      '943 476 5919_OD.jpg',
      'id=943 476 5919; eye=right',
    ],
    [
      'a UUID',
      [ID, text('/'), { kind: 'unique', form: 'uuid', lengths: [] }],
      '004512/3f2504e0-4f89-11d3-9a0c-0305e82c3301.jpg',
      'id=004512',
    ],
    [
      'what is no UUID',
      [ID, text('/'), { kind: 'unique', form: 'uuid', lengths: [] }],
      '004512/3f2504e0-4f89-11d3-9a0c.jpg',
      'none',
    ],
    [
      'hexadecimal of another length',
      [ID, text('/'), { kind: 'unique', form: 'hex', lengths: [8] }],
      '004512/7f0c2a9e1.jpg',
      'none',
    ],
    [
      'a UID',
      [ID, text('_2.25.'), { kind: 'unique', form: 'digits', lengths: [9, 10] }],
      '004512_2.25.297362505.dcm',
      'id=004512',
    ],
    [
      'a view',
      [ID, text('_'), { kind: 'view', terms: ['Disc', 'Disc-2'] }],
      '004512_disc-2.jpg',
      'id=004512',
    ],
    [
      'a view that is not in the list',
      [ID, text('_'), { kind: 'view', terms: ['Disc'] }],
      '004512_Macula.jpg',
      'none',
    ],
    [
      'two eyes that disagree',
      [ID, text('_'), EYE, text('_'), { kind: 'eye', right: ['R'], left: ['L'] }],
      '004512_OD_L.jpg',
      'several',
    ],
    [
      'a number that could be cut in two ways',
      [{ kind: 'id', formats: [{ shape: '999' }, { shape: '9999' }] }, COUNTER],
      '45121.jpg',
      'several',
    ],
  ])('with %s', (_, parts, path, values) => {
    expect(read(profileOf(parts), path)).toBe(values)
  })

  it('takes a bounded time for names of 250 bytes', () => {
    const names = Array.from({ length: 4 }, () => [NAME, text(' ')]).flat()
    const profile = profileOf([...names, ID])
    const path = `${'a '.repeat(120)}00451.jpg`
    readConfirmed(profile, path)
    const start = performance.now()
    expect(readConfirmed(profile, path).kind).toBe('none')
    // Thousands of times more than this if ways multiplied; a busy machine makes no such difference.
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it('is shown to people as a pattern', () => {
    expect(patternTextOf(plain)).toBe('{historyNumber}/{historyNumber}_{date:YYYYMMDD}_{eye}_{number}')
  })

  it.each<[what: string, parts: unknown[]]>([
    ['no history number', [EYE]],
    ['a word for both eyes', [ID, { kind: 'eye', right: ['OD'], left: ['od'] }]],
    ['one eye only', [ID, { kind: 'eye', right: ['OD'], left: [] }]],
    ['a counter of four digits', [ID, { kind: 'counter', maxDigits: 4 }]],
    ['anything', [ID, { kind: 'any' }]],
    ['a year twice', [ID, { kind: 'date', format: 'YYYYMMYY', of: 'visit' }]],
    ['a word with a folder in it', [ID, { kind: 'view', terms: ['a/b'] }]],
    ['five names', [ID, ...Array.from({ length: 5 }, () => NAME)]],
  ])('cannot have %s', (_, parts) => {
    expect(confirmedProfileSchema.safeParse({ id: 'p', parts, extensions: ['jpeg'] }).success).toBe(false)
  })
})

describe('the profiles of a folder', () => {
  const one = profileOf([ID, text('_'), EYE], { id: 'one' })
  const alike = profileOf([ID, text('_'), { kind: 'eye', right: ['OD', 'RE'], left: ['OS', 'LE'] }], {
    id: 'alike',
  })
  const turned = profileOf([ID, text('_'), { kind: 'eye', right: ['OS'], left: ['OD'] }], { id: 'turned' })
  const unclear = profileOf([ID, text('_'), EYE, text('_'), ID], { id: 'unclear' })

  it.each<[profiles: ConfirmedProfile[], path: string, kind: string]>([
    [[one, unclear], '004512_OD.jpg', 'proven'],
    [[one, alike], '004512_OD.jpg', 'proven'],
    [[one, turned], '004512_OD.jpg', 'disputed'],
    [[one, unclear], '004512_OD_004513.jpg', 'disputed'],
    [[one, alike], '004512_OI.jpg', 'none'],
    [[], '004512_OD.jpg', 'none'],
  ])('%#: %s', (profiles, path, kind) => {
    expect(readByConfirmed(profiles, path).kind).toBe(kind)
  })
})

describe('a confirmation', () => {
  const NOW = Date.UTC(2026, 5, 2, 10)
  const confirmed = confirm(profileOf([ID, text('_'), EYE]), { by: 'AB', now: NOW, station: 'station-1' })

  it('proves files first seen after it, and none before', () => {
    expect(confirmationOf(confirmed)).toMatchObject({ by: 'AB', at: '2026-06-02T10:00:00.000Z' })
    expect([NOW - 1, NOW, NOW + 1].map((at) => provesFile(confirmed, at))).toEqual([false, false, true])
  })

  it.each<[what: string, changes: Partial<ConfirmedProfile>]>([
    ['without it', { confirmed: null }],
    ['with another pattern', { parts: profileOf([ID, text('-'), EYE]).parts }],
    [
      'with another format',
      { parts: profileOf([{ kind: 'id', formats: [{ shape: '9999999' }] }, text('_'), EYE]).parts },
    ],
    [
      'with another word',
      { parts: profileOf([ID, text('_'), { kind: 'eye', right: ['OD', 'X'], left: ['OS'] }]).parts },
    ],
    ['with another kind of file', { extensions: ['jpeg'] }],
  ])('proves nothing %s', (_, changes) => {
    expect(provesFile({ ...confirmed, ...changes }, NOW + 1)).toBe(false)
  })

  it('is the same in every version of the program: another would end all confirmations', () => {
    const unique: PartInput = { kind: 'unique', form: 'hex', lengths: [8] }
    const whole = profileOf([ID, text('_'), NAME, text('/'), DAY, EYE, text('_'), unique, COUNTER])
    expect(digestOf(whole)).toBe('95940159ecca685fc3c803e6077c0222ded57af9ceeb26bbafc498bc3116194f')
  })

  it('is the same whatever the order of keys, and after a way through JSON', () => {
    const parts = confirmed.parts.map(
      (part) => Object.fromEntries(Object.entries(part).toReversed()) as StrictPart,
    )
    expect(digestOf({ ...confirmed, parts })).toBe(digestOf(confirmed))
    expect(provesFile(confirmedProfileSchema.parse(JSON.parse(JSON.stringify(confirmed))), NOW + 1)).toBe(
      true,
    )
  })

  it.each([
    ['station-1', 0, 0],
    ['station-2', 0, 5],
    ['station-2', 4, 1],
    ['station-2', 5, 0],
    [null, 0, 5],
  ] as const)('at %s after %i visits a person looks at %i more', (station, visits, left) => {
    const outbox = { readFact: () => station, countApprovedBy: () => visits }
    expect(firstReviewsLeft(outbox, { path: '/e' }, confirmed)).toBe(left)
  })
})
