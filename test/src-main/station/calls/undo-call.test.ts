/** An approval that can be taken back for a while: what ends that time, what does not, and what taking it back restores. */
import { describe, expect, it } from 'vitest'
import type { BulkResult } from '../../../../src-shared/contract.ts'
import { HOUR } from '../../../../src-shared/durations.ts'
import type { Result } from '../../../../src-shared/failure.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { shapeOf } from '../../../../src-main/station/cases/meaning/numbers.ts'
import {
  beforeApprovalColumn,
  identityColumn,
  reasonsColumn,
} from '../../../../src-main/station/json-columns.ts'
import { MORNING, type openMemoryOutbox, SERVICE, stateOf } from '../../../tools/outbox-with.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { confirmOnly, eightVisits, EXPORTS, stationOfNames, visit } from './named-visits.ts'
import {
  addCase,
  caseIn,
  COMPLETE,
  follow,
  openAttempt,
  partsWith,
  type TestParts,
  trailOf,
} from './parts-with.ts'

const UNDO_SECONDS = 10
const UNDO_MS = 10_000
const YEAR = 365 * 24 * HOUR

function seenNow({ outbox }: TestParts, ...ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, outbox.shownDigest(id)]))
}

async function approve(test: TestParts, ...ids: readonly string[]): Promise<void> {
  const input = { ids, seen: seenNow(test, ...ids), undoSeconds: UNDO_SECONDS, by: 'AB' }
  expect(changedBy(await test.call('submissions.approve', input))).toEqual(ids)
}

function changedBy(answer: Result<BulkResult>): readonly string[] {
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value.changed
}

async function undo(test: TestParts, id: string): Promise<string> {
  const answer = await test.call('submissions.undoApproval', { ids: [id], by: 'QX' })
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value.refused[0]?.failure.message ?? 'undone'
}

/** A case that was just approved, for a while. */
async function approvedCase(state: SubmissionState = 'review') {
  const made = await caseIn(state, { images: ['H-1/OD_1.jpg'] })
  const before = made.test.outbox.rowOf(made.id)
  await approve(made.test, made.id)
  return { ...made, before }
}

const isDue = ({ outbox, clock }: TestParts, id: string): boolean =>
  outbox.dueSubmissions(clock.now(), 99).some((row) => row.id === id)

async function undoUntil(test: TestParts, id: string): Promise<number | null> {
  const [got, listed] = [
    await test.call('submissions.get', { id }),
    await test.call('submissions.list', { limit: 9 }),
  ]
  if (!got.ok || !listed.ok) throw new Error('no case')
  expect(listed.value.items.find((one) => one.id === id)?.undoUntil).toBe(got.value.undoUntil)
  return got.value.undoUntil
}

