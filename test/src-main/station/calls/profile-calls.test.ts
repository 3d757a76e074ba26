/** Profiles from the offer to its end: what is offered, what a confirmation lets leave, and what a revocation brings back. */
import { describe, expect, it, vi } from 'vitest'
import { confirm } from '../../../../src-main/station/cases/profiles/strict.ts'
import { type ConfirmedProfile, confirmedProfileSchema } from '../../../../src-shared/confirmed-profile.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import type { HeldProfile, Offer, OfferPreview } from '../../../../src-shared/profile-offers.ts'
import { MORNING, startAttempt, stateOf } from '../../../tools/outbox-with.ts'
import {
  approveShown,
  confirmOnly,
  correctEye,
  eightVisits,
  EXPORTS,
  numberOf,
  stationOfNames,
  visit,
} from './named-visits.ts'
import { type TestParts, trailOf } from './parts-with.ts'

type Shown = {
  readonly offers: readonly { readonly offer: Offer; readonly preview: OfferPreview }[]
  readonly profiles: readonly HeldProfile[]
}

async function shownIn(test: TestParts): Promise<Shown> {
  const answer = await test.call('profiles.offers', { path: EXPORTS })
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}

function warningsOf(test: TestParts, id: string): readonly string[] {
  return (test.outbox.submissionOf(id)?.oddities ?? []).map(({ wording }) => wording?.key ?? '')
}

const PATTERN = '{historyNumber}_{date:YYYYMMDD}_{eye}'

describe('an offer', () => {
  it('comes after eight visits that a person approved on screens, and not before', async () => {
    const test = await stationOfNames()
    const [first] = await eightVisits(test)
    const { offers } = await shownIn(test)
    expect(offers).toMatchObject([
      {
        offer: {
          pattern: PATTERN,
          evidence: { visits: 8, patients: 6, days: 4, rightImages: 8, leftImages: 8 },
          counterExamples: [],
          outlived: [],
        },
        preview: { notMatching: [], unclear: [], different: [] },
      },
    ])
    test.outbox.forgetClearance(first ?? '')
    expect((await shownIn(test)).offers).toEqual([])
  })

  it('is not made of what a script approved', async () => {
    const test = await stationOfNames()
    for (let index = 0; index < 8; index += 1) {
      const id = visit(test, { patient: index % 6, daysAgo: Math.floor(index / 2) })
      await test.call('submissions.approve', { ids: [id] })
      expect(stateOf(test, id)).toBe('waiting')
    }
    expect((await shownIn(test)).offers).toEqual([])
  })

  it('shows a correction as a counter-example and cannot be confirmed, until enough visits came since', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    const id = visit(test, { patient: 7 })
    await correctEye(test, id)
    await approveShown(test, id)
    const [refused] = (await shownIn(test)).offers
    expect(refused?.offer.counterExamples).toMatchObject([{ caseId: id, differs: ['eye'], corrected: true }])
    expect(
      await test.call('profiles.confirm', { path: EXPORTS, key: refused?.offer.key, by: 'AB' }),
    ).toMatchObject({ failure: { kind: 'notAllowed' } })
    await test.clock.turn(MINUTE)
    await eightVisits(test)
    const [offered] = (await shownIn(test)).offers
    expect(offered?.offer).toMatchObject({ counterExamples: [], outlived: [{ caseId: id }] })
  })

  it('is of what was shown: with another key nothing is confirmed', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    expect(await test.call('profiles.confirm', { path: EXPORTS, key: 'other', by: 'AB' })).toMatchObject({
      failure: { kind: 'changed' },
    })
    expect(await test.call('profiles.confirm', { path: EXPORTS, key: 'other' })).toMatchObject({
      failure: { kind: 'badRequest' },
    })
    expect((await shownIn(test)).profiles).toEqual([])
  })

  it('is counted in the status a little after the approvals', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    expect(test.parts.status().names).toEqual([])
    await test.clock.turn(MINUTE)
    expect(test.parts.status().names).toEqual([{ path: EXPORTS, offers: 1, unconfirmed: 0 }])
    await approveShown(test, visit(test, { patient: 1 }))
    await test.clock.turn(MINUTE)
    await confirmOnly(test)
    await test.clock.turn(MINUTE)
    expect(test.parts.status().names).toEqual([])
  })
})

