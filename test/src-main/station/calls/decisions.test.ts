/** Whoever decides may say who they are and why: both stand in the trail with what was decided. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { calls, type AuditEntry, type CallName } from '../../../../src-shared/contract.ts'
import { addTestImage, claim, MORNING, newSubmission, someBytes } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { partsWith, type TestParts } from './parts-with.ts'

const WHO = { by: 'AB', why: 'because of the reason' }

function complete(test: TestParts, images = 1): string {
  const fields = { history_number: 'H-1', visit_date: '2026-11-20' }
  const sources = { history_number: 'person', visit_date: 'person' } as const
  const id = test.outbox.submissions.create(newSubmission({ fields, sources, centerId: '101' }))
  for (let index = 0; index < images; index += 1) {
    const imageId = addTestImage(test, id, { bytes: someBytes(), fileName: `H-1/${id}_OD_${index}.jpg` })
    test.outbox.images.setEye(imageId, { eye: 'right', source: 'person', statements: null })
  }
  test.refresh(id)
  return id
}

type Moves = readonly Parameters<TestParts['outbox']['submissions']['transition']>[1][]

const after =
  (...moves: Moves) =>
  (test: TestParts): string => {
    const id = complete(test)
    for (const move of moves) test.outbox.submissions.transition(id, move, {}, { at: MORNING })
    return id
  }

function unconfirmed(test: TestParts): string {
  const id = after('gatheredToSend')(test)
  claim(test, id, '101')
  const attemptId = test.outbox.attempts.of(id)[0]?.id ?? ''
  const end = { outcome: 'unknown', handedOverBytes: 1, failure: null, answer: null, at: MORNING } as const
  test.outbox.attempts.end(attemptId, end, 'becameUnknown', {})
  return id
}

const on =
  (make: (test: TestParts) => string, more: object = {}) =>
  (test: TestParts): object => ({ ids: [make(test)], ...more })

const imageOf = (test: TestParts, id: string, index = 0): string =>
  test.outbox.images.rows(id)[index]?.id ?? ''

type Line = readonly [name: string, call: CallName, prepare: (test: TestParts) => object | Promise<object>]

const LINES: readonly Line[] = [
  ['closing', 'submissions.closeNow', on(complete)],
  ['saving as CSV', 'submissions.export', on(complete)],
  ['approving', 'submissions.approve', on(after('gatheredForReview'))],
  ['trying again what waits', 'submissions.retry', on(after('gatheredToSend'))],
  ['trying again what was refused', 'submissions.retry', on(after('gatheredToSend', 'wasRefused'))],
  ['looking again', 'submissions.retry', on(unconfirmed)],
  ['prioritising', 'submissions.prioritise', on(after('gatheredForReview'))],
  ['holding', 'submissions.hold', on(after('gatheredToSend'))],
  ['releasing', 'submissions.release', on(after('gatheredToSend', 'held'))],
  ['discarding', 'submissions.discard', on(after('gatheredForReview'))],
  ['restoring', 'submissions.restore', on(after('gatheredForReview', 'discarded'))],
  [
    'stopping a transfer',
    'submissions.cancel',
    (test) => {
      test.cancelled = 'stopping'
      return { ids: [after('gatheredToSend')(test)] }
    },
  ],
  ['giving to a center', 'submissions.moveToCenter', on(complete, { centerId: '102' })],
  ['joining', 'submissions.merge', (test) => ({ ids: [complete(test), complete(test)] })],
  [
    'parting',
    'submissions.split',
    (test) => {
      const id = complete(test, 2)
      return { id, imageIds: [imageOf(test, id)] }
    },
  ],
  [
    'moving images',
    'submissions.moveImages',
    (test) => ({ imageIds: [imageOf(test, complete(test, 2))], toId: complete(test) }),
  ],
  [
    'editing',
    'submissions.update',
    (test) => {
      const id = complete(test)
      return { id, fields: { age: 77 }, images: [{ id: imageOf(test, id), eye: 'left' }] }
    },
  ],
  [
    'saying that it is there',
    'submissions.resolve',
    (test) => ({ id: unconfirmed(test), delivered: true, caseId: '9' }),
  ],
  [
    'saying that it is not there',
    'submissions.resolve',
    (test) => ({ id: unconfirmed(test), delivered: false }),
  ],
  [
    'making by hand',
    'submissions.create',
    async () => {
      const path = join(temporaryFolder(), 'photo.jpg')
      const picture = { width: 64, height: 64, channels: 3, background: { r: 200, g: 60, b: 20 } } as const
      writeFileSync(path, await sharp({ create: picture }).jpeg().toBuffer())
      return { fields: { history_number: 'H-9' }, images: [{ path, eye: 'right' }] }
    },
  ],
  ['pausing', 'station.pause', () => ({ seconds: 60 })],
  ['resuming', 'station.resume', () => ({})],
  [
    'starting normally',
    'station.startNormally',
    (test) => {
      test.isSafe = true
      return {}
    },
  ],
  [
    'reading why cases wait',
    'station.noteNamesRule',
    (test) => {
      test.outbox.facts.write('namesRule', 'unexplained')
      return {}
    },
  ],
  ['changing settings', 'settings.update', () => ({ requiredFields: ['age'] })],
  ['changing the center', 'centers.change', () => ({ centerId: '102' })],
  [
    'deciding about old files',
    'folders.decideExisting',
    async (test) => {
      const path = temporaryFolder()
      await test.call('settings.update', { folders: [{ path, existing: 'ask' }] })
      return { path, existing: 'ignore' }
    },
  ],
  [
    'settling an alarm',
    'station.settleAlarm',
    (test) => {
      const alarm = { kind: 'twoCasesOneReference', submissionId: null, caseIds: [], message: 'M.' } as const
      test.outbox.alarms.raise({ ...alarm, at: MORNING })
      return { id: test.outbox.alarms.listOpen()[0]?.id ?? '' }
    },
  ],
]

/** The lines that a call has left. */
async function linesOf(call: CallName, prepare: Line[2]): Promise<AuditEntry[]> {
  const test = await partsWith({ centerId: '101' })
  const input = await prepare(test)
  const before = test.outbox.audit.list({ limit: 1 })[0]?.id ?? 0
  expect(await test.call(call, { ...input, ...WHO })).toMatchObject({ ok: true })
  return test.outbox.audit.list({ limit: 100 }).filter(({ id }) => id > before)
}

