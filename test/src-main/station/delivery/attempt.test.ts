import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type {
  Announcement,
  AttemptGuard,
} from '../../../../src-main/station/outbox/recovery/manifest-writer.ts'
import { fieldsColumn, sourcesColumn } from '../../../../src-main/station/json-columns.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, updateVerdict, MORNING, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import {
  askedCount,
  deliveryWith,
  NO_GUARD,
  onEachList,
  onEachPiece,
  outcomesOf,
  sending,
  type TestDelivery,
} from './delivery-with.ts'
import { answered, broken, LOST, type PostPlan, SILENT } from './scripted-service.ts'

const TWO_IMAGES = { images: [{ bytes: someBytes() }, { bytes: someBytes(), eye: 'left' as const }] }
const TAKEN: PostPlan = { kind: 'taken' }

function imageOf(test: TestDelivery, id: string): string {
  return test.spoolPath(test.outbox.imageRowsOf(id)[0]?.spool_name ?? '')
}

function excludeOne(test: TestDelivery, id: string): void {
  test.outbox.setExcluded(test.outbox.imageRowsOf(id)[0]?.id ?? '', 'blurred')
}

/** A person approves what the case is now. */
function approveAgain({ outbox }: TestDelivery, id: string): void {
  for (const event of ['gatheredForReview', 'approved'] as const)
    outbox.moveSubmission(id, event, {}, { at: 1 })
}

describe('a case that waits', () => {
  it('is read again before another attempt, and goes no more if it is another case by then', async () => {
    const reread: string[] = []
    const { test, id } = await sending({ plan: broken(10) }, (made) => {
      made.reread = (caseId) => {
        reread.push(caseId)
        made.outbox.moveSubmission(caseId, 'gatheredForReview', {}, { at: MORNING })
      }
    })
    expect([reread, outcomesOf(test, id), stateOf(test, id)]).toEqual([[], ['unsent'], 'waiting'])
    await test.clock.turn(HOUR)
    expect([reread, outcomesOf(test, id), stateOf(test, id)]).toEqual([[id], ['unsent'], 'review'])
  })

  it('is posted whole, bound to its id, read back, and watched for its report', async () => {
    const images = [someBytes(300_000), someBytes(10)] as const
    const fields = {
      history_number: 'H-00017',
      visit_date: '2026-11-20',
      gender: 0,
      other_relevant_info: 'Cataract.',
    } as const
    const { test, id } = await sending({
      waiting: { fields, images: [{ bytes: images[0] }, { bytes: images[1], eye: 'left' }] },
      turnMs: SECOND,
    })
    const details = test.outbox.detailsOf(id)
    const reference = details?.reference ?? ''
    expect(test.service.posts).toHaveLength(1)
    const parts = test.service.posts[0]?.parts ?? []
    const texts = parts.filter((part) => part.fileName === null)
    expect(texts.map((part) => [part.name, String(part.bytes)])).toEqual([
      ['history_number', 'H-00017'],
      ['gender', '0'],
      ['visit_date', '2026-11-20'],
      ['other_relevant_info', `Cataract.\n${reference}`],
    ])
    const files = parts.filter((part) => part.fileName !== null)
    expect(files.map((part) => [part.name, part.fileName])).toEqual([
      ['images[]', `${reference}_OD_1.jpg`],
      ['images[]', `${reference}_OS_1.jpg`],
    ])
    expect(files.every((part, index) => part.bytes.equals(images[index] ?? Buffer.of(0)))).toBe(true)
    expect(details).toMatchObject({
      state: 'sent',
      caseId: '100',
      failure: null,
      notBefore: null,
      attempts: 1,
      confirmedAt: MORNING + SECOND,
    })
    const [attempt] = details?.attemptList ?? []
    expect(attempt).toMatchObject({ outcome: 'delivered', phase: 'ended', failure: null })
    expect(attempt?.handedOverBytes).toBe(attempt?.requestBytes)
    const watched = { case_id: '100', submission_id: id }
    expect(test.outbox.dueReportWatches(MORNING + SECOND)).toMatchObject([watched])
    expect(test.outbox.readFact('lastSentAt')).toBe(String(MORNING))
  })

  it('leaves out the images that a person has excluded', async () => {
    const { test, id } = await sending({ waiting: TWO_IMAGES }, (made, caseId) => {
      excludeOne(made, caseId)
      approveAgain(made, caseId)
    })
    const names = test.service.posts[0]?.parts.map((part) => part.fileName).filter((name) => name !== null)
    expect(names).toEqual([`${test.outbox.submissionOf(id)?.reference ?? ''}_OS_1.jpg`])
  })

  it('sends a photograph once, and not also the twin of another format', async () => {
    const { test } = await sending({ waiting: TWO_IMAGES }, (made, caseId) => {
      const [picture, twin] = made.outbox.imageRowsOf(caseId)
      made.outbox.setTwinOf(twin?.id ?? '', picture?.id ?? '')
      approveAgain(made, caseId)
    })
    expect(test.service.posts[0]?.parts.filter((part) => part.fileName !== null)).toHaveLength(1)
  })

  it('whose content is no longer what was approved goes to a person, and not to the service', async () => {
    const { test, id } = await sending({ waiting: TWO_IMAGES }, excludeOne)
    expect(test.service.posts).toEqual([])
    expect(stateOf(test, id)).toBe('review')
  })

  it('goes before older ones if it is urgent', async () => {
    const test = deliveryWith({ delivery: { concurrency: 1 } })
    const ids = [1, 2, 3].map(() => addWaiting(test))
    test.outbox.setUrgent(ids[2] ?? '', MORNING)
    test.open()
    await test.clock.settle()
    expect(ids.map((id) => Number(test.outbox.rowOf(id)?.case_id))).toEqual([101, 102, 100])
  })

  it('is written down before a byte leaves, phase by phase', async () => {
    const phases: unknown[] = []
    const { test, id, delivery } = await sending({}, (made, caseId) => {
      made.service.plan = () => {
        phases.push(made.outbox.attemptsOf(caseId)[0]?.phase, stateOf(made, caseId))
        return SILENT
      }
    })
    phases.push(test.outbox.attemptsOf(id)[0]?.phase)
    expect(phases).toEqual(['sending', 'sending', 'handedOver'])
    test.service.release()
    await delivery.close()
  })
})