describe('an approval that can be taken back', () => {
  it('waits, is not due, and is final once its time is over', async () => {
    const { test, id } = await approvedCase()
    expect(stateOf(test, id)).toBe('waiting')
    expect(await undoUntil(test, id)).toBe(MORNING + UNDO_MS)
    await test.clock.turn(UNDO_MS - 1)
    expect(isDue(test, id)).toBe(false)
    expect(test.outbox.rowOf(id)?.undo_ms).toBe(UNDO_MS)
    await test.clock.turn(1)
    expect(isDue(test, id)).toBe(true)
    expect(test.outbox.rowOf(id)).toMatchObject({ state: 'waiting', undo_ms: null, undo_to: null })
    expect(await undoUntil(test, id)).toBeNull()
    expect(await undo(test, id)).toContain('Too late')
  })

  it('is never claimed, however an attempt comes to it', async () => {
    const { test, id } = await approvedCase()
    test.outbox.setNotBefore(id, MORNING + 5)
    expect(test.outbox.nextDueAfter(MORNING)).toBeNull()
    expect(() => openAttempt(test, id)).toThrow('not possible')
    for (const event of ['claimed', 'postponed', 'gatheredToSend'] as const)
      expect(() => test.outbox.moveSubmission(id, event, {}, { at: MORNING })).toThrow('not possible')
    expect(test.outbox.attemptsOf(id)).toEqual([])
    expect(test.outbox.rowOf(id)).toMatchObject({ state: 'waiting', undo_ms: UNDO_MS })
  })

  it.each<readonly [string, (test: TestParts, id: string) => unknown]>([
    ['urgency', (test, id) => test.call('submissions.prioritise', { ids: [id] })],
    ['a retry', (test, id) => test.call('submissions.retry', { ids: [id] })],
    ['a release', (test, id) => test.call('submissions.release', { ids: [id] })],
    ['a resume', (test) => test.call('station.resume', {})],
    ['a script’s approval', (test, id) => test.call('submissions.approve', { ids: [id] })],
    [
      'a second click',
      (test, id) => test.call('submissions.approve', { ids: [id], seen: seenNow(test, id), undoSeconds: 1 }),
    ],
    ['another center', (test, id) => test.call('submissions.moveToCenter', { ids: [id], centerId: '7' })],
    ['a center of the station', (test) => test.call('centers.change', { centerId: '102' })],
    ['a reading', (test, id) => test.parts.cases.reread([id])],
    ['a look for uncleared cases', (test, id) => test.outbox.reviewIfUncleared(id, MORNING)],
    ['a clock a year ahead', (test) => test.clock.set(YEAR)],
    ['a clock a year back', (test) => test.clock.set(-YEAR)],
  ])('is not shortened by %s', async (_what, act) => {
    const { test, id } = await approvedCase()
    await test.clock.turn(UNDO_MS / 2)
    await act(test, id)
    await test.clock.turn(UNDO_MS / 2 - 1)
    expect(isDue(test, id)).toBe(false)
    expect(((await undoUntil(test, id)) ?? 0) - test.clock.now()).toBe(1)
    await test.clock.turn(1)
    expect(isDue(test, id)).toBe(true)
  })
})

it('counts again from the start after a restart, whatever the clock says by then', async () => {
  const folder = temporaryFolder()
  const before = await partsWith({}, {}, folder)
  const id = addCase(before, 'review')
  await approve(before, id)
  await before.clock.turn(UNDO_MS - 1)
  await before.parts.cases.close()
  before.close()
  const clock = new ManualClock({ now: MORNING + YEAR })
  const test = await partsWith({}, { clock }, folder)
  await clock.turn(UNDO_MS - 1)
  expect(isDue(test, id)).toBe(false)
  expect(await undoUntil(test, id)).toBe(clock.now() + 1)
  await clock.turn(1)
  expect(isDue(test, id)).toBe(true)
})

it('is for each case of many, of which one cannot be read at the end, and one was taken back', async () => {
  const test = await partsWith()
  const ids = Array.from({ length: 40 }, () => addCase(test, 'review'))
  const [bad = '', undone = '', ...others] = ids
  await approve(test, ...ids)
  test.outbox.setIdentity(bad, {} as never)
  expect(await undo(test, undone)).toBe('undone')
  await test.clock.turn(UNDO_MS)
  expect(others.filter((id) => !isDue(test, id))).toEqual([])
  expect([isDue(test, bad), isDue(test, undone)]).toEqual([false, false])
})

/** What the station has learnt of the folder, and of the number of these cases. */
function learnt({ outbox }: TestParts): unknown {
  const query = { folderPath: '/exports', prefix: '["patient",', number: 'H-1', bare: '1', exceptId: '' }
  return {
    visits: outbox.visitsOf('/exports'),
    approved: outbox.approvedOnScreens('/exports', 9).length,
    leave: outbox.casesOfPatient(query).filter(({ leaves }) => leaves === 1).length,
  }
}

const NOTHING = { visits: { both: 0, one: 0 }, approved: 0, leave: 0 }

