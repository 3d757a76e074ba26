/** The open cases of an outbox that version 0.1 wrote are read again; what a person said, and what is sent, stays. */
import { expect, it } from 'vitest'
import { refreshSubmissions, rereadVerdict } from '../../../../src-main/station/intake/refresh.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import type { Submission } from '../../../../src-shared/submission.ts'
import { raisesQuestion } from '../../../../src-shared/verdict.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { openFixtureOutbox } from '../../../tools/fixture-outbox.ts'
import { MORNING, type TestOutbox } from '../../../tools/outbox-with.ts'

const OVER: readonly Submission['state'][] = ['sent', 'discarded']

/** The outbox as the station finds it after the update, with what it did about it before it sends. */
function afterUpdate(): {
  readonly test: TestOutbox
  readonly before: readonly Submission[]
  readonly now: (id: string) => Submission
  readonly unread: readonly string[]
  readonly moved: number
  readonly context: Parameters<typeof refreshSubmissions>[0]
} {
  const test = openFixtureOutbox()
  const { outbox } = test
  const before = outbox.submissions.list({ limit: 1_000 }).items
  const settings = settingsSchema.parse({ folders: [{ path: '/exports', sendWithoutReview: true }] })
  const context = { outbox, clock: new ManualClock({ now: MORNING }), settings: () => settings }
  const unread = outbox.approvals.fillVerdicts((id) => {
    const row = outbox.submissions.row(id)
    if (row) rereadVerdict(context, row)
  })
  const moved = outbox.approvals.applyNamesRuleOnce(settings.folders, MORNING)?.moved ?? 0
  const now = (id: string): Submission => {
    const found = outbox.submissions.get(id)
    if (!found) throw new Error('it is there')
    return found
  }
  return { test, before, now, unread, moved, context }
}

const sentParts = ({ fields, sources, images, noImageBecause }: Submission): object => ({
  fields,
  sources,
  noImageBecause,
  images: images.map(({ id, eye, eyeSource, excludedBecause }) => ({ id, eye, eyeSource, excludedBecause })),
})

it('every case that is not over is read again, and nothing that is sent changes', () => {
  const { test, before, now, unread } = afterUpdate()
  const readable = before.filter(({ unreadable }) => unreadable === undefined)
  expect(new Set(unread)).toEqual(
    new Set(readable.filter(({ state }) => !OVER.includes(state)).map(({ id }) => id)),
  )
  for (const one of readable) expect(sentParts(now(one.id))).toEqual(sentParts(one))
  for (const id of unread) expect(test.outbox.submissions.row(id)?.verdict).not.toBeNull()
})

it('what waits is proven, or approved and without a question; all else went to a person, and is counted', () => {
  const { test, before, now, moved } = afterUpdate()
  const waited = before.filter(({ state }) => state === 'waiting')
  expect(waited.length).toBeGreaterThan(3)
  const back = waited.filter(({ id }) => now(id).state !== 'waiting')
  expect([moved, test.outbox.approvals.countNamesRuleCases()]).toEqual([back.length, back.length])
  for (const { id } of waited) {
    const { state, reasons, verdict } = now(id)
    const row = test.outbox.submissions.row(id)
    const isHeld = row?.approved_digest !== null && !raisesQuestion(verdict)
    if (state === 'waiting') expect(test.outbox.approvals.isProven(id) || isHeld).toBe(true)
    else {
      expect([state, isHeld && test.outbox.approvals.mayLeave(id)]).toEqual(['review', false])
      expect(reasons.map(({ kind }) => kind)).toContain('readFromNames')
      expect(test.outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([
        { what: 'gatheredForReview', details: { why: 'readFromNames' } },
      ])
    }
  }
  expect(test.outbox.approvals.isNamesRuleUnexplained()).toBe(true)
})

it('an approval of before holds only for the very content', () => {
  const { test, before, now } = afterUpdate()
  const held = before.find(
    ({ id }) => now(id).state === 'waiting' && test.outbox.submissions.row(id)?.approved_digest !== null,
  )
  const { id, fields, sources, reasons } = now(held?.id ?? '')
  expect(test.outbox.approvals.mayLeave(id)).toBe(true)
  test.outbox.submissions.setContent(id, { fields: { ...fields, age: 44 }, sources, reasons }, MORNING)
  expect(test.outbox.approvals.isProven(id) || test.outbox.approvals.mayLeave(id)).toBe(
    test.outbox.approvals.isProven(id),
  )
})

it('what a person said stays when the questions are asked again', () => {
  const { before, now, unread, context } = afterUpdate()
  refreshSubmissions(context, new Set(unread))
  for (const one of before) {
    const entered = Object.entries(one.sources).filter(([, source]) => source === 'person')
    for (const [name] of entered) {
      const field = name as keyof typeof one.fields
      expect([name, now(one.id).fields[field]]).toEqual([name, one.fields[field]])
    }
    for (const image of one.images.filter(({ eyeSource }) => eyeSource === 'person'))
      expect(now(one.id).images.find(({ id }) => id === image.id)).toMatchObject({
        eye: image.eye,
        eyeSource: 'person',
      })
  }
})