describe('an image that cannot be sent', () => {
  it('because it is damaged parks its case, of which the rest is never sent', async () => {
    const { test, ids } = await sending({ cases: 2, turnMs: MINUTE }, (made, id) =>
      truncateSync(imageOf(made, id), 10),
    )
    const [damaged = '', other = ''] = ids
    expect(test.outbox.submissionOf(damaged)).toMatchObject({
      state: 'refused',
      failure: { kind: 'imageDamaged' },
    })
    const [attempt] = test.outbox.attemptsOf(damaged)
    expect(attempt?.handed_over_bytes).toBeLessThan(attempt?.request_bytes ?? 0)
    expect(stateOf(test, other)).toBe('sent')
    expect(test.service.posts).toHaveLength(1)
  })

  it('because the disk fails to read it is tried three times, and then a person is asked', async () => {
    const bytes = someBytes()
    // It opens and fails at the first read, as on a disk with bad sectors.
    const { test, id, delivery } = await sending({ waiting: { images: [{ bytes }] } }, (made, caseId) => {
      rmSync(imageOf(made, caseId))
      mkdirSync(imageOf(made, caseId))
    })
    // What our own disk ended is marked, and so never taken for a stop of the line.
    expect(test.outbox.detailsOf(id)?.attemptList).toMatchObject([
      { failure: { kind: 'imageDamaged', endedBy: 'station' } },
    ])
    await test.clock.turn(6 * HOUR)
    expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'refused'])
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'refused',
      failure: { kind: 'imageDamaged', message: expect.stringContaining('could not be read') as string },
    })
    expect(delivery.serviceStatus().health).not.toBe('trouble')
    // The disk is well again, and a person sends it once more.
    rmSync(imageOf(test, id), { recursive: true })
    writeFileSync(imageOf(test, id), bytes)
    const patch = { failure: null, notBefore: null }
    test.outbox.moveSubmission(id, 'retriedRefused', patch, { at: test.clock.now() })
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('leaves it unknown what was taken if an id came before the damage', async () => {
    const { test, id } = await sending({}, (made, caseId) => {
      truncateSync(imageOf(made, caseId), 10)
      const { postCase } = made.service
      made.service.postCase = async (options) => {
        const answer = { status: 201, headers: {}, body: Buffer.from('{"id":"900"}'), isComplete: true }
        return { ...(await postCase(options)), answer, caseId: '900', failure: null }
      }
    })
    expect(outcomesOf(test, id)).toEqual(['unknown'])
    expect(stateOf(test, id)).toBe('unconfirmed')
  })
})

