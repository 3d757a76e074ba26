/** What holds for every visit, whatever its names and sources say. */
import { NOTHING_LEARNT, clearanceOf } from '../../../../tools/nothing-learnt.ts'
import { describe, expect, it } from 'vitest'
import { groupOf, verdictOnVisit } from '../../../../../src-main/station/cases/verdict/visit.ts'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { fc } from '../../../../tools/property.ts'
import { type Circumstances, picture, shown, TODAY, type Stated } from './pictures.ts'

const TERMS = [
  '771020',
  '771021',
  '88123',
  '004512',
  'HC-77',
  'P4410',
  'UNKNOWN',
  'OD',
  'OS',
  'OI',
  'R',
  'L',
  'l2',
  'LE',
  'links',
  'Rossi',
  'Anna',
  'Vega',
  'stereo',
  'nasal',
  'Dr',
  'van',
  'Sala',
  '20261120',
  '20261119',
  '19800302',
  '101502',
  '1',
  '02',
  '133a',
  'Retina',
  'IMG',
  'Export',
]
const term = fc.constantFrom(...TERMS)
const joint = fc.constantFrom('_', '-', ' ', '.', '__')
const name = fc.array(fc.tuple(term, joint), { minLength: 1, maxLength: 5 }).map((parts) =>
  parts
    .map((part) => part.join(''))
    .join('')
    .slice(0, -1),
)
const path = fc
  .tuple(fc.array(name, { maxLength: 2 }), name)
  .map(([folders, file]) => [...folders, `${file}.jpg`].join('/'))

const terms: fc.Arbitrary<Stated> = fc.record(
  {
    id: fc.constantFrom('771020', '771021', 'HC-77', 'UNKNOWN'),
    day: fc.constantFrom(TODAY, '2026-11-19', '2025-01-01'),
    eye: fc.constantFrom('right' as const, 'left' as const),
    name: fc.constantFrom('Rossi^Anna', 'Vega^Luz', 'ANON'),
  },
  { requiredKeys: [] },
)
const circumstances: fc.Arbitrary<Circumstances> = fc.record(
  {
    dicom: terms,
    record: terms,
    folder: terms,
    study: fc.constantFrom('1.2', '1.3'),
    at: fc.constantFrom('09:00:00', '09:01:00', '09:20:00'),
    isOverwritten: fc.boolean(),
    isNamedByRecord: fc.boolean(),
  },
  { requiredKeys: [] },
)
const visit = fc
  .uniqueArray(fc.tuple(path, circumstances), { minLength: 1, maxLength: 5, selector: ([own]) => own })
  .map((rows) => rows.map(([own, more]) => picture(own, more)))

/** The kinds of a verdict, with the eye of each picture. */
function kindsOf(pictures: readonly PictureEvidence[]): unknown {
  const { who, day, eyes, together } = verdictOnVisit(pictures, NOTHING_LEARNT)
  const value = 'value' in who ? who.value : null
  return {
    who: who.kind,
    value,
    day: day.kind,
    together: together.kind,
    eyes: [...eyes].map(([id, { kind }]) => `${id} ${kind}`).toSorted(),
  }
}

