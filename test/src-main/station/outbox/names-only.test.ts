import { describe, expect, it, vi } from 'vitest'
import { restsOnNames } from '../../../../src-main/station/outbox/names-only.ts'
import { folderSettingsSchema } from '../../../../src-shared/folder-settings.ts'
import type { SubmissionEvent } from '../../../../src-shared/states.ts'
import type { Source } from '../../../../src-shared/submission.ts'
import type { NamedOnly } from '../../../../src-main/station/json-columns.ts'
import {
  addTestImage,
  addWaiting,
  endAttempt,
  startAttempt,
  MORNING,
  newSubmission,
  NO_IDENTITY,
  openTestOutbox,
  SERVICE,
  someBytes,
  stateOf,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'
import { partsWith } from '../calls/parts-with.ts'

const AT = { at: MORNING }
/** The sources of the critical facts of a case. */
type ReadFrom = {
  readonly patient: Source | null
  readonly visitDay: Source | null | 'unstated'
  readonly eyes: readonly (Source | null)[]
  readonly namedOnly: readonly NamedOnly[]
  readonly joinedAfterEntry: readonly NamedOnly[]
}
const STATED: ReadFrom = {
  patient: 'sidecar',
  visitDay: 'dicom',
  eyes: ['sidecar', 'person'],
  namedOnly: [],
  joinedAfterEntry: [],
}

/** The same as rows, with images that are not sent. */
function rowsOf({ patient, visitDay, eyes, ...named }: ReadFrom): Parameters<typeof restsOnNames> {
  const isStated = visitDay !== 'unstated'
  const row = {
    fields: JSON.stringify(isStated ? { visit_date: '2026-11-20' } : {}),
    sources: JSON.stringify({
      ...(patient && { history_number: patient }),
      ...(isStated && visitDay && { visit_date: visitDay }),
    }),
    identity: JSON.stringify({ ...NO_IDENTITY, ...named }),
  }
  const notSent = [
    { eye_source: 'fileName', excluded_because: 'blurred', twin_of: null },
    { eye_source: 'fileName', excluded_because: null, twin_of: 'another' },
  ] as const
  return [
    row,
    [...notSent, ...eyes.map((eye_source) => ({ eye_source, excluded_because: null, twin_of: null }))],
  ]
}

describe('what rests on names', () => {
  it.each<readonly [string, Partial<ReadFrom>, boolean]>([
    ['nothing, if data files and the images state all of it', {}, false],
    ['nothing, if a person entered it', { patient: 'person', visitDay: 'person', eyes: ['person'] }, false],
    ['the patient in a file name', { patient: 'fileName' }, true],
    ['the patient in a folder name', { patient: 'folderName' }, true],
    ['the patient in the list that is searched for the number of a name', { patient: 'patientList' }, true],
    ['the patient, if nothing says if it was read', { patient: null }, true],
    ['the day in a name', { visitDay: 'folderName' }, true],
    ['the day of the file', { visitDay: 'fileTime' }, true],
    ['the day, if nothing says if it was read', { visitDay: null }, true],
    ['no day, if none is sent', { visitDay: 'unstated' }, false],
    ['the eye of one image of several', { eyes: ['sidecar', 'fileName', 'dicom'] }, true],
    ['the eye, if nothing says if it was read', { eyes: [null] }, true],
    ['the patient of one image, whatever the others state', { namedOnly: ['patient'] }, true],
    ['the day of one image, whatever the others state', { namedOnly: ['visitDay'] }, true],
    ['nothing of one image, if a person entered it', { patient: 'person', namedOnly: ['patient'] }, false],
    [
      'the patient of an image, if one joined after a person had entered it',
      { patient: 'person', namedOnly: ['patient'], joinedAfterEntry: ['patient'] },
      true,
    ],
    ['nothing, if what joined later states it', { patient: 'person', joinedAfterEntry: ['patient'] }, false],
  ])('%s', (_what, options, rests) => {
    expect(restsOnNames(...rowsOf({ ...STATED, ...options }))).toBe(rests)
  })
})

/** From now on its eyes were read from file names, as in an outbox of before the rule. Its content stays the same. */
function restOnNames(test: TestOutbox, id: string): void {
  for (const { id: imageId, eye } of test.outbox.images.rows(id))
    test.outbox.images.setEye(imageId, { eye, source: 'fileName', statements: null })
}

/** As version 0.1 stored it: without a word on what rests on the names of single images. */
function forgetNamedOnly({ outbox }: TestOutbox, id: string): void {
  const { namedOnly: _unknown, ...identity } = NO_IDENTITY
  outbox.submissions.setIdentity(id, identity)
}

function inReview(test: TestOutbox): string {
  const id = test.outbox.submissions.create(newSubmission())
  addTestImage(test, id, { bytes: someBytes(), eyeSource: 'fileName' })
  test.outbox.submissions.transition(id, 'gatheredForReview', {}, AT)
  return id
}

function approved(test: TestOutbox): string {
  const id = inReview(test)
  test.outbox.submissions.transition(id, 'approved', {}, { ...AT, by: 'AB' })
  return id
}

function attemptEnds(test: TestOutbox, id: string, event: SubmissionEvent): void {
  startAttempt(test, id)
  test.outbox.submissions.transition(id, event, {}, AT)
}

/** Takes a waiting case to a state in which the event is possible, then lets it rest on names. */
const WAYS: readonly (readonly [SubmissionEvent, (test: TestOutbox, id: string) => void])[] = [
  ['gatheredToSend', () => undefined],
  ['postponed', () => undefined],
  ['releasedToSend', ({ outbox }, id) => void outbox.submissions.transition(id, 'held', {}, AT)],
  ['stayedUnsent', (test, id) => startAttempt(test, id)],
  ['retriedRefused', (test, id) => attemptEnds(test, id, 'wasRefused')],
  ['provenAbsent', (test, id) => attemptEnds(test, id, 'becameUnknown')],
]

describe.each([
  ['rests on names alone', restOnNames],
  ['does not say what rests on the name of one image only', forgetNamedOnly],
])('a case that would wait and %s', (_what, restsOn) => {
  it.each(WAYS)('goes to review after %s, and the trail says why', (event, prepare) => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    prepare(test, id)
    restsOn(test, id)
    expect(test.outbox.submissions.transition(id, event, { notBefore: MORNING + 9 }, AT)).toBe('review')
    expect(test.outbox.submissions.get(id)).toMatchObject({
      state: 'review',
      notBefore: null,
      reasons: [
        {
          kind: 'readFromNames',
          message: expect.stringMatching(/^Read from file names: please check/) as string,
        },
      ],
    })
    const [last, before] = test.outbox.audit.list({ submissionId: id, limit: 2 })
    expect(last).toMatchObject({ what: 'gatheredForReview', by: null, details: { why: 'readFromNames' } })
    expect(before).toMatchObject({ what: event })
  })
})

