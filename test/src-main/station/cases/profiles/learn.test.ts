import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../../../src-main/station/cases/profiles/align.ts'
import { confirm } from '../../../../../src-main/station/cases/profiles/strict.ts'
import { learntOffers } from '../../../../tools/learnt-offers.ts'
import { readByConfirmed, readConfirmed } from '../../../../../src-main/station/cases/profiles/strict.ts'
import { type ConfirmedProfile, confirmedProfileSchema } from '../../../../../src-shared/confirmed-profile.ts'
import type { Offer } from '../../../../../src-shared/profile-offers.ts'
import { compact, type Convention, pathsOf, visitsOf } from './approved-visits.ts'

const PLAIN: Convention = {
  path: (f) => `${f.id}_${compact(f.day)}_${f.eye === 'right' ? 'OD' : 'OS'}_${f.ofEye}.jpg`,
}

function offersFor(
  visits: readonly Approval[],
  confirmed: readonly ConfirmedProfile[] = [],
): readonly Offer[] {
  return learntOffers(visits, pathsOf(visits), confirmed)
}

function onlyOffer(offers: readonly Offer[]): Offer {
  expect(offers).toHaveLength(1)
  const [offer] = offers
  if (!offer) throw new Error('no offer')
  return offer
}

function confirmed(offer: Offer): ConfirmedProfile {
  return confirm(offer.profile, { by: 'AB', now: Date.UTC(2026, 5, 1), station: 'station-1' })
}

function changed(visit: Approval | undefined, changes: Partial<Approval>): Approval {
  if (!visit) throw new Error('no visit')
  return { ...visit, ...changes }
}

describe('what an offer needs', () => {
  const visits = visitsOf(PLAIN, 8)

  it('is eight visits of five patients on two days with both eyes', () => {
    const offer = onlyOffer(offersFor(visits))
    expect(offer).toMatchObject({
      pattern: '{historyNumber}_{date:YYYYMMDD}_{eye}_{number}',
      evidence: { visits: 8, patients: 8, rightImages: 16, leftImages: 16 },
      counterExamples: [],
      notChecked: ['name'],
    })
    expect(offer.profile.confirmed).toBeNull()
  })

  it.each<[what: string, visits: readonly Approval[]]>([
    ['seven visits', visits.slice(1)],
    ['four patients', visits.map((visit, index) => ({ ...visit, patient: String(index % 4) }))],
    [
      'one day',
      visitsOf({ path: (f) => `${f.id}_${f.eye === 'right' ? 'OD' : 'OS'}_${f.ofEye}.jpg` }, 8).map(
        (visit) => ({
          ...visit,
          visitDay: '2026-05-03',
        }),
      ),
    ],
    [
      'one eye',
      visits.map((visit) => ({ ...visit, files: visit.files.filter(({ eye }) => eye === 'right') })),
    ],
    ['names without a number', visitsOf({ path: (f) => `inbox/${compact(f.day)}_${f.time}.jpg` }, 12)],
    ['files that are no images', visitsOf({ path: (f) => PLAIN.path(f).replace('.jpg', '.pdf') }, 12)],
  ])('none for %s', (_, some) => {
    expect(offersFor(some)).toEqual([])
  })
})

describe('a correction', () => {
  const visits = visitsOf(PLAIN, 20)

  /** What is offered if the visit with this number was corrected, or contradicted, in its day. */
  function offersAfter(number: number, corrected: boolean): readonly Offer[] {
    const list = visits.map((visit, index) =>
      index === number ? { ...visit, visitDay: '2026-01-01', corrected } : visit,
    )
    return offersFor(list)
  }

  it.each<[what: string, number: number, corrected: boolean, refused: boolean]>([
    ['with eight visits since no longer refuses the offer', 11, true, false],
    ['with seven visits since refuses it', 12, true, true],
    ['at the end refuses it', 19, true, true],
    ['that was none, but a contradiction, refuses it however long ago', 2, false, true],
  ])('%s', (_what, number, corrected, refused) => {
    const { caseId } = visits[number] ?? { caseId: '' }
    const offer = onlyOffer(offersAfter(number, corrected))
    const named = (list: Offer['outlived']) => [...new Set(list.map((one) => one.caseId))]
    expect([named(offer.counterExamples), named(offer.outlived)]).toEqual(
      refused ? [[caseId], []] : [[], [caseId]],
    )
  })
})