describe('a confirmation', () => {
  it('lets later visits leave unseen, with who, when and where', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    const id = await confirmOnly(test)
    const [held] = (await shownIn(test)).profiles
    expect(held).toMatchObject({
      pattern: PATTERN,
      state: 'confirmed',
      waitingFor: 0,
      profile: { id, confirmed: { by: 'AB', at: new Date(MORNING).toISOString(), station: 'station-1' } },
    })
    const later = visit(test, { patient: 9 })
    expect(stateOf(test, later)).toBe('waiting')
    expect(test.outbox.submissionOf(later)?.verdict.profiles).toEqual([id])
    expect(test.outbox.listAudit({ what: ['profileConfirmed'], limit: 9 })).toMatchObject([
      { by: 'AB', submissionId: null, details: { profile: id, pattern: PATTERN, visits: 8 } },
    ])
  })

  describe('of names with a person in them, of which no approval had the name', () => {
    const PEOPLE = ['Almeida Rosa', 'Baker Tom', 'Castro Elena', 'Dahl Nils', 'Fontaine Julia', 'Girard Paul']
    const named = (number: string, day: string, eye: string, person?: string): string => {
      const patient = (Number(number) - Number(numberOf(0))) / (Number(numberOf(1)) - Number(numberOf(0)))
      return `${number}_${person ?? PEOPLE[patient % 6]}_${day}_${eye}.jpg`
    }
    const learnt = async (): Promise<TestParts> => {
      const test = await stationOfNames()
      await eightVisits(test, named)
      await confirmOnly(test)
      return test
    }

    it('lets a visit leave whose images name one person', async () => {
      const test = await learnt()
      expect(stateOf(test, visit(test, { patient: 9, nameOf: named }))).toBe('waiting')
    })

    it('asks about two people under one number', async () => {
      const test = await learnt()
      const people = { OD: 'Baker Tom', OS: 'Quiroga Elsa' }
      const id = visit(test, {
        patient: 9,
        nameOf: (number, day, eye) => named(number, day, eye, people[eye]),
      })
      expect(test.outbox.submissionOf(id)).toMatchObject({
        state: 'incomplete',
        reasons: [{ kind: 'twoPatients' }],
      })
    })

    it('asks about another person under the number of a patient who was here before', async () => {
      const test = await learnt()
      const id = visit(test, {
        patient: 1,
        nameOf: (number, day, eye) => named(number, day, eye, 'Quiroga Elsa'),
      })
      expect(stateOf(test, id)).toBe('incomplete')
    })
  })

  it('makes earlier cases approvable together, and no more than that', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    const [one, two] = [visit(test, { patient: 10 }), visit(test, { patient: 11 })]
    const odd = visit(test, { patient: 12, nameOf: (number, day, eye) => `${number}_${day}_${eye}_b.jpg` })
    const approveAll = (...ids: string[]) => {
      const seen = Object.fromEntries(ids.map((id) => [id, test.outbox.submissionOf(id)?.digest ?? '']))
      return test.call('submissions.approve', { ids, seen, by: 'AB' })
    }
    expect(await approveAll(one, two)).toMatchObject({ value: { changed: [] } })
    const [shown] = (await shownIn(test)).offers
    await test.call('profiles.confirm', { path: EXPORTS, key: shown?.offer.key, by: 'AB' })
    expect([one, two, odd].map((id) => stateOf(test, id))).toEqual(['review', 'review', 'review'])
    expect(warningsOf(test, one)).toContain('intake:warning.proposal.beforeConfirmation')
    expect(warningsOf(test, odd)).toContain('intake:warning.proposal.notConfirmed')
    expect(await approveAll(one, two, odd)).toMatchObject({
      value: { changed: [one, two], refused: [{ id: odd, failure: { kind: 'needsLook' } }] },
    })
  })

  it('proves nothing of files that were there before, whenever they are imported', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    const profile = await confirmOnly(test)
    const [imported, own] = [
      visit(test, { patient: 9, isImported: true }),
      visit(test, { patient: 10 }),
    ] as const
    expect([imported, own].map((id) => stateOf(test, id))).toEqual(['review', 'waiting'])
    expect(warningsOf(test, imported)).toContain('intake:warning.proposal.beforeConfirmation')
    // Nor does it leave by a verdict that proves all of it.
    const { fields, verdict } = test.outbox.submissionOf(own) ?? {}
    const store = (id: string): boolean => {
      const eyes = Object.fromEntries(
        test.outbox
          .imageRowsOf(id)
          .map((image) => [image.id, { kind: 'proven' as const, by: [], why: null }]),
      )
      const proven = { ...verdict!, profiles: [profile], eyes }
      const content = { fields: fields!, sources: {}, reasons: [], verdict: proven }
      test.outbox.setContent(id, content, 1)
      return test.outbox.mayLeave(id)
    }
    expect([imported, own].map(store)).toEqual([false, true])
  })

  it('does not match other names: they are proposed, and a person sees why', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    await confirmOnly(test)
    const id = visit(test, { patient: 9, nameOf: (number, day, eye) => `${number}_${day}_${eye}_new.jpg` })
    expect(stateOf(test, id)).toBe('review')
    expect(test.outbox.submissionOf(id)?.verdict.who).toMatchObject({
      kind: 'proposed',
      why: 'notConfirmed',
    })
    expect(warningsOf(test, id)).toContain('intake:warning.proposal.notConfirmed')
  })

  it('is not brought back by a form that was opened before its end', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    const profile = await confirmOnly(test)
    const { folders } = test.parts.settings.current()
    await test.call('profiles.revoke', { path: EXPORTS, id: profile, by: 'AB' })
    await test.call('settings.update', { folders })
    expect((await shownIn(test)).profiles).toMatchObject([{ state: 'unconfirmed' }])
    await test.call('settings.update', { folders: folders.map((one) => ({ ...one, path: '/other' })) })
    expect(test.parts.settings.current().folders[0]?.confirmedProfiles).toMatchObject([{ confirmed: null }])
  })
})