it('a case that was made by hand is in the trail before anything of it is tidied up', async () => {
  const test = await partsWith()
  const path = join(temporaryFolder(), 'photo.jpg')
  const picture = { width: 64, height: 64, channels: 3, background: { r: 200, g: 60, b: 20 } } as const
  writeFileSync(path, await sharp({ create: picture }).jpeg().toBuffer())
  const trail: string[] = []
  vi.spyOn(test.parts.uploads, 'taken').mockImplementation(() => {
    trail.push(...test.outbox.audit.list({ limit: 9 }).map(({ what }) => what))
    return Promise.resolve()
  })
  await test.call('submissions.create', {
    fields: { history_number: 'H-9' },
    images: [{ path, eye: 'right' }],
  })
  expect(trail).toContain('madeByHand')
})

describe('a decision', () => {
  it.each(LINES)('of %s leaves a line with who and why', async (_what, call, prepare) => {
    const lines = await linesOf(call, prepare)
    expect(lines.filter(({ by, details }) => by === WHO.by && details['why'] === WHO.why)).not.toEqual([])
  })

  it('is none other than these: every call that takes a reason is here', () => {
    const takesReason = (Object.keys(calls) as CallName[]).filter((name) => {
      const { input } = calls[name]
      // A union of two forms has its fields in them.
      const forms = 'options' in input ? input.options : [input]
      return forms.some((form) => 'why' in form.shape)
    })
    const shown = new Set(LINES.map(([, call]) => call))
    expect(takesReason.filter((name) => !shown.has(name))).toEqual([])
    expect(takesReason.length).toBeGreaterThan(18)
  })

  it('of an edit names the fields and the images that it changed, and no value', async () => {
    const test = await partsWith()
    const id = complete(test, 3)
    const [eye, left] = [imageOf(test, id, 0), imageOf(test, id, 1)]
    const excludedBecause = 'blurred beyond use'
    await test.call('submissions.update', {
      id,
      fields: { age: 77, last_name: 'Lovelace', history_number: 'H-1' },
      images: [
        { id: eye, eye: 'left' },
        { id: left, excludedBecause },
      ],
      ...WHO,
    })
    const edited = test.outbox.audit
      .list({ submissionId: id, limit: 9 })
      .find(({ what }) => what === 'edited')
    expect(edited?.details).toEqual({
      fields: ['last_name', 'age'],
      eyes: [eye],
      exclusions: [left],
      why: WHO.why,
    })
    expect(JSON.stringify(edited)).not.toMatch(/Lovelace|blurred|H-1/)
  })
})