describe('what changes between the choice of a case and its attempt', () => {
  const atFirstList = (act: (test: TestDelivery, id: string) => void) => (test: TestDelivery, id: string) =>
    onEachList(test, (number) => {
      if (number === 1) act(test, id)
    })

  it('its center: it goes under the new one and never under the one that it was taken away from', async () => {
    const move = atFirstList((test, id) => test.outbox.assignCenter(id, '102', { at: test.clock.now() }))
    const { test, id } = await sending({ centerId: '101', turnMs: MINUTE }, move)
    expect(test.service.posts.map((post) => post.centerId)).toEqual(['102'])
    expect(test.outbox.rowOf(id)).toMatchObject({ state: 'sent', center_id: '102' })
    expect(outcomesOf(test, id)).toEqual(['delivered'])
  })

  it('its content: what no one has approved goes to review', async () => {
    const edit = atFirstList((test, id) => {
      const image = test.outbox.imageRowsOf(id)[0]?.id ?? ''
      test.outbox.setEye(image, { eye: 'left', source: 'person', statements: null })
    })
    const { test, id } = await sending({ turnMs: MINUTE }, edit)
    expect([test.service.handedOver, outcomesOf(test, id), stateOf(test, id)]).toEqual([[], [], 'review'])
  })

  it.each(['held', 'discarded'] as const)('its state: if it is %s it does not go', async (event) => {
    const stop = atFirstList((test, id) =>
      test.outbox.moveSubmission(id, event, {}, { at: test.clock.now() }),
    )
    const { test, id } = await sending({ turnMs: MINUTE }, stop)
    expect([test.service.posts, outcomesOf(test, id), stateOf(test, id)]).toEqual([[], [], event])
    expect(test.logger.errors()).toEqual([])
  })

  it.each([
    ['', 4 * SECOND],
    // The third one is still asking for its list: no new attempt begins beside it.
    [', even if a probe was answered since', 3 * SECOND],
  ])('the service: if one case gets no answer, those chosen with it do not go%s', async (probe, untilMs) => {
    const { test, delivery } = await sending({ delivery: { concurrency: 3 }, turnMs: 11 * MINUTE })
    expect(test.outbox.countSubmissions().sent).toBe(1)
    const { listCases } = test.service
    let lists = 0
    // The list of the second and the third is answered when the first post has failed.
    test.service.listCases = async (signal) => {
      const delayMs = lists < 3 ? lists * 2 * SECOND : 0
      lists += 1
      const list = await listCases(signal)
      await new Promise<void>((resolve) => void test.clock.after(delayMs, resolve))
      return list
    }
    test.service.plan = () => answered(502)
    const before = test.service.handedOver.length
    for (let count = 0; count < 3; count += 1) addWaiting(test)
    test.random = 1
    await test.clock.turn(SECOND)
    if (probe !== '') delivery.retryNow('person')
    await test.clock.turn(untilMs - SECOND)
    expect(lists).toBeGreaterThanOrEqual(3)
    if (probe !== '') expect(delivery.serviceStatus().health).toBe('reachable')
    expect(test.service.handedOver.length - before).toBe(1)
    expect(test.outbox.countSubmissions()).toMatchObject({ unconfirmed: 1, waiting: 2 })
  })
})

