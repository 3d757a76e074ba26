import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRetention } from '../../../../src-main/station/storage/retention.ts'
import { findBytes } from '../../../../src-main/station/storage/served-bytes.ts'
import { settingsSchema, type StorageSettings } from '../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import {
  addTestImage,
  addWaiting,
  endAttempt,
  jpegOf,
  startAttempt,
  MORNING,
  newSubmission,
  openTestOutbox,
  someBytes,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'

const DAY = 24 * 3_600_000
const CONFIRMED_AT = MORNING - 31 * DAY

function setUp() {
  const test = openTestOutbox()
  const settings: StorageSettings = { ...settingsSchema.parse({}).storage, keepImagesDays: 30 }
  const made = {
    test,
    clock: new ManualClock({ now: MORNING }),
    logger: createRecordingLogger(),
    settings,
    mayRemove: true,
    start: (): void => {
      const loop = openRetention({
        outbox: test.outbox,
        clock: made.clock,
        logger: made.logger,
        settings: () => made.settings,
        spoolFolder: join(test.folder, 'spool'),
        thumbnailOf: thumbnailIn(test),
        mayRemove: () => made.mayRemove,
      })
      onTestFinished(() => loop.close())
    },
    /** Its first run is over. */
    run: async (): Promise<void> => {
      made.start()
      await made.clock.turn(6 * 60_000)
    },
  }
  return made
}

const thumbnailIn =
  ({ folder }: TestOutbox) =>
  (spoolName: string): string =>
    join(folder, 'thumbnails', `${basename(spoolName)}.jpg`)

type Setup = ReturnType<typeof setUp>
type Sent = ReturnType<typeof sent>

function sent(test: TestOutbox, confirmedAt: number | null = CONFIRMED_AT, bytes = someBytes()) {
  const { outbox } = test
  const id = addWaiting(test, { images: [{ bytes }] })
  startAttempt(test, id)
  endAttempt(test, id, 'delivered', { at: CONFIRMED_AT })
  if (confirmedAt !== null) outbox.setConfirmed(id, confirmedAt)
  const image = outbox.imageRowsOf(id)[0]
  if (!image) throw new Error('it has one')
  return { id, imageId: image.id, path: test.spoolPath(image.spool_name), spoolName: image.spool_name }
}

const removedAt = ({ test }: Setup, { imageId }: Sent): number | null | undefined =>
  test.outbox.imageById(imageId)?.removed_at

const ALARM = { kind: 'outboxRestored', caseIds: [], message: 'x', at: MORNING } as const

describe('images of a confirmed case', () => {
  it('are removed when their time is over: notified, counted, and known for ever', async () => {
    const made = setUp()
    const { test, clock } = made
    const one = sent(test)
    const sha256 = test.outbox.imageById(one.imageId)?.sha256 ?? ''
    const folders = {
      spoolFolder: join(test.folder, 'spool'),
      thumbnailsFolder: join(test.folder, 'thumbnails'),
      thumbnailOf: thumbnailIn(test),
      reportsFolder: test.folder,
      makeThumbnail: () => Promise.reject(new Error('there is nothing to make it of')),
      screenPicture: () => Promise.reject(new Error('there is nothing to make it of')),
    }
    mkdirSync(folders.thumbnailsFolder)
    writeFileSync(folders.thumbnailOf(one.spoolName), jpegOf(5))
    made.start()
    await clock.turn(4 * 60_000)
    expect(removedAt(made, one)).toBeNull()
    await clock.turn(2 * 60_000)
    expect(removedAt(made, one)).toBe(MORNING + 5 * 60_000)
    expect(existsSync(one.path)).toBe(false)
    expect(test.outbox.leftoversAfter('', 10)).toEqual([])
    expect(test.outbox.listAudit({ limit: 1 })[0]).toMatchObject({
      what: 'imagesRemoved',
      submissionId: one.id,
      details: { count: 1 },
    })
    expect(test.notified.at(-1)).toEqual([one.id])
    expect(made.logger.lines.at(-1)?.facts).toEqual({ cases: 1, images: 1, files: 1, left: 0 })
    expect(test.outbox.submissionOf(one.id)?.images[0]?.removedAt).toBe(MORNING + 5 * 60_000)
    expect(test.outbox.holdersOf(sha256)[0]?.submissionId).toBe(one.id)
    for (const kind of ['image', 'original'] as const)
      expect(await findBytes(test.outbox, folders, kind, one.imageId)).toBeNull()
    expect(await findBytes(test.outbox, folders, 'thumbnail', one.imageId)).toMatchObject({ sizeBytes: 5 })
    rmSync(folders.thumbnailOf(one.spoolName))
    expect(await findBytes(test.outbox, folders, 'thumbnail', one.imageId)).toBeNull()
  })

  it.each([
    ['not for as long as the setting says', () => undefined, MORNING - 29 * DAY],
    ['that is not confirmed', () => undefined, null],
    [
      'if the setting says never',
      (made: Setup) => (made.settings = { ...made.settings, keepImagesDays: null }),
      CONFIRMED_AT,
    ],
    ['while nothing may be removed', (made: Setup) => (made.mayRemove = false), CONFIRMED_AT],
    [
      'with an alarm about it',
      ({ test }: Setup, { id }: Sent) => test.outbox.raiseAlarm({ ...ALARM, submissionId: id }),
      CONFIRMED_AT,
    ],
    [
      'while there is an alarm about all',
      ({ test }: Setup) => test.outbox.raiseAlarm({ ...ALARM, submissionId: null }),
      CONFIRMED_AT,
    ],
  ] as const)('stay: %s', async (_what, prepare, confirmedAt) => {
    const made = setUp()
    const one = sent(made.test, confirmedAt)
    prepare(made, one)
    await made.run()
    expect([removedAt(made, one), existsSync(one.path)]).toEqual([null, true])
  })

  it.each(['waiting', 'discarded', 'unconfirmed'] as const)('stay: of one that is %s', async (state) => {
    const made = setUp()
    const { test } = made
    const id = addWaiting(test)
    if (state === 'discarded') test.outbox.moveSubmission(id, 'discarded', {}, { at: CONFIRMED_AT })
    if (state === 'unconfirmed') {
      startAttempt(test, id)
      endAttempt(test, id, 'unknown', { at: CONFIRMED_AT })
    }
    await made.run()
    const [image] = test.outbox.imageRowsOf(id)
    expect([image?.removed_at, existsSync(test.spoolPath(image?.spool_name ?? ''))]).toEqual([null, true])
  })
})

