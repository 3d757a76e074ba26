/** What holds for every naming convention that a station learns. */
import { describe, expect, it } from 'vitest'
import { learntOffers } from '../../../../tools/learnt-offers.ts'
import { readConfirmed } from '../../../../../src-main/station/cases/profiles/strict.ts'
import type { Offer } from '../../../../../src-shared/profile-offers.ts'
import { fc, runs } from '../../../../tools/property.ts'
import { compact, type Convention, dayFirst, type ImageFacts, pathsOf, visitsOf } from './approved-visits.ts'

type Piece = (facts: ImageFacts) => string

const EYES: readonly Piece[] = [
  ['OD', 'OS'],
  ['R', 'L'],
  ['D', 'I'],
  ['right', 'left'],
  ['rechts', 'links'],
  ['RE', 'LE'],
].map(
  ([right = '', left = '']): Piece =>
    ({ eye }) =>
      eye === 'right' ? right : left,
)

const DAYS: readonly Piece[] = [
  ({ day }) => day,
  ({ day }) => compact(day),
  ({ day }) => dayFirst(day, '.'),
  ({ day }) => dayFirst(day, ''),
]

const OTHERS: readonly Piece[] = [
  ({ time }) => time,
  ({ ofEye }) => ['Disc', 'Macula'][ofEye - 1] ?? '',
  ({ hex }) => hex(6),
  ({ birth }) => birth,
  ({ last, first }) => `${last} ${first}`,
  () => 'Retina',
]

const IDS: readonly ((index: number) => string)[] = [
  (index) => String(104_512 + index * 7_919),
  (index) => String(index < 12 ? 9_512 + index * 3 : 20_000 + index * 17),
  (index) => `HC-${10_000 + index * 13}`,
  (index) => `105-10-${1_000 + index}-${index % 10}`,
  (index) => `943 ${100 + index} ${2_000 + index * 7}`,
]

const anyConvention = fc
  .record({
    id: fc.constantFrom(...IDS),
    eye: fc.constantFrom(...EYES),
    day: fc.constantFrom(...DAYS),
    others: fc.subarray([...OTHERS], { maxLength: 3 }),
    order: fc.array(fc.nat(100), { minLength: 6, maxLength: 6 }),
    mark: fc.constantFrom('_', '__', ' - '),
    folders: fc.nat(2),
  })
  .map(({ id, eye, day, others, order, mark, folders }): Convention => {
    const pieces: readonly Piece[] = [({ id }) => id, eye, day, ...others]
    const sorted = pieces
      .map((piece, index) => ({ piece, at: order[index] ?? 0 }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ piece }) => piece)
    return {
      id,
      path: (facts) => {
        const written = [...sorted.map((piece) => piece(facts)), String(facts.ofVisit)]
        const inFolders = written.slice(0, folders)
        return `${[...inFolders, written.slice(folders).join(mark)].join('/')}.jpg`
      },
    }
  })

function offersOf(convention: Convention): readonly Offer[] {
  const visits = visitsOf(convention, 20)
  return learntOffers(visits, pathsOf(visits), []).filter(
    ({ counterExamples }) => counterExamples.length === 0,
  )
}

describe('for every convention', () => {
  it('what is offered reads all approved visits as approved, and later ones as they are or not at all', () => {
    let learnt = 0
    fc.assert(
      fc.property(anyConvention, (convention) => {
        const offers = offersOf(convention)
        learnt += offers.length > 0 ? 1 : 0
        const visits = visitsOf(convention, 40)
        for (const { profile, notChecked } of offers)
          for (const [index, visit] of visits.entries())
            for (const { path, eye } of visit.files) {
              const result = readConfirmed(profile, path)
              if (index < 20) expect([path, result.kind]).toEqual([path, 'one'])
              expect([path, result.kind]).not.toEqual([path, 'several'])
              if (result.kind !== 'one') continue
              const { historyNumber, visitDate } = result.reading
              expect(historyNumber.value).toBe(visit.historyNumber)
              if (!notChecked.includes('visitDate')) expect(visitDate?.value).toBe(visit.visitDay)
              if (!notChecked.includes('eye')) expect(result.reading.eye?.value).toBe(eye)
            }
      }),
      { numRuns: runs(1_000) },
    )
    expect(learnt).toBeGreaterThan(runs(1_000) * 0.9)
  }, 120_000)

  it('a path with another number of digits, a foreign word or swapped parts does not match', () => {
    fc.assert(
      fc.property(anyConvention, fc.nat(1_000), (convention, pick) => {
        const [offer] = offersOf(convention)
        if (!offer) return
        const visits = visitsOf(convention, 20)
        const visit = visits[pick % visits.length]
        const path = visit?.files[0]?.path
        if (visit === undefined || path === undefined) return
        const { historyNumber: id } = visit
        const digits = /\d+$/.exec(id)?.[0] ?? ''
        const lengths = new Set(visits.map(({ historyNumber }) => historyNumber.length))
        const mutated = [
          path.replace(id, `${id.slice(0, -digits.length)}${digits}${digits}7`),
          path.replace(/\.jpg$/, '_Fremd.jpg'),
          `Fremd/${path}`,
          `Fremd_${path}`,
          path.replace(/\.jpg$/, '.png'),
          path.split('').toReversed().join(''),
          ...(lengths.size > 1
            ? []
            : [
                path.replaceAll(id, id.slice(0, -1)),
                path.replaceAll(id, `${id}0`),
                path.replaceAll(id, `0${id}`),
              ]),
        ].filter((other) => other !== path)
        for (const other of mutated)
          expect([other, readConfirmed(offer.profile, other).kind]).toEqual([other, 'none'])
      }),
      { numRuns: runs(1_000) },
    )
  }, 120_000)

  it('no path makes a learnt profile throw, and none is read in two ways', () => {
    const anyPath = fc.string({
      unit: fc.constantFrom('/', '_', '-', '.', ' ', '1', '2', '0', 'O', 'D', 'S', '\u0301', '\ud800', 'jpg'),
      maxLength: 80,
    })
    fc.assert(
      fc.property(anyConvention, anyPath, (convention, path) => {
        for (const { profile } of offersOf(convention)) expect(readConfirmed(profile, path).kind).toBe('none')
      }),
      { numRuns: runs(500) },
    )
  }, 120_000)
})