describe('a correction of what only earlier names have', () => {
  const OF_VIEWS: Convention = { path: (f) => PLAIN.path(f).replace('_1.', '_MAC.').replace('_2.', '_PAP.') }

  function renamed(visits: readonly Approval[], from: string, to: string): readonly Approval[] {
    const files = (visit: Approval) =>
      visit.files.map(({ path, eye }) => ({ path: path.replace(from, to), eye }))
    return visits.map((visit) => ({ ...visit, files: files(visit) }))
  }

  /** Every second visit is of the others. */
  function mixed(visits: readonly Approval[], others: readonly Approval[]): readonly Approval[] {
    return visits.map((visit, index) => (index % 2 === 1 ? (others[index] ?? visit) : visit))
  }

  /** The last of these is corrected. */
  function withCorrection(
    visits: readonly Approval[],
    correction: (last: Approval) => Partial<Approval>,
  ): readonly Approval[] {
    const last = changed(visits.at(-1), { corrected: true })
    return [...visits.slice(0, -1), { ...last, ...correction(last) }]
  }

  const toRight = ({ files }: Approval): Partial<Approval> => ({
    files: files.map(({ path }) => ({ path, eye: 'right' })),
  })
  const plain = visitsOf(PLAIN, 25)
  const ofViews = visitsOf(OF_VIEWS, 24)
  const ofTerms = mixed(plain.slice(0, 12), renamed(plain, '_OS_', '_OI_'))
  const ofNumbers = visitsOf({ ...PLAIN, id: (index) => String(77_000_101 + index * 7_919) }, 12)
  const ofMoreViews = mixed(ofViews.slice(0, 12), renamed(ofViews, '_PAP', '_EXT'))

  it.each<[what: string, visits: readonly Approval[], gone: string, read: string]>([
    [
      'word for an eye',
      [...withCorrection(ofTerms, toRight), ...plain.slice(12)],
      '123456_20261120_OI_1.jpg',
      '123456_20261120_OS_1.jpg',
    ],
    [
      'form of a number',
      [...withCorrection(ofNumbers, () => ({ historyNumber: '000101' })), ...plain.slice(12)],
      '77123456_20261120_OS_1.jpg',
      '123456_20261120_OS_1.jpg',
    ],
    [
      'word for a view',
      [...withCorrection(ofMoreViews, () => ({ visitDay: '2026-01-01' })), ...ofViews.slice(12)],
      '123456_20261120_OS_EXT.jpg',
      '123456_20261120_OS_MAC.jpg',
    ],
  ])('makes it no part of what is offered: a %s', (_what, visits, gone, read) => {
    const { profile } = onlyOffer(offersFor(visits).filter((offer) => offer.counterExamples.length === 0))
    expect(readConfirmed(profile, gone).kind).toBe('none')
    expect(readConfirmed(profile, read).kind).toBe('one')
  })

  it('shows no refused offer of earlier visits that the offer since reads, too', () => {
    const corrected = withCorrection(ofMoreViews, () => ({ visitDay: '2026-01-01' }))
    const offer = onlyOffer(offersFor([...corrected, ...ofViews.slice(12)]))
    expect(offer.outlived).not.toEqual([])
  })

  it('needs eight visits since for each pattern without it', () => {
    const inFolders = renamed(plain, '_', '/')
    const ofBoth = ofTerms.map((visit) => ({
      ...visit,
      files: [visit, ...renamed([visit], '_', '/')].flatMap(({ files }) => files),
    }))
    const visits = [...withCorrection(ofBoth, toRight), ...plain.slice(12, 20), ...inFolders.slice(20)]
    const { profile } = onlyOffer(offersFor(visits).filter((offer) => offer.counterExamples.length === 0))
    expect(pathsOf(visits.slice(20)).map((path) => readConfirmed(profile, path).kind)).not.toContain('one')
  })
})

describe('a visit that a person corrected', () => {
  const visits = visitsOf(PLAIN, 10)

  it.each<[what: string, changes: Partial<Approval>]>([
    ['number', { historyNumber: '999999' }],
    ['day', { visitDay: '2026-01-01' }],
    ['eyes', { files: (visits[0]?.files ?? []).map(({ path }) => ({ path, eye: 'left' as const })) }],
  ])('with another %s refuses the offer', (_, changes) => {
    const [first, ...others] = visits
    const offer = onlyOffer(offersFor([...others, changed(first, { ...changes, corrected: true })]))
    expect(offer.counterExamples[0]).toMatchObject({ caseId: first?.caseId, corrected: true })
  })

  it('with another name refuses the offer', () => {
    const named: Convention = {
      path: (f) => `${f.last} ${f.first}_${f.id}_${f.eye}_${f.ofEye}.jpg`,
      areNamed: true,
    }
    const [first, ...others] = visitsOf(named, 12)
    const other = changed(first, { lastName: 'FREMD', firstName: 'Eva', corrected: true })
    expect(onlyOffer(offersFor([...others, other])).counterExamples[0]).toMatchObject({ differs: ['name'] })
  })

  it('to what one of two numbers in a path says does not refuse it: the pattern asks, too', () => {
    const twice: Convention = { path: (f) => `${f.id}/${f.id}_${f.eye}_${f.ofEye}.jpg` }
    const [first, ...others] = visitsOf(twice, 12)
    const path = '004512/004513_left_1.jpg'
    const slip = changed(first, { corrected: true, files: [{ path, eye: 'left' }] })
    expect(onlyOffer(offersFor([...others, slip]))).toMatchObject({ counterExamples: [], refuses: [path] })
  })

  it('supports the offer if the names say what the person said', () => {
    const corrected = visits.map((visit) => ({ ...visit, corrected: true }))
    expect(onlyOffer(offersFor(corrected)).counterExamples).toEqual([])
  })

  it('is named if the pattern does not read it', () => {
    const [first, ...others] = visits
    const odd = changed(first, { corrected: true, files: [{ path: 'Dr Smith OD/12_OS.jpg', eye: 'left' }] })
    expect(onlyOffer(offersFor([...others, odd])).refuses).toEqual(['Dr Smith OD/12_OS.jpg'])
  })
})

