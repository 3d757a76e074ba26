import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { ShareSilent } from '../../../../src-main/station/lib/schedule.ts'
import { openedHere } from '../../../../src-main/reader/foreign-files.ts'
import { worded } from '../../../../src-shared/wording.ts'
import type { StationParts } from '../../../../src-main/station/api.ts'
import { decisionCalls } from '../../../../src-main/station/calls/decisions.ts'
import { submissionCalls } from '../../../../src-main/station/calls/submissions.ts'
import { readPhoto } from '../../../../src-main/reader/pictures/photo.ts'
import { folderSettingsSchema } from '../../../../src-shared/folder-settings.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { startAttempt } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { zipOf } from '../../reader/draw-zips.ts'
import { casesWith, markIn, picture, type TestCases, watchingCases } from './cases-with.ts'

let station: TestCases
const VISIT = 'H-00017_20261120'
const [OD, OS, OS_2] = ['OD_1', 'OS_1', 'OS_2'].map((name) => `${VISIT}/H-00017_${name}.png`) as [
  string,
  string,
  string,
]
const CASE = { history_number: 'H-00017', visit_date: '2026-11-20' }
const IMAGES = { 'H-00017_OD_1.png': 'OD', 'H-00017_OS_1.png': 'OS', 'H-00017_OS_2.png': 'OS' }
const idOf = (nth = 0): string => station.all()[nth]?.id ?? ''
const move = (event: 'approved' | 'held' | 'gatheredIncomplete'): unknown =>
  station.test.outbox.moveSubmission(idOf(), event, {}, { at: 1 })

/** A folder that sends automatically. */
async function begin(): Promise<void> {
  station = await watchingCases({ sendWithoutReview: true })
}

describe('images of one visit', () => {
  it('become one submission, which waits for a person although folder and file agree: only names say whose it is', async () => {
    await begin()
    for (const name of [OD, OS]) await station.write(name)
    await station.see(OD, OS)
    expect(station.all().map((one) => one.state)).toEqual(['collecting'])
    await station.quiet()
    expect(station.all()).toMatchObject([
      { state: 'review', fields: CASE, reasons: [{ kind: 'readFromNames' }] },
    ])
    const trail = station.test.outbox.listAudit({ submissionId: idOf(), limit: 9 })
    expect(trail.map(({ what }) => what)).not.toContain('gatheredToSend')
    expect(station.all()[0]?.images.map((image) => [image.eye, image.eyeSource])).toEqual([
      ['right', 'fileName'],
      ['left', 'fileName'],
    ])
  })

  it('are never taken twice, whatever their name: the second is shown as seen', async () => {
    station = await watchingCases()
    const bytes = await picture()
    await station.arrive('H-00017_20261120_OD_1.png', bytes)
    await station.arrive('H-00018_20261120_OS_9.png', bytes)
    const [submission, ...others] = station.all()
    expect(others).toEqual([])
    expect(station.cases.folders.status()[0]?.notes).toMatchObject([
      { kind: 'duplicate', message: expect.stringContaining(submission?.reference ?? '-') },
    ])
  })

  it('of which one vanishes while it is taken in leave no note about it behind', async () => {
    station = await watchingCases({}, [], {
      readPhoto: async (request) => {
        station.gone(OD)
        return readPhoto({ ...request, path: `${request.path}.not there` })
      },
    })
    await station.write(OD)
    station.emit(OD)
    await station.clock.settle()
    expect(station.cases.folders.status()[0]?.notes).toEqual([])
  })

  it.each<readonly [string, () => unknown, object]>([
    ['before the first attempt join their case', () => undefined, [{ state: 'review', images: [{}, {}] }]],
    [
      'that come after the first attempt open an addendum that waits for a person',
      () => {
        move('approved')
        startAttempt(station.test, idOf())
      },
      [{ images: [{}] }, { state: 'incomplete', reasons: [{ kind: 'lateImage' }] }],
    ],
    [
      'stay on hold with the case that a person has stopped',
      () => move('held'),
      [{ state: 'held', images: [{}, {}] }],
    ],
  ])('%s', async (_what, meanwhile, expected) => {
    await begin()
    await station.arrive(OD)
    await station.quiet()
    meanwhile()
    await station.arrive(OS)
    await station.quiet()
    expect(station.all()).toMatchObject(expected)
  })
})

it('files that were there before the first start wait for a decision, and are taken after it', async () => {
  station = casesWith({}, { existingByDefault: 'ask' })
  await station.write(OD)
  await station.watch()
  expect(station.cases.folders.status()[0]).toMatchObject({ health: 'asking', existingCount: 1 })
  await station.see(OD)
  expect(station.all()).toEqual([])
  await station.cases.folders.decideExisting(station.camera, { kind: 'include' })
  await station.see(OD)
  expect(station.all()).toHaveLength(1)
  expect(station.cases.folders.status()[0]).toMatchObject({ existingCount: 0 })
})