describe('a case that rests on names alone', () => {
  /** From now on its eyes were read from file names. Its content stays the same. */
  const restOnNames = (test: TestDelivery, id: string): void => {
    for (const { id: imageId, eye } of test.outbox.imageRowsOf(id))
      test.outbox.setEye(imageId, { eye, source: 'fileName', statements: null })
    updateVerdict(test, id)
  }

  it('is never sent, however it came to wait: opening its attempt brings it to review', async () => {
    const { test, id } = await sending({ turnMs: MINUTE }, restOnNames)
    expect([test.service.handedOver, outcomesOf(test, id), stateOf(test, id)]).toEqual([[], [], 'review'])
    expect(test.outbox.submissionOf(id)?.reasons).toMatchObject([{ kind: 'readFromNames' }])
  })

  it('that came to rest on names after it was chosen is not sent, either, and the next one is', async () => {
    const { test, ids } = await sending({ cases: 2, turnMs: 11 * MINUTE }, (made, id) =>
      onEachList(made, () => restOnNames(made, id)),
    )
    expect(outcomesOf(test, ids[0] ?? '')).toEqual([])
    expect(ids.map((id) => stateOf(test, id))).toEqual(['review', 'sent'])
  })

  /** All of it is proven, by names that this profile reads. */
  const restOnProfile = (test: TestDelivery, id: string): void => {
    const row = test.outbox.rowOf(id)
    const verdict = test.outbox.submissionOf(id)?.verdict
    if (!row || !verdict) throw new Error('a case that waits exists')
    test.outbox.setContent(
      id,
      {
        fields: fieldsColumn.read(row.fields),
        sources: sourcesColumn.read(row.sources),
        reasons: [],
        verdict: { ...verdict, profiles: ['names-1'] },
      },
      row.changed_at,
    )
  }
  const confirmed = (at: number) => ({ '/exports': { 'names-1': at } })

  it.each([
    ['confirmed before its images came', confirmed(MORNING - 1), 'sent'],
    ['confirmed after they came', confirmed(MORNING), 'review'],
    ['not confirmed any more', { '/exports': {} }, 'review'],
    ['confirmed for another folder', { '/other': { 'names-1': MORNING - 1 } }, 'review'],
  ])('which a profile reads: %s', async (_what, now, state) => {
    const { test, id } = await sending({ turnMs: MINUTE }, (made, caseId) => {
      made.outbox.noteConfirmed(now)
      restOnProfile(made, caseId)
    })
    expect([stateOf(test, id), test.service.handedOver.length]).toEqual([state, state === 'sent' ? 1 : 0])
  })

  it('of which the confirmation ends while the attempt is made ready is not sent', async () => {
    const { test, id } = await sending({ turnMs: 11 * MINUTE }, (made, caseId) => {
      made.outbox.noteConfirmed(confirmed(MORNING - 1))
      restOnProfile(made, caseId)
      onEachList(made, () => made.outbox.noteConfirmed({}))
    })
    expect([stateOf(test, id), outcomesOf(test, id)]).toEqual(['review', []])
    expect(test.outbox.listAudit({ submissionId: id, limit: 1 })).toMatchObject([
      { details: { why: 'notConfirmedNow' } },
    ])
  })

  it('leaves once a person has approved it', async () => {
    const { test, id } = await sending({ turnMs: MINUTE }, (made, caseId) => {
      restOnNames(made, caseId)
      for (const event of ['gatheredForReview', 'approved'] as const)
        made.outbox.moveSubmission(caseId, event, {}, { at: made.clock.now() })
    })
    expect(outcomesOf(test, id)).toEqual(['delivered'])
  })

  it('is not sent under the approval of a better verdict', async () => {
    const { test, ids } = await sending({ cases: 2, turnMs: 11 * MINUTE }, (made, caseId) => {
      for (const event of ['gatheredForReview', 'approved'] as const)
        made.outbox.moveSubmission(caseId, event, {}, { at: made.clock.now() })
      onEachList(made, () => restOnNames(made, caseId))
    })
    expect(outcomesOf(test, ids[0] ?? '')).toEqual([])
    expect(ids.map((id) => stateOf(test, id))).toEqual(['review', 'sent'])
  })
})