describe('every visit', () => {
  it('has the same verdict in every order of its pictures', () => {
    fc.assert(
      fc.property(visit, (pictures) => {
        expect(kindsOf(pictures.toReversed())).toEqual(kindsOf(pictures))
      }),
      { numRuns: 600 },
    )
  })

  it('has the same verdict in every order of the paths of a picture', () => {
    fc.assert(
      fc.property(path, path, circumstances, (one, other, more) => {
        const both = { ...picture(one, { ...more, also: [other] }), idHints: [] }
        expect(kindsOf([{ ...both, paths: both.paths.toReversed() }])).toEqual(kindsOf([both]))
      }),
      { numRuns: 600 },
    )
  })

  it('has the same identity under every order of ids', () => {
    fc.assert(
      fc.property(path, fc.shuffledSubarray(['771020', '88123', 'UNKNOWN', 'HC-77']), (own, ids) => {
        const identity = { path: own, study: null, isSharedFolder: () => false, instants: [] }
        expect(groupOf({ ...identity, ids })).toEqual(groupOf({ ...identity, ids: ids.toReversed() }))
      }),
    )
  })

  it('is not proven if names alone speak', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 5 }), (paths) => {
        const { who, day, eyes } = verdictOnVisit(
          paths.map((own) => picture(own)),
          NOTHING_LEARNT,
        )
        const kinds = [who.kind, day.kind, ...[...eyes.values()].map(({ kind }) => kind)]
        expect(kinds).not.toContain('proven')
      }),
      { numRuns: 600 },
    )
  })

  it('is not proven by the record of a folder', () => {
    fc.assert(
      fc.property(path, terms, (own, folder) => {
        const verdict = verdictOnVisit([picture(own, { folder })], NOTHING_LEARNT)
        expect([verdict.who.kind, verdict.day.kind]).not.toContain('proven')
      }),
      { numRuns: 300 },
    )
  })

  it('loses its proof to a second source that differs', () => {
    const rivals: readonly (readonly [keyof Pick<Stated, 'id' | 'eye' | 'day' | 'name'>, Stated])[] = [
      ['id', { id: '990417' }],
      ['day', { day: '2026-11-21' }],
      ['eye', { eye: 'left' }],
      ['name', { name: 'Kovacs^Eva' }],
    ]
    const proving: Stated = { id: '771020', day: TODAY, eye: 'right', name: 'Rossi^Anna' }
    fc.assert(
      fc.property(visit, fc.constantFrom(...rivals), fc.nat(), (others, [, rival], at) => {
        const more: Circumstances = { dicom: proving, record: rival }
        const contradicted = picture('contradicted.dcm', more)
        const pictures = others.toSpliced(at % (others.length + 1), 0, contradicted)
        expect(clearanceOf(verdictOnVisit(pictures, NOTHING_LEARNT))).toBe('needsAnswer')
      }),
      { numRuns: 400 },
    )
  })

  it('never gets proof from one more picture without statements', () => {
    fc.assert(
      fc.property(visit, path, (pictures, own) => {
        fc.pre(pictures.every(({ id }) => id !== own))
        const before = verdictOnVisit(pictures, NOTHING_LEARNT)
        const after = verdictOnVisit([...pictures, picture(own)], NOTHING_LEARNT)
        if (before.who.kind !== 'proven') expect(after.who.kind).not.toBe('proven')
        if (before.day.kind !== 'proven') expect(after.day.kind).not.toBe('proven')
      }),
      { numRuns: 600 },
    )
  })
})

describe('hostile names', () => {
  const anything = fc.string({ unit: 'binary', maxLength: 250 })
  const repeated = fc
    .tuple(term, joint, fc.constantFrom(...TERMS))
    .map(([one, between, other]) => `${one}${between}${other}`.repeat(250).slice(0, 250))
  const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789-. _/')), maxLength: 250 })
  const letters = fc.string({ unit: fc.constantFrom(...Array.from("aRLeo-'’_ \u0301ß王")), maxLength: 250 })

  it('throw nothing, and take no time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anything, repeated, digits, letters), { minLength: 1, maxLength: 3 }),
        circumstances,
        (paths, more) => {
          const pictures = [
            picture(paths.join('/'), more),
            picture(`${paths.toReversed().join('/')}.jpg`, more),
          ]
          expect(Object.keys(shown(pictures))).toHaveLength(5)
        },
      ),
      { numRuns: 400 },
    )
  })

  it.each([
    ['digits and spaces', '1 '],
    ['digits and hyphens', '123-'],
    ['digits and dots', '12.'],
    ['dates', '20261120_'],
    ['eyes', 'OD_L-'],
    ['terms of names', 'Anna '],
    ['apostrophes', "a'"],
    ['combining marks', 'a\u0301'],
  ])('of %s only are read in less than a second, 60 pictures', (_title, unit) => {
    const pictures = Array.from({ length: 60 }, (_, index) =>
      picture(`${unit.repeat(250).slice(0, 250)}/${unit.repeat(250).slice(0, 240)}${index}.jpg`, {
        dicom: { id: '771020', name: 'Rossi^Anna' },
      }),
    )
    const began = process.threadCpuUsage()
    verdictOnVisit(pictures, NOTHING_LEARNT)
    expect(process.threadCpuUsage(began).user / 1_000).toBeLessThan(1_000)
  })
})
