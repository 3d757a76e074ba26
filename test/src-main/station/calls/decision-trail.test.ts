/** A person who decides may say who they are and why: the trail holds both with the decision. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import type { AuditEntry } from '../../../../src-shared/alarms.ts'
import { calls, type CallName } from '../../../../src-shared/contract.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { MORNING } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { confirmOnly, eightVisits, EXPORTS, folderWith } from './named-visits.ts'
import { addCase, addUnusable, partsWith, type TestParts, trailOf, caseIn } from './parts-with.ts'

const WHO = { by: 'AB', why: 'because of the reason' }

const imageOf = (test: TestParts, id: string, index = 0): string =>
  test.outbox.imageRowsOf(id)[index]?.id ?? ''

/** The input of a case that is made by hand. */
async function newPhoto(): Promise<object> {
  const path = join(temporaryFolder(), 'photo.jpg')
  const picture = { width: 64, height: 64, channels: 3, background: { r: 200, g: 60, b: 20 } } as const
  writeFileSync(path, await sharp({ create: picture }).jpeg().toBuffer())
  return { fields: { history_number: 'H-9' }, images: [{ path, eye: 'right' }] }
}

/** Two people whom a person has separated, with one number typed into both cases. */
async function withSharedNumber(test: TestParts): Promise<object> {
  const id = addCase(test, 'review', { images: 2 })
  const groups = test.outbox.imageRowsOf(id).map((image) => [image.id])
  const answer = await test.call('submissions.separate', { id, groups })
  for (const one of answer.ok ? answer.value.cases : [])
    await test.call('submissions.update', { id: one.id, fields: { history_number: 'H-1' } })
  return { id, number: 'H-1', isThis: true }
}

async function approvedForNow(test: TestParts): Promise<object> {
  const ids = [addCase(test, 'review')]
  await test.call('submissions.approve', { ids, undoSeconds: 10 })
  return { ids }
}

/** What a call is given: the state of a case whose id goes with more input, or an input of its own. */
type Prepare = readonly [SubmissionState, object?] | ((test: TestParts) => object | Promise<object>)
type Line = readonly [name: string, call: CallName, prepare: Prepare]

const LINES: readonly Line[] = [
  ['closing', 'submissions.closeNow', ['collecting']],
  ['saving as CSV', 'submissions.export', ['collecting']],
  ['approving', 'submissions.approve', ['review']],
  ['taking an approval back', 'submissions.undoApproval', approvedForNow],
  ['trying again what waits', 'submissions.retry', ['waiting']],
  ['trying again what was refused', 'submissions.retry', ['refused']],
  ['looking again', 'submissions.retry', ['unconfirmed']],
  ['prioritising', 'submissions.prioritise', ['review']],
  ['holding', 'submissions.hold', ['waiting']],
  ['releasing', 'submissions.release', ['held']],
  ['discarding', 'submissions.discard', ['review']],
  ['restoring', 'submissions.restore', ['discarded']],
  ['erasing', 'submissions.withdraw', ['review']],
  ['stopping a transfer', 'submissions.cancel', ['sending']],
  ['giving to a center', 'submissions.moveToCenter', ['collecting', { centerId: '102' }]],
  ['joining', 'submissions.merge', (test) => ({ ids: [addCase(test), addCase(test)] })],
  ['parting', 'submissions.split', withTwoImages],
  ['moving images', 'submissions.moveImages', (test) => ({ ...withTwoImages(test), toId: addCase(test) })],
  ['deciding on a file', 'submissions.decideFile', withUnusableFile],
  ['separating', 'submissions.separate', withTwoGroups],
  ['saying that it is one patient', 'submissions.samePatient', (test) => ({ id: addCase(test) })],
  ['saying whose a number is', 'submissions.answerNumber', (test) => ({ id: addCase(test), ...NUMBER })],
  ['saying whose one number of two people is', 'submissions.assignNumber', withSharedNumber],
  ['editing', 'submissions.update', (test) => ({ id: addCase(test), fields: { age: 77 } })],
  ['saying that it is there', 'submissions.resolve', (test) => lost(test, { delivered: true, caseId: '9' })],
  ['saying that it is not there', 'submissions.resolve', (test) => lost(test, { delivered: false })],
  ['making by hand', 'submissions.create', newPhoto],
  ['adding images by hand', 'submissions.addImages', withNewPhoto],
  ['pausing', 'station.pause', () => ({ seconds: 60 })],
  ['resuming', 'station.resume', () => ({})],
  ['starting normally', 'station.startNormally', (test) => ({ safe: (test.isSafe = true) })],
  ['changing settings', 'settings.update', () => ({ requiredFields: ['age'] })],
  ['changing the center', 'centers.change', () => ({ centerId: '102' })],
  ['deciding about old files', 'folders.decideExisting', watchOldFiles],
  ['reading a file again', 'folders.tryAgain', setAsideFile],
  ['settling an alarm', 'station.settleAlarm', raiseAlarm],
  ['ending a confirmation', 'profiles.revoke', confirmProfile],
]