it('a case whose files still come is read with each one if only the eyes of its images part two patients', async () => {
  await begin()
  const names = ['ana_OD.png', 'ana_OS.png', 'bea_OD.png']
  for (const [at, name] of names.entries())
    await station.write(name, undefined, station.clock.now() + at * 1_000)
  await station.take(names)
  const eyes = station.all().map(({ images }) => images.map(({ eye }) => eye))
  expect(eyes).toEqual([['right', 'left'], ['right']])
})

it.each([
  [
    'joins its case',
    false,
    [
      ['right', 'left'],
      ['right', 'left'],
    ],
  ],
  ['joins none, if a person has entered whose its case is,', true, [['right', 'left'], ['right'], ['left']]],
] as const)(
  'an image without a number behind the second patient %s and never the first',
  async (_, isEntered, expected) => {
    await begin()
    for (const [at, name] of ['ana_OD', 'ana_OS', 'bea_OD', 'bea_OS'].entries()) {
      await station.write(`${name}.png`, undefined, station.clock.now() + at * 1_000)
      const entered = { fields: CASE, sources: { history_number: 'person' as const }, reasons: [] }
      const second = station.all()[1]
      if (isEntered && second) station.test.outbox.setContent(second.id, entered, 1)
      await station.see(`${name}.png`)
    }
    expect(station.all().map(({ images }) => images.map(({ eye }) => eye))).toEqual(expected)
  },
)

describe('files that a person chose to import', () => {
  /** All of it is stated by the file; the visits are of last year. */
  const old = (patientId: string, more: object = {}): Promise<Buffer> =>
    dicomFile({ patientId, studyDate: '20250611', laterality: 'R', sopUid: `2.25.1${patientId}`, ...more })
  const approve = async (): Promise<readonly (readonly [string, string])[]> => {
    const parts = {
      outbox: station.test.outbox,
      cases: station.cases,
      settings: { current: () => station.settings },
      ports: { clock: station.clock, logger: station.logger },
      isStopping: () => false,
      emitCallProgress: () => undefined,
      delivery: () => null,
    }
    const all = station.all()
    const ids = all.map(({ id }) => id)
    const seen = Object.fromEntries(all.map(({ id, digest }) => [id, digest]))
    const done = await decisionCalls(parts as unknown as StationParts)['submissions.approve']({ ids, seen })
    if (!done.ok) throw new Error(done.failure.message)
    const failures = new Map(done.value.refused.map(({ id, failure }) => [id, failure.kind]))
    return all.map(({ id, fields }) => [fields.history_number ?? '', failures.get(id) ?? 'approved'])
  }

  it('are one batch: what they state is approved together, however old; what they do not state needs a look', async () => {
    station = casesWith({}, { existingByDefault: 'ask' })
    const lying = ['1.dcm', '2.dcm', '3.dcm', '771020_20250611.dcm', '5.dcm']
    await station.write('1.dcm', await old('4110'))
    await station.write('2.dcm', await old('4120'))
    await station.write('3.dcm', await old('4130', { laterality: undefined }))
    await station.write('771020_20250611.dcm', await old('771020', { attributes: { '00080020': null } }))
    await station.watch()
    expect(station.cases.folders.status()[0]).toMatchObject({ existingCount: 4 })
    await station.cases.folders.decideExisting(station.camera, { kind: 'include' })
    expect(station.cases.folders.status()[0]).toMatchObject({ existingCount: 0 })
    // It came after the question.
    await station.write('5.dcm', await old('4150'))
    await station.take(lying)
    await station.quiet()
    expect(station.all().map(({ fields, verdict: { day } }) => [fields.history_number, day.why])).toEqual([
      ['4110', 'importedBatch'],
      ['4120', 'importedBatch'],
      ['4130', 'importedBatch'],
      ['771020', 'farFromArrival'],
      ['4150', 'farFromArrival'],
    ])
    expect(await approve()).toEqual([
      ['4110', 'approved'],
      ['4120', 'approved'],
      ['4130', 'notAllowed'],
      ['771020', 'needsLook'],
      ['4150', 'needsLook'],
    ])
  })

  it('are of it in an archive, too, and no more once their bytes are others', async () => {
    station = casesWith({}, { existingByDefault: 'ask' })
    await station.write('old.zip', await zipOf([{ name: 'a.dcm', bytes: await old('4110') }]))
    await station.write('1.dcm', await old('4120'))
    await station.watch()
    await station.cases.folders.decideExisting(station.camera, { kind: 'include' })
    await station.write('1.dcm', await old('4130', { patientName: 'Mora^Ana Maria Isabel' }))
    await station.take(['old.zip', '1.dcm'])
    await station.quiet()
    expect(station.all().map(({ fields, verdict: { day } }) => [fields.history_number, day.why])).toEqual([
      ['4110', 'importedBatch'],
      ['4130', 'farFromArrival'],
    ])
  })
})