describe('a case that would wait with other content than was cleared', () => {
  it.each(WAYS.filter(([event]) => event !== 'gatheredToSend'))(
    'goes to review after %s, and is not cleared again',
    (event, prepare) => {
      const test = openTestOutbox()
      const id = addWaiting(test)
      prepare(test, id)
      // As if a byte had changed on the disk.
      for (const image of test.outbox.images.rows(id))
        test.outbox.images.setEye(image.id, { eye: 'left', source: 'sidecar', statements: null })
      expect(test.outbox.submissions.transition(id, event, {}, AT)).toBe('review')
      expect(test.outbox.approvals.matches(id)).toBe(false)
      expect(test.outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([
        { what: 'gatheredForReview', details: { why: 'changedSincePassed' } },
      ])
    },
  )
})

describe('a case that a person approved or that rests on more', () => {
  it.each(WAYS)('waits after %s if a person approved this content', (event, prepare) => {
    const test = openTestOutbox()
    const id = approved(test)
    prepare(test, id)
    expect(test.outbox.submissions.transition(id, event, {}, AT)).toBe('waiting')
    const age = test.outbox.submissions.get(id)?.fields.age ?? 0
    test.outbox.submissions.setContent(
      id,
      {
        fields: { history_number: 'H-1', age: age + 1 },
        sources: { history_number: 'sidecar' },
        reasons: [],
      },
      MORNING,
    )
    expect(test.outbox.submissions.transition(id, 'postponed', {}, AT)).toBe('review')
  })
})

describe('an approval', () => {
  it('keeps who, when and what', () => {
    const test = openTestOutbox()
    const id = approved(test)
    expect(stateOf(test, id)).toBe('waiting')
    expect(test.outbox.submissions.row(id)).toMatchObject({
      approved_digest: test.outbox.approvals.contentDigest(id),
      approved_by: 'AB',
      approved_at: MORNING,
    })
  })

  it('is none of what the program lets through, or a person releases or tries again', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    test.outbox.submissions.transition(id, 'held', {}, { ...AT, by: 'AB' })
    test.outbox.submissions.transition(id, 'releasedToSend', {}, { ...AT, by: 'AB' })
    startAttempt(test, id)
    test.outbox.submissions.transition(id, 'wasRefused', {}, AT)
    test.outbox.submissions.transition(id, 'retriedRefused', {}, { ...AT, by: 'AB' })
    expect(test.outbox.submissions.row(id)).toMatchObject({
      state: 'waiting',
      approved_digest: null,
      approved_by: null,
    })
  })

  it('ends if the unit of a value changes or it is not known what has happened to the case since', () => {
    const test = openTestOutbox()
    test.outbox.submissions.applyUnits({ vaUnit: 'decimal', prismBase: 'degrees' } as never, MORNING)
    const fields = { history_number: 'H-1', visit_date: '2026-11-20', od_va: 0.8 }
    const ids = [addWaiting(test, { fields }), approved(test)] as const
    for (const id of ids) {
      test.outbox.submissions.transition(id, 'gatheredForReview', {}, AT)
      test.outbox.submissions.transition(id, 'approved', {}, AT)
      test.outbox.submissions.transition(id, 'held', {}, AT)
    }
    test.outbox.submissions.applyUnits({ vaUnit: 'logMAR', prismBase: 'degrees' } as never, MORNING)
    expect(ids.map((id) => test.outbox.submissions.row(id)?.approved_at)).toEqual([null, MORNING])
    test.outbox.recovery.markAllUnconfirmed('backup', { service: SERVICE, at: MORNING })
    expect(ids.map((id) => test.outbox.submissions.row(id)?.approved_at)).toEqual([null, null])
  })
})