describe('what an approval teaches', () => {
  it('is learnt at its end', async () => {
    const { test } = await approvedCase()
    await test.clock.turn(UNDO_MS - 1)
    expect(learnt(test)).toEqual(NOTHING)
    await test.clock.turn(1)
    expect(learnt(test)).toEqual({ visits: { both: 0, one: 1 }, approved: 1, leave: 1 })
  })

  it('is never learnt if it was taken back', async () => {
    const { test, id } = await approvedCase()
    await undo(test, id)
    await test.clock.turn(HOUR)
    expect(learnt(test)).toEqual(NOTHING)
  })

  it('counts as what an open case states until then', async () => {
    const { test, id } = await approvedCase()
    const query = { folderPath: '/exports', prefix: '["patient",', number: 'H-1', bare: '1', exceptId: '' }
    expect(test.outbox.casesOfPatient(query)).toMatchObject([{ id, leaves: 0 }])
  })

  it('is written into its manifest at its end', async () => {
    const { test, id } = await approvedCase()
    const before = test.outbox.progressOf(id)?.revision ?? 0
    expect(test.outbox.manifestOf(id)?.submission).toMatchObject({ undo_ms: UNDO_MS })
    await test.clock.turn(UNDO_MS)
    expect(test.outbox.progressOf(id)?.revision).toBeGreaterThan(before)
    expect(test.outbox.manifestOf(id)?.submission).toMatchObject({ undo_ms: null, undo_to: null })
  })

  it.each(['screen', 'script'])('is what a %s teaches without a time to undo', async (via) => {
    const fields = { ...COMPLETE, history_number: 'H-00017' }
    const { test, id } = await caseIn('review', { fields })
    const seen = via === 'screen' ? { seen: seenNow(test, id) } : {}
    await test.call('submissions.approve', { ids: [id], ...seen, undoSeconds: UNDO_SECONDS })
    const teaches = (): unknown => [learnt(test), test.outbox.hasShape('/exports', shapeOf('H-00017'))]
    expect(teaches()).toEqual([NOTHING, false])
    await test.clock.turn(UNDO_MS)
    const approved = via === 'screen' ? 1 : 0
    expect(teaches()).toEqual([{ visits: { both: 0, one: 1 }, approved, leave: 0 }, via === 'screen'])
  })

  it('is no first visit of a profile until then', async () => {
    const test = await stationOfNames()
    await eightVisits(test)
    const profileId = await confirmOnly(test)
    const id = visit(test, { patient: 20 })
    follow(test, id, 'gatheredForReview')
    const count = (): number => test.outbox.countApprovedBy(EXPORTS, profileId, 9)
    const before = count()
    await approve(test, id)
    expect(count()).toBe(before)
    await test.clock.turn(UNDO_MS)
    expect(count()).toBe(before + 1)
  })

  it('offers names of files only then', async () => {
    const test = await stationOfNames()
    for (let index = 0; index < 8; index += 1)
      await approve(test, visit(test, { patient: index % 6, daysAgo: Math.floor(index / 2) }))
    await test.clock.turn(UNDO_MS - 1)
    expect(test.parts.cases.names.status()).toEqual([])
    await test.clock.turn(UNDO_MS)
    expect(test.parts.cases.names.status()).toMatchObject([{ offers: 1 }])
  })
})

type Void = readonly [what: string, to: SubmissionState, act: (test: TestParts, id: string) => unknown]

const VOIDS: readonly Void[] = [
  ['a hold', 'held', (test, id) => test.call('submissions.hold', { ids: [id] })],
  ['a discard', 'discarded', (test, id) => test.call('submissions.discard', { ids: [id] })],
  ['another value', 'review', (test, id) => test.call('submissions.update', { id, fields: { age: 61 } })],
  ['the same value', 'review', (test, id) => test.call('submissions.update', { id, fields: COMPLETE })],
  [
    'work on it',
    'review',
    (test, id) => test.call('submissions.update', { id, fields: COMPLETE, mayLeave: false }),
  ],
  [
    'a missing value',
    'incomplete',
    (test, id) => test.call('submissions.update', { id, fields: { history_number: null } }),
  ],
  [
    'a joined case',
    'review',
    (test, id) => test.call('submissions.merge', { ids: [id, addCase(test, 'review')] }),
  ],
  [
    'another eye from its files',
    'review',
    (test, id) => {
      for (const image of test.outbox.imageRowsOf(id))
        test.outbox.setEye(image.id, { eye: 'left', source: 'person', statements: null })
      test.parts.cases.reread([id])
    },
  ],
  ['a new image', 'collecting', (test, id) => follow(test, id, 'imageArrived')],
  ['a case at the service', 'unconfirmed', (test, id) => follow(test, id, 'foundAtService')],
  [
    'an older outbox',
    'unconfirmed',
    (test) => test.outbox.markAllUnconfirmed('backup', { service: SERVICE, at: MORNING }),
  ],
]

