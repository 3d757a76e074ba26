/** A person who decides may say who they are and why: the trail holds both with the decision. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { calls, type AuditEntry, type CallName } from '../../../../src-shared/contract.ts'
import type { SubmissionEvent } from '../../../../src-shared/states.ts'
import { MORNING } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { addCase, follow, partsWith, type TestParts, trailOf, caseIn } from './parts-with.ts'

const WHO = { by: 'AB', why: 'because of the reason' }

const after =
  (...events: readonly SubmissionEvent[]) =>
  (test: TestParts): string => {
    const id = addCase(test, 'collecting', { centerId: '101' })
    follow(test, id, ...events)
    return id
  }
const collecting = after()
const waiting = after('gatheredToSend')
const review = after('gatheredForReview')
const unconfirmed = (test: TestParts): string => addCase(test, 'unconfirmed', { centerId: '101' })

const on =
  (make: (test: TestParts) => string, more: object = {}) =>
  (test: TestParts): object => ({ ids: [make(test)], ...more })

const imageOf = (test: TestParts, id: string, index = 0): string =>
  test.outbox.images.rows(id)[index]?.id ?? ''

/** The input of a case that is made by hand. */
async function newPhoto(): Promise<object> {
  const path = join(temporaryFolder(), 'photo.jpg')
  const picture = { width: 64, height: 64, channels: 3, background: { r: 200, g: 60, b: 20 } } as const
  writeFileSync(path, await sharp({ create: picture }).jpeg().toBuffer())
  return { fields: { history_number: 'H-9' }, images: [{ path, eye: 'right' }] }
}

type Line = readonly [name: string, call: CallName, prepare: (test: TestParts) => object | Promise<object>]

const LINES: readonly Line[] = [
  ['closing', 'submissions.closeNow', on(collecting)],
  ['saving as CSV', 'submissions.export', on(collecting)],
  ['approving', 'submissions.approve', on(review)],
  ['trying again what waits', 'submissions.retry', on(waiting)],
  ['trying again what was refused', 'submissions.retry', on(after('gatheredToSend', 'wasRefused'))],
  ['looking again', 'submissions.retry', on(unconfirmed)],
  ['prioritising', 'submissions.prioritise', on(review)],
  ['holding', 'submissions.hold', on(waiting)],
  ['releasing', 'submissions.release', on(after('gatheredToSend', 'held'))],
  ['discarding', 'submissions.discard', on(review)],
  ['restoring', 'submissions.restore', on(after('gatheredForReview', 'discarded'))],
  [
    'stopping a transfer',
    'submissions.cancel',
    (test) => {
      test.cancelled = 'stopping'
      return { ids: [waiting(test)] }
    },
  ],
  ['giving to a center', 'submissions.moveToCenter', on(collecting, { centerId: '102' })],
  ['joining', 'submissions.merge', (test) => ({ ids: [collecting(test), collecting(test)] })],
  [
    'parting',
    'submissions.split',
    (test) => {
      const id = addCase(test, 'collecting', { images: 2 })
      return { id, imageIds: [imageOf(test, id)] }
    },
  ],
  [
    'moving images',
    'submissions.moveImages',
    (test) => ({
      imageIds: [imageOf(test, addCase(test, 'collecting', { images: 2 }))],
      toId: addCase(test),
    }),
  ],
  [
    'editing',
    'submissions.update',
    (test) => {
      const id = collecting(test)
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
  ['making by hand', 'submissions.create', newPhoto],
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

describe('a decision', () => {
  it.each(LINES)('of %s leaves a line with who and why', async (_what, call, prepare) => {
    const lines = await linesOf(call, prepare)
    expect(lines.filter(({ by, details }) => by === WHO.by && details['why'] === WHO.why)).not.toEqual([])
  })

  it('that makes a case by hand is in the trail before its files are tidied up', async () => {
    const test = await partsWith()
    const trail: string[] = []
    vi.spyOn(test.parts.uploads, 'taken').mockImplementation(() => {
      trail.push(...test.outbox.audit.list({ limit: 9 }).map(({ what }) => what))
      return Promise.resolve()
    })
    await test.call('submissions.create', await newPhoto())
    expect(trail).toContain('madeByHand')
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
    const { test, id } = await caseIn('collecting', { images: 3 })
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
    const edited = trailOf(test, id).find(({ what }) => what === 'edited')
    expect(edited?.details).toEqual({
      fields: ['last_name', 'age'],
      eyes: [eye],
      exclusions: [left],
      why: WHO.why,
    })
    expect(JSON.stringify(edited)).not.toMatch(/Lovelace|blurred|H-1/)
  })
})