describe('a case that was discarded while its arrival was unknown', () => {
  it('is approved again once it is restored and proven absent', async () => {
    const test = await partsWith()
    const id = approved(test)
    startAttempt(test, id)
    endAttempt(test, id, 'unknown')
    for (const name of ['submissions.discard', 'submissions.restore'] as const)
      expect(await test.call(name, { ids: [id] })).toMatchObject({ value: { changed: [id] } })
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(test.outbox.submissions.row(id)).toMatchObject({ approved_digest: null, passed_digest: null })
    expect(test.outbox.submissions.transition(id, 'provenAbsent', {}, AT)).toBe('review')
  })
})

const SENDS_BY_ITSELF = [folderSettingsSchema.parse({ path: '/exports', sendWithoutReview: true })]
const APPLYING = { folders: SENDS_BY_ITSELF, rereadIdentity: (): void => undefined, at: MORNING }
const REVIEWS = [folderSettingsSchema.parse({ path: '/exports' })]

describe('the cases of before the rule', () => {
  it('are checked once: what waits unapproved and rests on names goes to review, all else stays', () => {
    const test = openTestOutbox()
    const { outbox } = test
    const [named, stated, held] = [addWaiting(test), addWaiting(test), addWaiting(test)] as const
    restOnNames(test, named)
    restOnNames(test, held)
    outbox.submissions.transition(held, 'held', {}, AT)
    const seen = approved(test)
    outbox.facts.write('namesRule', 'due')
    expect(outbox.approvals.applyNamesRuleOnce({ ...APPLYING, at: MORNING + 1 })).toEqual({ moved: 1 })
    expect([named, stated, held, seen].map((id) => stateOf(test, id))).toEqual([
      'review',
      'waiting',
      'held',
      'waiting',
    ])
    expect(outbox.audit.list({ submissionId: named, limit: 1 })).toMatchObject([
      { what: 'gatheredForReview', at: MORNING + 1, details: { from: 'waiting', why: 'readFromNames' } },
    ])
    expect(outbox.approvals.applyNamesRuleOnce({ ...APPLYING, at: MORNING + 2 })).toBeNull()
  })

  it('are read again first if their rows do not say what rests on names', () => {
    const test = openTestOutbox()
    const { outbox } = test
    const [proven, mixed, sending] = [addWaiting(test), addWaiting(test), addWaiting(test)] as const
    startAttempt(test, sending)
    for (const id of [proven, mixed, sending]) forgetNamedOnly(test, id)
    outbox.facts.write('namesRule', 'due')
    const rereadIdentity = (id: string): void =>
      outbox.submissions.setIdentity(id, { ...NO_IDENTITY, namedOnly: id === mixed ? ['patient'] : [] })
    expect(outbox.approvals.applyNamesRuleOnce({ ...APPLYING, rereadIdentity })).toEqual({ moved: 1 })
    outbox.submissions.transition(sending, 'stayedUnsent', {}, AT)
    expect([proven, mixed, sending].map((id) => stateOf(test, id))).toEqual(['waiting', 'review', 'waiting'])
  })

  it('go to review also if one of them cannot be read: that one is set aside, and no defect', async () => {
    const test = await partsWith()
    const { outbox } = test
    const [named, spoilt] = [addWaiting(test), addWaiting(test)] as const
    restOnNames(test, named)
    forgetNamedOnly(test, spoilt)
    const sha256 = 'e'.repeat(64)
    const file = { folderPath: '/exports', fileName: 'e.jpg', stemKey: 'e', sha256, spoolName: sha256 }
    const image = { ...file, eye: 'left', eyeSource: 'sidecar', sizeBytes: 9, facts: '{' } as const
    outbox.images.add({ ...image, submissionId: spoilt, contentType: 'image/jpeg', at: MORNING })
    outbox.facts.write('namesRule', 'due')
    const logged = vi.spyOn(test.parts.ports.logger, 'error')
    const rereadIdentity = (id: string): void => test.parts.intake.rereadIdentity(id)
    expect(outbox.approvals.applyNamesRuleOnce({ ...APPLYING, rereadIdentity })).toEqual({ moved: 1 })
    expect(stateOf(test, named)).toBe('review')
    expect(outbox.quarantine.list()).toMatchObject([{ id: spoilt, unreadable: 'images.facts' }])
    expect(logged).not.toHaveBeenCalled()
  })

  it.each([
    ['sent on its own, and says so until a person has read it', SENDS_BY_ITSELF, true],
    ['asked a person before, and has nothing to explain', REVIEWS, false],
  ] as const)('belong to a station that %s', (_what, folders, isUnexplained) => {
    const { outbox } = openTestOutbox()
    outbox.facts.write('namesRule', 'due')
    outbox.approvals.applyNamesRuleOnce({ ...APPLYING, folders })
    expect(outbox.approvals.isNamesRuleUnexplained()).toBe(isUnexplained)
    expect(outbox.approvals.noteNamesRuleExplained()).toBe(isUnexplained)
    expect(outbox.approvals.isNamesRuleUnexplained()).toBe(false)
  })
})
