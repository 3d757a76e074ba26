import { describe, expect, it } from 'vitest'
import { confirm } from '../../../../../src-main/station/cases/profiles/strict.ts'
import { learntOffers } from '../../../../tools/learnt-offers.ts'
import { previewOf } from '../../../../../src-main/station/cases/profiles/learn.ts'
import { type CurrentReading, type Offer, profileCalls } from '../../../../../src-shared/profile-offers.ts'
import { compact, type Convention, pathsOf, visitsOf } from './approved-visits.ts'

const CONVENTION: Convention = {
  path: (f) => `${f.id}/${compact(f.day)}_${f.eye === 'right' ? 'OD' : 'OS'}_${f.ofEye}.jpg`,
}
const ODD = {
  caseId: 'odd',
  corrected: true,
  files: [{ path: 'Dr Smith OD/12_OS.jpg', eye: 'left' as const }],
}

function offerOf(): Offer {
  const [first, ...others] = visitsOf(CONVENTION, 10)
  const odd = first ? [{ ...first, ...ODD }] : []
  const [offer] = learntOffers([...others, ...odd], pathsOf(others), [])
  if (!offer) throw new Error('no offer')
  return offer
}

describe('the preview of an offer', () => {
  const offer = offerOf()

  it('shows what it reads and how, what it does not read, and what is unclear', () => {
    const preview = previewOf(
      offer.profile,
      [
        '004512/20260603_OD_1.jpg',
        'Sala 2/20260603_OD_1.jpg',
        '004512/20260603_OI_1.jpg',
        '004512/report.pdf',
      ],
      new Map(),
    )
    expect(preview).toMatchObject({
      matching: [
        {
          path: '004512/20260603_OD_1.jpg',
          reading: { historyNumber: '004512', visitDate: '2026-06-03', eye: 'right', name: null, time: null },
        },
      ],
      notMatching: ['Sala 2/20260603_OD_1.jpg', '004512/20260603_OI_1.jpg'],
      unclear: [],
      different: [],
    })
  })

  it('shows two numbers in one path as unclear', () => {
    const twice: Convention = { path: (f) => `${f.id}/${f.id}_${f.eye}_${f.ofEye}.jpg` }
    const [ofTwo] = learntOffers(visitsOf(twice, 10), [], [])
    const path = '004512/004513_left_1.jpg'
    expect(ofTwo && previewOf(ofTwo.profile, [path], new Map()).unclear).toEqual([path])
  })

  it('shows what reads otherwise than before, and nothing that was unknown', () => {
    const path = '004512/20260603_OD_1.jpg'
    const differs = (before: CurrentReading) =>
      previewOf(offer.profile, [path], new Map([[path, before]])).different.flatMap((one) => one.differs)
    expect(differs({ historyNumber: '004512', visitDate: '2026-06-03', eye: 'right' })).toEqual([])
    expect(differs({ historyNumber: null, visitDate: null, eye: 'unknown' })).toEqual([])
    expect(differs({ historyNumber: '4512', visitDate: '2026-06-02', eye: 'left' })).toEqual([
      'historyNumber',
      'visitDate',
      'eye',
    ])
  })

  it('says what it could not check, and which corrected visits it does not repeat', () => {
    const { notChecked, refuses, counterExamples } = offer
    expect({ notChecked, refuses, counterExamples }).toEqual({
      notChecked: ['name'],
      refuses: [ODD.files[0]?.path],
      counterExamples: [],
    })
  })

  it('says that a name was never compared, unless approved visits had one', () => {
    const named = (areNamed: boolean) =>
      learntOffers(
        visitsOf({ path: (f) => `${f.last} ${f.first}_${f.id}_${f.eye}_${f.ofEye}.jpg`, areNamed }, 12),
        [],
        [],
      ).map(({ notChecked }) => notChecked)
    expect(named(false)).toEqual([['visitDate', 'nameUncompared']])
    expect(named(true)).toEqual([['visitDate']])
  })

  it('and the offer are what the calls return', () => {
    const preview = previewOf(offer.profile, pathsOf(visitsOf(CONVENTION, 3)), new Map())
    const profile = confirm(offer.profile, { by: 'AB', now: 0, station: 's' })
    const output = {
      offers: [{ offer, preview }],
      profiles: [
        { profile, pattern: offer.pattern, state: 'confirmed', waitingFor: 0, sent: [], unsent: [] },
      ],
    }
    expect(profileCalls['profiles.offers'].output.parse(JSON.parse(JSON.stringify(output)))).toEqual(output)
    expect(
      profileCalls['profiles.confirm'].input.safeParse({ path: '/e', key: offer.key, by: ' ' }).success,
    ).toBe(false)
    expect(profileCalls['profiles.revoke'].input.safeParse({ path: '/e', id: 'p' }).success).toBe(false)
  })
})