describe('a file in the spool', () => {
  it('stays where another case needs the same bytes, and goes with the last of them', async () => {
    const made = setUp()
    const { test } = made
    const bytes = someBytes()
    const old = sent(test, CONFIRMED_AT, bytes)
    const young = sent(test, MORNING - 5 * DAY, bytes)
    await made.run()
    expect([removedAt(made, old), removedAt(made, young), existsSync(young.path)]).toEqual([
      MORNING + 5 * 60_000,
      null,
      true,
    ])
    made.settings = { ...made.settings, keepImagesDays: 3 }
    await made.run()
    expect([removedAt(made, young) !== null, existsSync(young.path)]).toEqual([true, false])
  })

  it('stays if a picture of another case is the same', async () => {
    const made = setUp()
    const { test } = made
    const old = sent(test)
    const other = test.outbox.createSubmission(newSubmission())
    const row = test.outbox.imageById(old.imageId)
    const original = addTestImage(test, other, { bytes: someBytes() })
    test.outbox.addImage({
      submissionId: other,
      folderPath: null,
      fileName: 'x.dcm',
      eye: 'left',
      eyeSource: null,
      sizeBytes: 1,
      sha256: 'x',
      spoolName: test.outbox.imageById(original)?.spool_name ?? '',
      contentType: 'application/dicom',
      picture: {
        spoolName: old.spoolName,
        contentType: 'image/jpeg',
        sizeBytes: 64,
        sha256: row?.sha256 ?? '',
      },
      at: MORNING,
    })
    await made.run()
    expect([removedAt(made, old) !== null, existsSync(old.path)]).toEqual([true, true])
  })

  it('that cannot be deleted, or was not before a power cut, is deleted by a later run', async () => {
    const made = setUp()
    const { test } = made
    const one = sent(test)
    // What a kill between the two steps leaves: removed by its row, and still there.
    test.outbox.removeImagesOf(one.id, { confirmedBefore: MORNING, at: MORNING })
    expect(existsSync(one.path)).toBe(true)
    // A folder of that name cannot be unlinked.
    const held = sent(test, null).spoolName.replace('.jpg', '.held')
    mkdirSync(test.spoolPath(held))
    test.outbox.addLeftover(held)
    await made.run()
    expect([existsSync(one.path), test.outbox.leftoversAfter('', 10)]).toEqual([false, [held]])
    expect(made.logger.lines.at(-1)?.facts).toMatchObject({ files: 1, left: 1 })
  })
})

it('the thumbnail of a copy that became no image goes with the copy', async () => {
  const made = setUp()
  const { test } = made
  const one = sent(test)
  const copy = `aa/${'a'.repeat(64)}`
  const thumbnails = [one.spoolName, copy].map(thumbnailIn(test))
  mkdirSync(join(test.folder, 'thumbnails'))
  for (const path of thumbnails) writeFileSync(path, jpegOf(5))
  // Gone already, as after a kill between the two.
  test.outbox.addLeftover(copy)
  await made.run()
  expect([removedAt(made, one) !== null, ...thumbnails.map((path) => existsSync(path))]).toEqual([
    true,
    true,
    false,
  ])
  expect(test.outbox.leftoversAfter('', 10)).toEqual([])
})

describe('many cases', () => {
  it('are not dealt with in one run, and all of them soon', async () => {
    const made = setUp()
    const { test, clock } = made
    const all = test.outbox.write(() => Array.from({ length: 310 }, () => sent(test)))
    const isDone = (): boolean => made.logger.lines.length > 0
    made.start()
    await clock.turn(5 * 60_000)
    while (!isDone()) await clock.settle()
    expect(made.logger.lines.map(({ facts }) => facts)).toEqual([
      { cases: 300, images: 300, files: 300, left: 0 },
    ])
    await clock.turn(60_000)
    while (all.some((one) => existsSync(one.path))) await clock.settle()
    expect(all.every((one) => removedAt(made, one) !== null)).toBe(true)
  })

  it('are dealt with once a day by the time that no one sets', async () => {
    const made = setUp()
    made.clock.set(400 * DAY)
    await made.run()
    const later = sent(made.test)
    await made.clock.turn(60 * 60_000)
    expect(removedAt(made, later)).toBeNull()
    // It was ahead, and someone has set it right.
    made.clock.set(-400 * DAY)
    await made.clock.turn(25 * 3_600_000)
    expect(removedAt(made, later)).not.toBeNull()
  })
})