describe.each(VOIDS)('%s', (_what, state, act) => {
  it('voids an approval that is not final', async () => {
    const { test, id, before } = await approvedCase()
    await act(test, id)
    expect(stateOf(test, id)).toBe(state)
    const { approved_digest, approved_via, passed_digest } = before ?? {}
    expect(test.outbox.rowOf(id)).toMatchObject({
      undo_ms: null,
      undo_to: null,
      approved_digest,
      approved_via,
      approved_at: null,
      passed_digest,
    })
    expect(await undo(test, id)).not.toBe('undone')
    await test.clock.turn(HOUR)
    expect(isDue(test, id)).toBe(false)
    // What may be there is a case of its patient, approved or not.
    expect(learnt(test)).toEqual({ ...NOTHING, leave: state === 'unconfirmed' ? 1 : 0 })
  })
})

it('is for its whole time again after a hold, a release and a second look', async () => {
  const { test, id } = await approvedCase()
  await test.clock.turn(UNDO_MS - 1)
  await test.call('submissions.hold', { ids: [id] })
  await test.call('submissions.release', { ids: [id] })
  expect(stateOf(test, id)).toBe('review')
  await approve(test, id)
  await test.clock.turn(UNDO_MS - 1)
  expect(isDue(test, id)).toBe(false)
  await test.clock.turn(1)
  expect(isDue(test, id)).toBe(true)
})

describe('an approval of what was approved before, that can be taken back,', () => {
  const approvedTwice = async (fields: Fields = COMPLETE) => {
    const { test, id } = await caseIn('review', { fields })
    await test.call('submissions.approve', { ids: [id] })
    follow(test, id, 'held', 'releasedToReview')
    await approve(test, id)
    expect(test.outbox.rowOf(id)).toMatchObject({ state: 'waiting', undo_ms: UNDO_MS })
    return { test, id }
  }

  it('is no reason to send after a hold and a release', async () => {
    const { test, id } = await approvedTwice()
    await test.call('submissions.hold', { ids: [id] })
    await test.call('submissions.release', { ids: [id] })
    expect(stateOf(test, id)).toBe('review')
  })

  it('is forgotten with the earlier one if a unit has changed, and every value of another unit is noted', async () => {
    const { test, id } = await approvedTwice({ ...COMPLETE, od_va: 0.8, od_prism_base: 90 })
    const before = beforeApprovalColumn.read(test.outbox.rowOf(id)?.undo_to ?? '')
    const noted = { ...before, notes: { ...before.notes, unitChanged: ['od_prism_base'] } }
    const { sql } = test as TestParts & ReturnType<typeof openMemoryOutbox>
    sql.prepare('UPDATE submissions SET undo_to = ?').run(JSON.stringify(noted))
    test.outbox.applyUnits({ vaUnit: 'logMAR', prismBase: 'examiner' }, MORNING)
    const after = test.outbox.rowOf(id)
    expect(after).toMatchObject({
      state: 'review',
      undo_ms: null,
      approved_digest: null,
      passed_digest: null,
    })
    expect(identityColumn.read(after?.identity ?? '').unitChanged).toEqual(['od_prism_base', 'od_va'])
  })
})

it('goes to a person at its end if the case has changed unnoticed', async () => {
  const { test, id } = await approvedCase()
  const content = { fields: { ...COMPLETE, age: 61 }, sources: {}, reasons: [] }
  test.outbox.setContent(id, content, MORNING)
  await test.clock.turn(UNDO_MS)
  expect(stateOf(test, id)).toBe('review')
  expect(learnt(test)).toEqual(NOTHING)
})