describe('a revocation', () => {
  it('brings back in one commit what went by it and is not sent, and lists what was', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    const profile = await confirmOnly(test)
    const [waiting, held, sent, approved] = [20, 21, 22, 23].map((patient) => visit(test, { patient }))
    if (!waiting || !held || !sent || !approved) throw new Error('four visits')
    await test.call('submissions.hold', { ids: [held, approved] })
    startAttempt(test, sent)
    test.outbox.moveSubmission(sent, 'becameUnknown', {}, { at: MORNING })
    // A person looks at this one.
    await test.call('submissions.release', { ids: [approved] })
    test.outbox.moveSubmission(approved, 'gatheredForReview', {}, { at: MORNING })
    await approveShown(test, approved)
    const answer = await test.call('profiles.revoke', {
      path: EXPORTS,
      id: profile,
      by: 'AB',
      why: 'wrong eye twice',
    })
    const nameOf = (id: string) => ({ id, reference: test.outbox.rowOf(id)?.reference })
    expect(answer).toMatchObject({
      value: { returned: [nameOf(held), nameOf(waiting)], sent: [nameOf(sent)] },
    })
    expect([waiting, held, sent, approved].map((id) => stateOf(test, id))).toEqual([
      'review',
      'review',
      'unconfirmed',
      'waiting',
    ])
    expect(trailOf(test, waiting)[0]).toMatchObject({
      what: 'gatheredForReview',
      by: 'AB',
      details: { why: 'notConfirmedNow', profile },
    })
    expect(test.outbox.listAudit({ what: ['profileRevoked'], limit: 9 })).toMatchObject([
      { by: 'AB', details: { profile, returned: 2, sent: 1, why: 'wrong eye twice' } },
    ])
    const { offers, profiles } = await shownIn(test)
    expect(profiles).toMatchObject([{ state: 'unconfirmed', sent: [nameOf(sent)] }])
    expect(offers).toEqual([])
    expect(stateOf(test, visit(test, { patient: 30 }))).toBe('review')
  })

  it('counts at once: before the settings are saved, and also if they cannot be', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    const profile = await confirmOnly(test)
    const waiting = visit(test, { patient: 20 })
    const seen: unknown[] = []
    vi.spyOn(test.parts.settings, 'update').mockImplementation(() => {
      const late = visit(test, { patient: 21 })
      seen.push(stateOf(test, waiting), test.outbox.submissionOf(late)?.verdict.who.kind, stateOf(test, late))
      return Promise.resolve(fail(failureOf('storage')))
    })
    const answer = await test.call('profiles.revoke', { path: EXPORTS, id: profile, by: 'AB' })
    expect([answer.ok, seen]).toEqual([false, ['review', 'proven', 'review']])
    expect(stateOf(test, waiting)).toBe('review')
  })

  it('is of the cases that a profile reads, and of no others, whatever its id', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    visit(test, { patient: 20 })
    for (const profileId of ['who', 'day', 'proposed', 'names-1'])
      expect([
        test.outbox.countApprovedBy(EXPORTS, profileId, 5),
        test.outbox.casesRestingOn({ folderPath: EXPORTS, profileId }),
      ]).toEqual([0, { unsent: [], sent: [] }])
  })

  it('is refused of what is not confirmed', async () => {
    const test = await stationOfNames()
    const unknown = { path: EXPORTS, id: 'names-1', by: 'AB' }
    expect(await test.call('profiles.revoke', unknown)).toMatchObject({ failure: { kind: 'notFound' } })
    expect(await test.call('profiles.offers', { path: '/none' })).toMatchObject({
      failure: { kind: 'notFound' },
    })
  })
})