it.each([
  ['as the picture that was made of it', 1, 'picture'],
  ['as it is if it has several pictures, of which one is shown', 3, 'original'],
])('sends a DICOM file that was added by hand %s', async (_what, frames, sends) => {
  station = casesWith()
  await station.write('a.dcm', await dicomFile({ frames }))
  const images = [{ path: `${station.camera}/a.dcm`, eye: 'right' as const }]
  expect(await station.cases.addByHand({ fields: {}, images })).toMatchObject({ ok: true })
  expect(station.test.outbox.imageRowsOf(idOf())).toMatchObject([
    { sends, picture_spool_name: expect.any(String) },
  ])
})

it.each(['locate', 'inspect', 'copy'] as const)('an image is tried again if "%s" hangs', async (call) => {
  const silent = () => Promise.reject(new ShareSilent())
  station = casesWith({}, { foreign: { ...openedHere, [call]: silent } })
  await station.write('a.dcm', await dicomFile())
  const images = [{ path: `${station.camera}/a.dcm`, eye: 'right' as const }]
  const { message } = worded('intake:byHand.lostAgain')
  expect(await station.cases.addByHand({ fields: {}, images })).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining(message) },
  })
})

describe('a case that someone is at work on', () => {
  const update = (fields: Fields, mayLeave: boolean) => {
    const ports = { clock: { now: () => 1 } }
    const parts = { outbox: station.test.outbox, cases: station.cases, ports, delivery: () => null }
    return submissionCalls(parts as StationParts)['submissions.update']({ id: idOf(), fields, mayLeave })
  }
  const record = (content: object): Promise<void> =>
    station.arrive(`${VISIT}/case.json`, JSON.stringify(content))
  /** What came, once it is quiet. */
  const come = async (name: string): Promise<void> => {
    await station.arrive(name)
    await station.quiet()
  }

  it.each([
    ['leaves by the rule of its folder after a change that was whole', true, 'waiting'],
    ['does not leave by it before a person has passed it on', false, 'review'],
  ])('%s', async (_what, mayLeave, state) => {
    await begin()
    await record({ ...CASE, images: IMAGES })
    await station.arrive(OD)
    await update({ od_iop: 1 }, mayLeave)
    await station.quiet()
    expect(station.all()).toMatchObject([{ state }])
    if (mayLeave) return
    // Whatever comes.
    await station.arrive(`${VISIT}/H-00017.json`, JSON.stringify({ ...CASE, age: 61 }))
    expect(station.all()).toMatchObject([{ state: 'review', fields: { age: 61, od_iop: 1 } }])
    await come(OS)
    expect(station.all()).toMatchObject([{ state: 'review', images: [{}, {}] }])
    move('gatheredIncomplete')
    await station.cases.refreshAll()
    expect(station.all()).toMatchObject([{ state: 'review' }])
    // Passed by a person, it is as any other.
    move('approved')
    await come(OS_2)
    expect(station.all()).toMatchObject([{ state: 'waiting', images: [{}, {}, {}] }])
  })

  const inReview = { state: 'review', reasons: [{ kind: 'readFromNames' }], images: [{}, {}] }

  it('goes to a person again when an image joins of which only the name says whose it is', async () => {
    await begin()
    await record({ images: IMAGES })
    await station.arrive(OD)
    await update(CASE, true)
    await station.quiet()
    expect(station.all()).toMatchObject([{ state: 'waiting', images: [{}] }])
    await come(OS)
    expect(station.all()).toMatchObject([inReview])
    move('approved')
    expect(station.all()).toMatchObject([{ state: 'waiting' }])
    await come(OS_2)
    expect(station.all()).toMatchObject([{ ...inReview, images: [{}, {}, {}] }])
  })

  it('goes to a person again when the data file no longer states what an image joined by', async () => {
    await begin()
    await record({ ...CASE, images: IMAGES })
    await station.arrive(OD)
    await update(CASE, true)
    await station.arrive(OS)
    await record({ images: IMAGES })
    await station.quiet()
    expect(station.all()).toMatchObject([inReview])
  })
})