it('returns to a person, and never leaves on its own, in a folder that sends without review', async () => {
  const folders = [{ path: '/exports', sendWithoutReview: true } as never]
  const test = await partsWith({ folders })
  const id = addCase(test, 'review')
  await approve(test, id)
  await test.call('submissions.update', { id, fields: { age: 61 } })
  expect(stateOf(test, id)).toBe('review')
  await approve(test, id)
  const sources = { history_number: 'person', visit_date: 'person', age: 'person' } as const
  test.outbox.setContent(id, { fields: { ...COMPLETE, age: 62 }, sources, reasons: [] }, MORNING)
  test.parts.cases.reread([id])
  expect(stateOf(test, id)).toBe('review')
})

describe('taking an approval back', () => {
  it.each(['review', 'refused'] as const)(
    'restores a case that was in %s, and says who did it',
    async (state) => {
      const { test, id, before } = await approvedCase(state)
      expect(await undo(test, id)).toBe('undone')
      expect(test.outbox.rowOf(id)).toEqual({ ...before, state: 'review', planned_at: MORNING })
      expect(trailOf(test, id)[0]).toMatchObject({ what: 'undone', by: 'QX', details: { to: 'review' } })
      await test.clock.turn(HOUR)
      expect(stateOf(test, id)).toBe('review')
      expect(await undo(test, id)).not.toBe('undone')
    },
  )

  it('asks again what the approval had settled, and so does an entry', async () => {
    const test = await partsWith()
    const id = addCase(test, 'review')
    test.outbox.setAddendumTo(id, addCase(test, 'sent'))
    test.parts.cases.reread([id])
    const before = test.outbox.rowOf(id)
    expect(before?.state).toBe('incomplete')
    await approve(test, id)
    expect(test.outbox.submissionOf(id)?.reasons).toEqual([])
    expect(await undo(test, id)).toBe('undone')
    expect(test.outbox.rowOf(id)).toEqual({ ...before, planned_at: MORNING })
    await approve(test, id)
    await test.call('submissions.update', { id, fields: { age: 61 } })
    expect(stateOf(test, id)).toBe('incomplete')
    expect(test.outbox.submissionOf(id)?.reasons).toEqual(reasonsColumn.read(before?.reasons ?? ''))
  })

  it('restores notes and an earlier approval, with all that was noted since', async () => {
    const { test, id } = await caseIn('review')
    await approve(test, id)
    await test.clock.turn(UNDO_MS)
    await test.call('submissions.update', { id, fields: { age: 61 }, mayLeave: false })
    test.outbox.reviewIfUncleared(id, MORNING)
    const before = test.outbox.rowOf(id)
    expect(before).toMatchObject({ state: 'review', approved_via: 'screen' })
    await approve(test, id)
    expect(test.outbox.rowOf(id)?.identity).not.toContain('isAtWork')
    const identity = identityColumn.read(test.outbox.rowOf(id)?.identity ?? '')
    test.outbox.setIdentity(id, { ...identity, separatedFrom: ['other'] })
    expect(await undo(test, id)).toBe('undone')
    const after = test.outbox.rowOf(id)
    expect(after).toEqual({
      ...before,
      identity: after?.identity,
      changed_at: after?.changed_at,
      planned_at: after?.planned_at,
    })
    expect(identityColumn.read(after?.identity ?? '')).toEqual({
      ...identityColumn.read(before?.identity ?? ''),
      separatedFrom: ['other'],
    })
  })

  it.each<readonly [SubmissionState, string]>([
    ['waiting', 'Too late: it is queued to be sent. To stop it, put it on hold.'],
    ['sending', 'Too late: it is being sent.'],
    ['unconfirmed', 'Too late: it may have been sent.'],
    ['sent', 'Too late: it was sent.'],
    ['review', 'Not possible at this stage of the case. Nothing was changed.'],
  ])('is refused for a case that is %s', async (state, why) => {
    const { test, id } = await caseIn(state)
    const before = [test.outbox.rowOf(id), trailOf(test, id)]
    expect(await undo(test, id)).toBe(why)
    expect([test.outbox.rowOf(id), trailOf(test, id)]).toEqual(before)
  })
})