/** As `eightVisits` would be learnt, but carried here in a file. */
function carried(station: string | null, changes: Partial<ConfirmedProfile> = {}): ConfirmedProfile {
  const profile = confirmedProfileSchema.parse({
    id: 'carried',
    parts: [
      { kind: 'id', formats: [{ shape: '999999' }] },
      { kind: 'text', text: '_' },
      { kind: 'date', format: 'YYYYMMDD', of: 'visit' },
      { kind: 'text', text: '_' },
      { kind: 'eye', right: ['OD'], left: ['OS'] },
    ],
    extensions: ['jpeg'],
  })
  const confirmed = confirm(profile, {
    by: 'CD',
    now: MORNING - 30 * 24 * 60 * MINUTE,
    station: station ?? '',
  })
  return { ...confirmed, ...changes }
}

describe('a profile that was carried here', () => {
  it('of this station proves at once', async () => {
    const test = await stationOfNames({ confirmedProfiles: [carried('station-1')] })
    test.outbox.noteConfirmed({ [EXPORTS]: { carried: MORNING - 30 * 24 * 60 * MINUTE } })
    expect(stateOf(test, visit(test, { patient: 1 }))).toBe('waiting')
  })

  it.each([
    ['another station', 'station-2'],
    ['one that is not known', null],
  ])('of %s is looked at for five visits, one by one', async (_what, station) => {
    const test = await stationOfNames({ confirmedProfiles: [carried(station)] })
    test.outbox.noteConfirmed({ [EXPORTS]: { carried: MORNING - 30 * 24 * 60 * MINUTE } })
    const ids = Array.from({ length: 6 }, (_, patient) => visit(test, { patient }))
    expect(warningsOf(test, ids[0] ?? '')).toContain('intake:warning.proposal.firstReviews')
    const seen = Object.fromEntries(ids.map((id) => [id, test.outbox.submissionOf(id)?.digest ?? '']))
    expect(await test.call('submissions.approve', { ids, seen })).toMatchObject({ value: { changed: [] } })
    expect((await shownIn(test)).profiles).toMatchObject([{ waitingFor: 5 }])
    await test.clock.turn(MINUTE)
    for (const id of ids.slice(0, 4)) await approveShown(test, id)
    await test.clock.turn(MINUTE)
    const lastOf = (): unknown => test.outbox.submissionOf(ids[5] ?? '')?.verdict.who.kind
    expect([(await shownIn(test)).profiles[0]?.waitingFor, lastOf()]).toEqual([1, 'proposed'])
    expect(stateOf(test, visit(test, { patient: 7 }))).toBe('review')
    await approveShown(test, ids[4] ?? '')
    await test.clock.turn(MINUTE)
    await vi.waitFor(() => expect(lastOf()).toBe('proven'))
    expect(stateOf(test, visit(test, { patient: 8 }))).toBe('waiting')
  })

  it.each<[what: string, changes: Partial<ConfirmedProfile>]>([
    ['without a confirmation', { confirmed: null }],
    ['changed since by hand', { extensions: ['jpeg', 'png'] }],
  ])('%s proves nothing, and the status counts it', async (_what, changes) => {
    const test = await stationOfNames({ confirmedProfiles: [carried('station-1', changes)] })
    expect(stateOf(test, visit(test, { patient: 1 }))).toBe('review')
    test.parts.cases.names.recheck()
    await test.clock.turn(MINUTE)
    expect(test.parts.status().names).toEqual([{ path: EXPORTS, offers: 0, unconfirmed: 1 }])
  })

  it('and is not confirmed is offered on the same terms', async () => {
    const test = await stationOfNames({ confirmedProfiles: [carried('station-1', { confirmed: null })] })
    await eightVisits(test)
    const [shown] = (await shownIn(test)).offers
    expect(shown?.offer).toMatchObject({ pattern: PATTERN, evidence: { visits: 8 } })
    await confirmOnly(test)
    expect((await shownIn(test)).profiles).toHaveLength(1)
    expect(stateOf(test, visit(test, { patient: 9 }))).toBe('waiting')
  })
})