describe('the guard of an attempt', () => {
  const guardWith = (answer: { now: Announcement }) => {
    const asked: string[] = []
    const settled: string[] = []
    const guard: AttemptGuard = {
      announce: (id) => {
        asked.push(id)
        return Promise.resolve(answer.now)
      },
      settle: (id) => void settled.push(id),
    }
    return { guard, asked, settled }
  }

  it('is asked before the attempt is opened, and settled when it has ended', async () => {
    const { guard, asked, settled } = guardWith({ now: { kind: 'announced' } })
    const seen: number[] = []
    const announce: AttemptGuard['announce'] = (id, to) => {
      seen.push(test.outbox.attemptsOf(id).length)
      return guard.announce(id, to)
    }
    const test = deliveryWith({ guard: { ...guard, announce } })
    const id = addWaiting(test)
    test.open()
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('sent')
    expect([asked, settled, seen]).toEqual([[id], [id], [0]])
  })

  it('lets none begin if the outbox is older than what is known elsewhere', async () => {
    const announce: AttemptGuard['announce'] = (id) => {
      test.outbox.moveSubmission(id, 'wasRestored', {}, { at: test.clock.now() })
      return Promise.resolve({ kind: 'notWaiting' })
    }
    const test = deliveryWith({ guard: { ...NO_GUARD, announce } })
    const id = addWaiting(test)
    test.open()
    await test.clock.turn(MINUTE)
    expect([stateOf(test, id), test.service.posts]).toEqual(['unconfirmed', []])
  })

  it('lets none begin while our own disk refuses, which the case states, and one refusal speaks for all', async () => {
    const answer: { now: Announcement } = { now: { kind: 'failed', failure: failureOf('diskLow') } }
    const { guard, asked } = guardWith(answer)
    const { test, ids, id } = await sending({ guard, cases: 3 })
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'waiting',
      failure: { kind: 'diskLow' },
      attempts: 0,
    })
    expect([asked, test.service.posts]).toEqual([[id], []])
    answer.now = { kind: 'announced' }
    await test.clock.turn(20 * MINUTE)
    expect(ids.map((one) => stateOf(test, one))).toEqual(['sent', 'sent', 'sent'])
    expect(outcomesOf(test, id)).toEqual(['delivered'])
  })
})

describe('a new token between the last bytes of a case and its answer, if the service marks no center', () => {
  it.each([
    ['delivered', TAKEN, 'sent', ['100']],
    ['lost on its way back', LOST, 'unconfirmed', []],
    ['refused', answered(422, { message: 'no' }), 'refused', null],
  ] as const)('is an alarm unless the case was refused: %s', async (_name, plan, state, caseIds) => {
    const { test, id } = await sending({ centerId: '101', plan }, (made) =>
      onEachPiece(made, (bytes, whole) => {
        if (bytes === whole) made.service.renewToken()
      }),
    )
    expect(stateOf(test, id)).toBe(state)
    const notes = test.outbox.detailsOf(id)?.evidence.filter(({ kind }) => kind === 'centerUnsure')
    expect(notes).toMatchObject(caseIds === null ? [] : [{ caseIds }])
    const alarm = { kind: 'centerSwitched', submissionId: id, caseIds }
    expect(test.outbox.openAlarms()).toMatchObject(caseIds === null ? [] : [alarm])
    expect(test.alarms).toEqual(caseIds === null ? [] : [id])
  })

  it('that only the question behind a doubtful no has taken is no alarm', async () => {
    const { test, id } = await sending({ centerId: '101', turnMs: SECOND }, (made) => {
      made.service.plan = () => {
        made.service.listAnswer = () => fail(failureOf('offline'))
        return answered(403)
      }
    })
    expect(askedCount(test, 'token')).toBeGreaterThan(0)
    expect([stateOf(test, id), test.outbox.openAlarms()]).toEqual(['unconfirmed', []])
  })
})