async function withNewPhoto(test: TestParts): Promise<object> {
  const made = await test.call('submissions.create', { fields: {}, images: [] })
  return { ...(await newPhoto()), id: made.ok && made.value.id }
}

function withTwoImages(test: TestParts): object {
  const id = addCase(test, 'collecting', { images: 2 })
  return { id, imageIds: [imageOf(test, id)] }
}

function withUnusableFile(test: TestParts): object {
  const id = addCase(test, 'incomplete')
  return { id, fileId: addUnusable(test, id), decision: 'exclude' }
}

const NUMBER = { number: '88123', isPatientNumber: false }

function withTwoGroups(test: TestParts): object {
  const id = addCase(test, 'collecting', { images: 2 })
  return { id, groups: [[imageOf(test, id)], [imageOf(test, id, 1)]] }
}

const lost = (test: TestParts, decision: object): object => ({
  id: addCase(test, 'unconfirmed'),
  ...decision,
})

async function watchOldFiles(test: TestParts): Promise<object> {
  const path = temporaryFolder()
  await test.call('settings.update', { folders: [{ path, existing: 'ask' }] })
  return { path, existing: 'ignore' }
}

async function setAsideFile(test: TestParts): Promise<object> {
  const path = temporaryFolder()
  await test.call('settings.update', { folders: [{ path }] })
  const file = { folderPath: path, relativePath: 'a.jpg', sizeBytes: 1, mtimeMs: 1 }
  test.outbox.recordDeaths([file], { at: 1, version: '0' }, true)
  return { path, fileName: 'a.jpg' }
}

function raiseAlarm(test: TestParts): object {
  const alarm = { kind: 'twoCasesOneReference', submissionId: null, caseIds: [], message: 'M.' } as const
  test.outbox.raiseAlarm({ ...alarm, at: MORNING })
  return { id: test.outbox.openAlarms()[0]?.id ?? '' }
}

async function confirmProfile(test: TestParts): Promise<object> {
  await test.parts.settings.update(folderWith())
  await eightVisits(test)
  return { path: EXPORTS, id: await confirmOnly(test) }
}

/** The lines that a call has left. */
async function linesOf(call: CallName, prepare: Prepare): Promise<AuditEntry[]> {
  const test = await partsWith({ centerId: '101' })
  test.cancelled = 'stopping'
  const input =
    typeof prepare === 'function'
      ? await prepare(test)
      : { ids: [addCase(test, prepare[0], { centerId: '101' })], ...prepare[1] }
  const before = test.outbox.listAudit({ limit: 1 })[0]?.id ?? 0
  expect(await test.call(call, { ...input, ...WHO })).toMatchObject({ ok: true })
  return test.outbox.listAudit({ limit: 100 }).filter(({ id }) => id > before)
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
      trail.push(...test.outbox.listAudit({ limit: 9 }).map(({ what }) => what))
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
      setRight: [],
      setLeft: [eye],
      setUnknown: [],
      excluded: [left],
      included: [],
      why: WHO.why,
    })
    expect(JSON.stringify(edited)).not.toMatch(/Lovelace|blurred|H-1/)
    // The trail stays without them; the screens show what its ids mean today.
    const listed = await test.call('audit.list', { submissionId: id, what: ['edited'] })
    expect(listed.ok && listed.value.items[0]?.names).toEqual({
      [id]: 'H-1',
      [eye]: test.outbox.imageRowsOf(id)[0]?.file_name,
      [left]: test.outbox.imageRowsOf(id)[1]?.file_name,
    })
  })
})