it('counts a file as seen when it came, however long the disk held it back', async () => {
  let hasSpace = false
  station = await watchingCases({}, [], { hasSpaceFor: () => Promise.resolve(hasSpace) })
  await station.write('H-00017_OD_1.png')
  station.emit('H-00017_OD_1.png')
  await station.clock.settle()
  expect(station.open()).toEqual([])
  const cameAt = station.clock.now()
  station.clock.set(cameAt + 60_000)
  hasSpace = true
  await station.see('H-00017_OD_1.png')
  const [image] = station.test.outbox.imageRowsOf(idOf())
  expect(image?.added_at).toBe(cameAt)
})

it('leaves a case alone that moved on while it refreshes many', async () => {
  station = await watchingCases()
  for (const name of [OD, 'H-00018_20261120/H-00018_OD_1.png']) await station.arrive(name)
  await station.quiet()
  let now = 0
  // Each case is a slice of its own.
  vi.spyOn(station.clock, 'monotonicMs').mockImplementation(() => (now += 1_000))
  const refreshing = station.cases.refreshAll()
  const ids = station.all().map(({ id }) => id)
  for (const id of ids) {
    station.test.outbox.moveSubmission(id, 'approved', {}, { at: 1 })
    station.test.outbox.setContent(id, { fields: { ...CASE, age: 99 }, sources: {}, reasons: [] }, 1)
  }
  await refreshing
  expect(ids.map((id) => station.test.outbox.submissionOf(id)?.fields.age)).toEqual([99, 99])
})

it('quarantines an unreadable case that it meets while it refreshes many', async () => {
  station = await watchingCases()
  for (const name of ['H-00017_OD_1.png', 'H-00018_OD_1.png']) await station.arrive(name)
  const damaged = idOf()
  station.test.outbox.addImage({
    submissionId: damaged,
    folderPath: station.camera,
    fileName: 'H-00017_OD_2.png',
    mtimeMs: 1,
    eye: 'right',
    eyeSource: null,
    sizeBytes: 1,
    sha256: 'e0',
    spoolName: 'e0',
    contentType: 'image/png',
    facts: '{',
    at: 1,
  })
  await station.cases.refreshAll()
  expect(station.test.outbox.quarantinedOf(damaged)).toMatchObject({ unreadable: 'images.facts' })
  expect(station.logger.lines).toEqual([])
})

it('makes no row of an image whose bytes are removed during its inspection, and takes it at the next try', async () => {
  let isRemoved = true
  const readAndRemove: typeof readPhoto = async (request) => {
    const reading = await readPhoto(request)
    // As retention does with the same bytes of an old case.
    if (isRemoved) rmSync(request.path)
    return reading
  }
  station = casesWith({}, { readPhoto: readAndRemove })
  await station.watch()
  await station.write(OD)
  station.emit(OD)
  await station.quiet()
  expect([station.all(), station.test.outbox.hasSeen(markIn(station.camera, OD))]).toEqual([[], false])
  isRemoved = false
  await station.see(OD)
  expect(station.all()).toHaveLength(1)
})

it('a folder whose files hang holds up no other, nothing else is begun in it, and it goes on when it answers', async () => {
  const hanging: PromiseWithResolvers<undefined>[] = []
  station = await watchingCases({}, [], {
    hasSpaceFor: async () => {
      if (hanging.length < 3) {
        hanging.push(Promise.withResolvers())
        await hanging.at(-1)?.promise
      }
      return true
    },
  })
  for (const name of [OD, OS, OS_2]) await station.write(name)
  station.emit(OD, OS, OS_2)
  const other = temporaryFolder()
  await station.cases.folders.watch([
    ...station.settings.folders,
    folderSettingsSchema.parse({ path: other }),
  ])
  writeFileSync(join(other, 'H-00044_OD.png'), await picture())
  station.hear({ kind: 'settled', file: { ...markIn(other, 'H-00044_OD.png'), content: 'image/png' } })
  await station.clock.turn(59_999)
  expect(station.all()).toEqual([])
  await station.clock.turn(1)
  // An image that is stored waits for those that are still being read.
  const areThere = (cases: number): Promise<void> =>
    vi.waitFor(
      async () => {
        await station.clock.turn(200)
        expect(station.all()).toHaveLength(cases)
      },
      { timeout: 10_000 },
    )
  await areThere(1)
  expect(station.cases.folders.status()[0]?.notes.map(({ kind }) => kind)).toEqual([
    'unreadable',
    'unreadable',
    'unreadable',
  ])
  for (const one of hanging) one.resolve(undefined)
  await areThere(2)
  await vi.waitFor(() => expect(station.cases.folders.status()[0]?.notes).toEqual([]), { timeout: 20_000 })
})