describe('a folder that has a confirmed profile', () => {
  const visits = visitsOf(PLAIN, 10)
  const profile = confirmed(onlyOffer(offersFor(visits)))

  it('gets no offer of what it can read', () => {
    expect(offersFor(visits, [profile])).toEqual([])
  })

  it('gets a second offer for another length of numbers after eight visits, and stays', () => {
    const longer = visitsOf({ ...PLAIN, id: (index) => String(1_000_001 + index) }, 8, 2)
    expect(offersFor([...visits, ...longer.slice(1)], [profile])).toEqual([])
    const offer = onlyOffer(offersFor([...visits, ...longer], [profile]))
    expect(offer.profile.confirmed).toBeNull()
    const both = [profile, confirmed(offer)]
    const kinds = pathsOf([...visits, ...longer]).map((path) => readByConfirmed(both, path).kind)
    expect(new Set(kinds)).toEqual(new Set(['proven']))
    expect(offersFor([...visits, ...longer], both)).toEqual([])
  })

  it('gets it with its counter-example if it reads a visit otherwise than a person said', () => {
    const [first, ...others] = visitsOf({ ...PLAIN, id: (index) => String(1_000_001 + index) }, 9, 2)
    const wrong = changed(first, { visitDay: '2026-01-01', corrected: true })
    const offer = onlyOffer(offersFor([...visits, ...others, wrong], [profile]))
    expect(offer.counterExamples[0]).toMatchObject({ caseId: first?.caseId, differs: ['visitDate'] })
  })

  it('gets no offer that disputes it', () => {
    const convention: Convention = {
      path: (f) => (f.eye === 'right' ? `${f.id}_D_${f.ofEye}.jpg` : `${f.id}_I_${f.ofEye}.png`),
    }
    const views = confirmedProfileSchema.parse({
      id: 'views',
      parts: [
        { kind: 'id', formats: [{ shape: '999999' }] },
        { kind: 'text', text: '_' },
        { kind: 'view', terms: ['D', 'I'] },
        { kind: 'text', text: '_' },
        { kind: 'counter', maxDigits: 3 },
      ],
      extensions: ['jpeg'],
    })
    const later = visitsOf(convention, 10)
    expect(learntOffers(later, pathsOf(later), [])).toHaveLength(1)
    expect(learntOffers(later, pathsOf(later), [views])).toEqual([])
  })

  it('gets a second offer for a number of another length that stands twice', () => {
    const twice: Convention = { path: (f) => `${f.id}/${f.id}_${compact(f.day)}_${f.eye}_${f.ofEye}.jpg` }
    const short = visitsOf(twice, 10)
    const known = confirmed(onlyOffer(offersFor(short)))
    const longer = visitsOf({ ...twice, id: (index) => String(1_000_001 + index) }, 8, 2)
    const { profile: second } = onlyOffer(offersFor([...short, ...longer], [known]))
    expect(pathsOf(longer).every((path) => readByConfirmed([second], path).kind === 'proven')).toBe(true)
    const mixed = '1000001/100000_20260603_left_1.jpg'
    expect(readByConfirmed([known, second], mixed).kind).not.toBe('proven')
  })

  it('gets a second offer for a new view', () => {
    const views: Convention = {
      path: (f) => `${f.id}_${f.eye === 'right' ? 'OD' : 'OS'}_${f.ofEye === 1 ? 'Disc' : 'Macula'}.jpg`,
    }
    const first = visitsOf(views, 10)
    const ofViews = confirmed(onlyOffer(offersFor(first)))
    const mosaic = visitsOf({ path: (f) => views.path(f).replace('Disc', 'Mosaic') }, 8, 4)
    expect(offersFor([...first, ...mosaic.slice(1)], [ofViews])).toEqual([])
    const { profile: second } = onlyOffer(offersFor([...first, ...mosaic], [ofViews]))
    const kinds = pathsOf(mosaic).map((path) => readByConfirmed([ofViews, second], path).kind)
    expect(new Set(kinds)).toEqual(new Set(['proven']))
  })

  it('gets a second offer for a second camera, and the first profile stays', () => {
    const second = visitsOf({ path: (f) => `${f.id}/${f.day} ${f.eye} ${f.ofEye}.png` }, 10, 3)
    const offer = onlyOffer(offersFor([...visits, ...second], [profile]))
    expect(offer.pattern).toBe('{historyNumber}/{date:YYYY-MM-DD} {eye} {number}')
    expect(pathsOf(visits).every((path) => readConfirmed(offer.profile, path).kind === 'none')).toBe(true)
  })
})
