/** The types that approved visits give to each place of their paths. */
import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../../../src-main/station/cases/profiles/align.ts'
import { learntOffers } from '../../../../tools/learnt-offers.ts'
import { readConfirmed } from '../../../../../src-main/station/cases/profiles/strict.ts'
import type { Offer } from '../../../../../src-shared/profile-offers.ts'
import {
  compact,
  type Convention,
  dayFirst,
  dayOf,
  type ImageFacts,
  pathsOf,
  visitsOf,
} from './approved-visits.ts'

const either =
  (right: string, left: string) =>
  ({ eye }: ImageFacts): string =>
    eye === 'right' ? right : left
const od = either('OD', 'OS')

const PLAIN: Convention = { path: (f) => `${f.id}_${compact(f.day)}_${od(f)}_${f.ofEye}.jpg` }

function offersFor(visits: readonly Approval[]): readonly Offer[] {
  return learntOffers(visits, pathsOf(visits), [])
}

function patternsFor(visits: readonly Approval[]): readonly string[] {
  return offersFor(visits).map(({ pattern }) => pattern)
}

function onlyOffer(offers: readonly Offer[]): Offer {
  expect(offers).toHaveLength(1)
  const [offer] = offers
  if (!offer) throw new Error('no offer')
  return offer
}

const five = (f: ImageFacts): string =>
  f.digits(5).replaceAll(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')

describe('what approved visits show', () => {
  it.each<[what: string, convention: Convention, patterns: string[]]>([
    [
      'the order of images is no eye',
      { path: (f) => `${f.id}/${compact(f.day)}_${f.ofVisit}.jpg` },
      ['{historyNumber}/{date:YYYYMMDD}_{number}'],
    ],
    [
      'letters that stand for no eye are none',
      { path: (f) => `${f.id}_${compact(f.day)}_${either('A', 'B')(f)}_${f.ofEye}.jpg` },
      ['{historyNumber}_{date:YYYYMMDD}_{view}_{number}'],
    ],
    [
      'a word that only this clinic uses parts the eyes',
      { path: (f) => `${f.id}_${compact(f.day)}_${either('oikea', 'vasen')(f)}_${f.ofEye}.jpg` },
      ['{historyNumber}_{date:YYYYMMDD}_{eye}_{number}'],
    ],
    [
      'generated hex is one word, also if its letters have one place',
      { path: (f) => `${f.id}_${compact(f.day)}_${'abcdef'[f.ofVisit % 6]}${f.digits(5)}_${od(f)}.jpg` },
      ['{historyNumber}_{date:YYYYMMDD}_{unique}_{eye}'],
    ],
    [
      'letters with both eyes are views',
      { path: (f) => `${f.id}_${od(f)}_stereo_${f.ofEye === 1 ? 'L' : 'R'}.jpg` },
      ['{historyNumber}_{eye}_stereo_{view}'],
    ],
    [
      'terms with both eyes are views, if no eye is written',
      { path: (f) => `${f.id}_${f.ofEye === 1 ? 'Disc' : 'Macula'}_${f.ofVisit}.jpg` },
      ['{historyNumber}_{view}_{number}'],
    ],
    [
      'a view that goes with the eye is none beside a word for it',
      { path: (f) => `${f.id}_${od(f)}_${either('Macula', 'Disc')(f)}_${f.ofEye}.jpg` },
      ['{historyNumber}_{eye}_{view}_{number}'],
    ],
    [
      'a counter without a gap in some names makes two patterns',
      { path: (f) => `${f.id}_${od(f)}${f.ofEye === 1 ? '' : f.ofEye}.jpg` },
      ['{historyNumber}_{eye}', '{historyNumber}_{eye}{number}'],
    ],
    [
      'text that is always another is no view and no name',
      { path: (f) => `${f.id}_${od(f)}_${five(f)}.jpg`, imagesPerEye: 1 },
      [],
    ],
    [
      'a number inside the date is not the patient',
      { path: PLAIN.path, id: (index) => compact(dayOf(index)).slice(2) },
      ['{historyNumber}_{date:YYYYMMDD}_{eye}_{number}'],
    ],
    [
      'more digits may follow a date',
      { path: (f) => `${f.id}_${compact(f.day)}00${f.ofVisit}_${od(f)}.jpg` },
      ['{historyNumber}_{date:YYYYMMDD}{unique}_{eye}'],
    ],
    [
      'a date without zeros',
      { path: (f) => `${f.id}_${f.day.split('-').map(Number).join('-')}_${od(f)}_${f.ofEye}.jpg` },
      ['{historyNumber}_{date:YYYY-M-D}_{eye}_{number}'],
    ],
    [
      'a UUID',
      { path: (f) => `${f.id}/${f.hex(8)}-${f.hex(4)}-4${f.hex(3)}-a${f.hex(3)}-${f.hex(12)}_${od(f)}.dcm` },
      ['{historyNumber}/{unique}_{eye}'],
    ],
    [
      'hours and minutes behind a date',
      { path: (f) => `${f.id}_${dayFirst(f.day, '-')} ${f.time.slice(0, 4)}_${od(f)}.jpg` },
      ['{historyNumber}_{date:DD-MM-YYYY} {time:HHMM}_{eye}'],
    ],
  ])('%s', (_, convention, patterns) => {
    expect(patternsFor(visitsOf(convention, 20)).toSorted()).toEqual(patterns)
  })

  it('a word that only this clinic uses is no eye if no visit shows both', () => {
    const visits = visitsOf({ path: (f) => `${f.id}_${either('oikea', 'vasen')(f)}_${f.ofEye}.jpg` }, 20).map(
      (visit, index) => ({
        ...visit,
        files: visit.files.filter(({ eye }) => (eye === 'left') === (index % 2 === 0)),
      }),
    )
    expect(patternsFor(visits)).toEqual(['{historyNumber}_{view}_{number}'])
  })

  it('a word for an eye that a single visit has is not learnt', () => {
    const odd = visitsOf({ path: (f) => PLAIN.path(f).replace('OS', 'OI') }, 1, 2)
    const offer = onlyOffer(offersFor([...visitsOf(PLAIN, 12), ...odd]))
    expect(offer.profile.parts).toContainEqual({ kind: 'eye', right: ['od'], left: ['os'] })
  })

  it.each([
    ['letters', either('R', 'L')],
    ['letters of the eye', either('D', 'S')],
  ])('%s, beside which a person has once entered the other eye, are neither eye nor view', (_, letterOf) => {
    const visits = visitsOf({ path: (f) => `${f.id}_${compact(f.day)}_${letterOf(f)}_${f.ofEye}.jpg` }, 12)
    const [slip, ...others] = visits
    const turned = slip!.files.map(
      ({ path, eye }) => ({ path, eye: eye === 'left' ? 'right' : 'left' }) as const,
    )
    expect(patternsFor(visits)).toEqual(['{historyNumber}_{date:YYYYMMDD}_{eye}_{number}'])
    expect(patternsFor([{ ...slip!, files: turned }, ...others])).toEqual([])
  })

  it('words for the eye among other words of their slot are no views', () => {
    const views = (f: ImageFacts): string => (f.ofEye === 2 ? 'Macula' : either('rechts', 'links')(f))
    for (const before of [(f: ImageFacts) => compact(f.day), od])
      expect(
        patternsFor(visitsOf({ path: (f) => `${f.id}_${before(f)}_${views(f)}_${f.ofVisit}.jpg` }, 20)),
      ).toEqual([])
  })

  it('names of patients, beside which a person has once entered another one, are no views', () => {
    const lastNames = ['Garcia', 'Lopez', 'Baker', 'Dupont']
    const path = (f: ImageFacts): string => `${f.id}_${f.last}_${od(f)}_${f.ofEye}.jpg`
    const visits = visitsOf({ path, areNamed: true, lastNames }, 20)
    const [slip, ...others] = visits
    expect(patternsFor(visits)).toEqual(['{historyNumber}_{lastName}_{eye}_{number}'])
    expect(patternsFor([{ ...slip!, lastName: 'Quiroga', firstName: 'Zoe' }, ...others])).toEqual([])
  })

  it('words for eyes that persons gave the other eye make no pattern', () => {
    expect(
      offersFor(visitsOf({ path: (f) => `${f.id}_${either('OS', 'OD')(f)}_${f.ofEye}.jpg` }, 12)),
    ).toEqual([])
  })

  it('a day that could be read in two orders makes no pattern', () => {
    const early = visitsOf(PLAIN, 12).map((visit, index): Approval => {
      const part = String(1 + (index % 9)).padStart(2, '0')
      const files = (['right', 'left'] as const).map((eye) => ({
        path: `${visit.historyNumber}_${part}-${part}-2026_${eye}.jpg`,
        eye,
      }))
      return { ...visit, visitDay: `2026-${part}-${part}`, files }
    })
    expect(offersFor(early)).toEqual([])
  })

  it.each<[what: string, path: Convention['path']]>([
    ['three check letters', (f) => `${f.id}-${'KTM'[Number(f.id) % 3]}_${f.eye}_${f.ofEye}.jpg`],
    [
      'many check letters',
      (f) => `${f.id}-${'TRWAGMYFPDXBNJZSQVHLCKE'[Number(f.id) % 23]}_${f.eye}_${f.ofEye}.jpg`,
    ],
    [
      'two letters without a gap',
      (f) => `${f.id}${['AB', 'KT', 'XZ'][Number(f.id) % 3]}_${f.eye}_${f.ofEye}.jpg`,
    ],
    ['a second group of digits', (f) => `${f.id} ${(Number(f.id) * 7) % 9_973} ${f.eye} ${f.ofEye}.jpg`],
    ['a single digit', (f) => `${f.id}-${Number(f.id) % 7}_${f.eye}_${f.ofEye}.jpg`],
  ])('what follows the number and could belong to it makes no pattern: %s', (_, path) => {
    expect(offersFor(visitsOf({ path }, 24))).toEqual([])
  })

  it('a small number at the end is a counter before any visit had two', () => {
    const visits = visitsOf({ path: (f) => `${f.id}_${f.eye}_1.jpg`, imagesPerEye: 1 }, 10)
    expect(readConfirmed(onlyOffer(offersFor(visits)).profile, '004512_left_2.jpg').kind).toBe('one')
  })
})

describe('formats of numbers', () => {
  const formatsIn = (offer: Offer) =>
    offer.profile.parts.flatMap((part) => (part.kind === 'id' ? part.formats.map(({ shape }) => shape) : []))

  it.each<[what: string, id: (index: number) => string, shapes: string[]]>([
    ['all lengths seen', (index) => String(index < 9 ? 901 + index : 1_005 + index), ['9999', '999']],
    ['letters that all have', (index) => `H${1_000 + index}X`, ['h9999x']],
    [
      'a prefix, also of a length that three visits have',
      (index) => `HC-${index < 3 ? 10_000 + index : 1_000 + index}`,
      ['hc-9999', 'hc-99999'],
    ],
    ['no length that two visits have', (index) => String(index < 2 ? 901 + index : 1_005 + index), ['9999']],
    [
      'no length that a slip in letters has',
      (index) => (index === 4 ? 'H204' : `H${1_000 + index}`),
      ['h9999'],
    ],
    ['letters that differ', (index) => `${'ABC'[index % 3]}${1_000 + index}`, ['A9999']],
    ['separators', (index) => `10.${100 + index}/K`.replace('/', '-'), ['99.999-k']],
  ])('are %s', (_, id, shapes) => {
    expect(formatsIn(onlyOffer(offersFor(visitsOf({ ...PLAIN, id }, 20))))).toEqual(shapes)
  })

  const padded = (widthOf: (index: number) => number) =>
    visitsOf({ ...PLAIN, id: (index) => String(412 + index * 431) }, 16).map((visit, index) => ({
      ...visit,
      files: visit.files.map(({ path, eye }) => ({
        path: path.replace(/^\d+/, (id) => id.padStart(widthOf(index), '0')),
        eye,
      })),
    }))

  it('have a fixed padding if all names are filled up to one width', () => {
    const { profile } = onlyOffer(offersFor(padded(() => 8)))
    expect(readConfirmed(profile, '00000412_20260603_OD_1.jpg')).toMatchObject({
      kind: 'one',
      reading: { historyNumber: { value: '412' } },
    })
    expect(readConfirmed(profile, '000412_20260603_OD_1.jpg').kind).toBe('none')
    expect(offersFor(padded((index) => 6 + (index % 3)))).toEqual([])
  })
})

describe('check digits', () => {
  const LUHN = (index: number): string => {
    const body = String(73_911 + index * 37)
    const sum = Array.from(body, Number)
      .toReversed()
      .reduce(
        (total, digit, at) => total + (at % 2 === 0 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit),
        0,
      )
    return `${body}${(10 - (sum % 10)) % 10}`
  }
  const formatsIn = (offer: Offer) =>
    offer.profile.parts.flatMap((part) => (part.kind === 'id' ? part.formats : []))

  it('are learnt if eight different numbers carry them, and then a slip does not match', () => {
    const offer = onlyOffer(offersFor(visitsOf({ ...PLAIN, id: LUHN }, 10)))
    expect(formatsIn(offer)).toEqual([{ shape: '999999', check: 'luhn' }])
    const sound = `${LUHN(50)}_20260603_OD_1.jpg`
    expect(readConfirmed(offer.profile, sound).kind).toBe('one')
    expect(
      readConfirmed(
        offer.profile,
        sound.replace(/^./, (digit) => String((Number(digit) + 1) % 10)),
      ).kind,
    ).toBe('none')
  })

  it('are not learnt from seven numbers, nor if one does not fit', () => {
    const seven = visitsOf({ ...PLAIN, id: (index) => LUHN(index % 7) }, 10)
    expect(formatsIn(onlyOffer(offersFor(seven)))).toEqual([{ shape: '999999', check: null }])
    const one = visitsOf({ ...PLAIN, id: (index) => (index === 3 ? '123456' : LUHN(index)) }, 10)
    expect(formatsIn(onlyOffer(offersFor(one)))).toEqual([{ shape: '999999', check: null }])
  })

  it('are never learnt from Danish numbers', () => {
    const cpr = (index: number): string => {
      for (let serial = index * 500; ; serial += 1) {
        const id = `010203${String(serial).padStart(4, '0')}`
        const sum = Array.from(id, Number).reduce((total, digit, at) => total + digit * (10 - at), 0)
        if (sum % 11 === 0) return id
      }
    }
    expect(formatsIn(onlyOffer(offersFor(visitsOf({ ...PLAIN, id: cpr }, 12))))).toEqual([
      { shape: '9999999999', check: null },
    ])
  })
})
