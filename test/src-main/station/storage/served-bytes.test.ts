import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  findBytes,
  openScreenPictures,
  type ScreenPicturesOptions,
  sparingPreviews,
} from '../../../../src-main/station/storage/served-bytes.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import {
  addTestImage,
  jpegOf,
  MORNING,
  newSubmission,
  openTestOutbox,
  SERVICE,
  someBytes,
} from '../../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { reportVersion } from '../outbox/case-in.ts'

function foldersIn(folder: string): Parameters<typeof findBytes>[1] & { readonly made: string[] } {
  const made: string[] = []
  return {
    made,
    spoolFolder: join(folder, 'spool'),
    thumbnailOf: (spoolName) => join(folder, `${basename(spoolName)}.jpg`),
    reportsFolder: folder,
    makeThumbnail: (imagePath, thumbnailPath) => {
      made.push(imagePath)
      writeFileSync(thumbnailPath, jpegOf(5))
      return Promise.resolve()
    },
    screenPicture: (imageId) => {
      const path = join(folder, `${imageId}.png`)
      made.push(path)
      writeFileSync(path, 'with each pixel')
      return Promise.resolve(path)
    },
  }
}

describe('the bytes behind an id', () => {
  it('are those of the image as it was spooled, and of its thumbnail, made once', async () => {
    const test = openTestOutbox()
    const folders = foldersIn(test.folder)
    const id = addTestImage(test, test.outbox.createSubmission(newSubmission()), { bytes: someBytes(77) })
    expect(await findBytes(test.outbox, folders, 'image', id)).toMatchObject({
      contentType: 'image/jpeg',
      sizeBytes: 77,
    })
    const path = folders.thumbnailOf(test.outbox.imageById(id)?.spool_name ?? '')
    const served = { path, contentType: 'image/jpeg', sizeBytes: 5 }
    for (let count = 0; count < 2; count += 1)
      expect(await findBytes(test.outbox, folders, 'thumbnail', id)).toEqual(served)
    expect(folders.made).toHaveLength(1)
    // As a power cut may leave it.
    for (const bytes of ['', '\0', '\0'.repeat(900)]) {
      writeFileSync(path, bytes)
      expect(await findBytes(test.outbox, folders, 'thumbnail', id)).toEqual(served)
    }
    expect(folders.made).toHaveLength(4)
  })

  it('are those of a picture for the screen if no browser draws the image', async () => {
    const test = openTestOutbox()
    const folders = foldersIn(test.folder)
    const submissionId = test.outbox.createSubmission(newSubmission())
    const id = addTestImage(test, submissionId, { bytes: someBytes(77), contentType: 'image/tiff' })
    expect(await findBytes(test.outbox, folders, 'image', id)).toEqual({
      path: join(test.folder, `${id}.png`),
      contentType: 'image/png',
      sizeBytes: 15,
    })
    expect(await findBytes(test.outbox, folders, 'original', id)).toMatchObject({
      contentType: 'image/tiff',
      sizeBytes: 77,
    })
    const none = { ...folders, screenPicture: () => Promise.resolve(null) }
    expect(await findBytes(test.outbox, none, 'image', id)).toBeNull()
  })

  it('are those of a version of a report', async () => {
    const test = openTestOutbox()
    const submissionId = test.outbox.createSubmission(newSubmission())
    writeFileSync(join(test.folder, 'x.pdf'), '%PDF-')
    const destination = { ...SERVICE, centerId: null }
    test.outbox.watchReport({ submissionId, caseId: '9', destination, at: MORNING })
    const file = { content_type: 'application/pdf', size_bytes: 5, file_name: 'x.pdf' }
    test.outbox.saveReportVersion(reportVersion(submissionId, '9', { kind: 'pdf', ...file }))
    const id = test.outbox.reportVersionsOf('9')[0]?.id ?? ''
    expect(await findBytes(test.outbox, foldersIn(test.folder), 'report', id)).toMatchObject({
      contentType: 'application/pdf',
      sizeBytes: 5,
    })
  })

  it('are not there for an id that no one gave, or whose file is gone', async () => {
    const test = openTestOutbox()
    const folders = foldersIn(test.folder)
    for (const kind of ['image', 'thumbnail', 'report'] as const)
      for (const id of ['no one', '../../etc/passwd', ''])
        expect(await findBytes(test.outbox, folders, kind, id)).toBeNull()
    const id = addTestImage(test, test.outbox.createSubmission(newSubmission()), { bytes: someBytes() })
    rmSync(test.spoolPath(test.outbox.imageById(id)?.spool_name ?? ''))
    expect(await findBytes(test.outbox, folders, 'image', id)).toBeNull()
  })
})

let beside: string
beforeEach(() => {
  beside = temporaryFolder()
})

function opened(changes: Partial<ScreenPicturesOptions> = {}) {
  const clock = new ManualClock()
  const made: string[] = []
  const pictures = openScreenPictures({
    beside,
    clock,
    logger: createRecordingLogger(),
    make: (imagePath, picturePath) => {
      made.push(imagePath)
      writeFileSync(picturePath, `of ${imagePath}`)
      return Promise.resolve(true)
    },
    mayTakeSpace: () => Promise.resolve(true),
    ...changes,
  })
  return { pictures, clock, made }
}
const lying = (): string[] => (existsSync(join(beside, 'whole')) ? readdirSync(join(beside, 'whole')) : [])

describe('a picture for the screen', () => {
  it('is made once, however many ask for it, and is removed some minutes after the last who did', async () => {
    const { pictures, clock, made } = opened()
    const [one, other] = await Promise.all([pictures.of('a', 'a.tif'), pictures.of('a', 'a.tif')])
    expect(one).toBe(join(beside, 'whole', 'a.png'))
    expect([other, made]).toEqual([one, ['a.tif']])
    await clock.turn(9 * MINUTE)
    await pictures.of('a', 'a.tif')
    await clock.turn(9 * MINUTE)
    expect([lying(), made]).toEqual([['a.png'], ['a.tif']])
    await clock.turn(2 * MINUTE)
    expect(lying()).toEqual([])
    expect(await pictures.of('a', 'a.tif')).toBe(one)
    expect(made).toHaveLength(2)
  })

  it('gives way to those that were asked for later, so that the disk does not fill', async () => {
    const { pictures } = opened()
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await pictures.of(id, id)
    await pictures.of('a', 'a')
    await pictures.of('g', 'g')
    expect(lying()).toEqual(['a.png', 'c.png', 'd.png', 'e.png', 'f.png', 'g.png'])
  })

  it.each<[string, Partial<ScreenPicturesOptions>]>([
    ['finds no space', { mayTakeSpace: () => Promise.resolve(false) }],
    [
      'cannot be decoded',
      {
        make: (_image, path) => {
          writeFileSync(path, 'half')
          return Promise.resolve(false)
        },
      },
    ],
    [
      'cannot be written',
      {
        make: (_image, path) => {
          writeFileSync(path, 'half')
          return Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
        },
      },
    ],
  ])('is not there of what %s, and nothing of it is left', async (_why, changes) => {
    const { pictures } = opened(changes)
    expect(await pictures.of('a', 'a.tif')).toBeNull()
    expect(lying()).toEqual([])
  })

  it('is gone after the end, and what a killed station left is gone at the start', async () => {
    mkdirSync(join(beside, 'whole'))
    writeFileSync(join(beside, 'whole', 'old.png'), 'old')
    writeFileSync(join(beside, 'thumbnail.jpg'), 'small')
    const { pictures } = opened()
    await pictures.of('a', 'a.tif')
    expect(lying()).toEqual(['a.png'])
    await pictures.close()
    expect(readdirSync(beside)).toEqual(['thumbnail.jpg'])
    expect(await pictures.of('a', 'a.tif')).toBeNull()
  })
})

it('no preview is made of what has ended its process twice, until another version of the program', async () => {
  const test = openTestOutbox()
  const now = { at: MORNING, version: '1' }
  let made = 0
  const make = sparingPreviews(
    test.outbox,
    () => now,
    (path, _picturePath, onDeath) => {
      made += 1
      if (path.endsWith('deadly')) onDeath?.()
      return Promise.resolve(!path.endsWith('deadly'))
    },
  )
  const ask = async (name: string): Promise<unknown> => [await make(`/spool/${name}`, '/picture'), made]
  expect(await ask('deadly')).toEqual([false, 1])
  expect(await ask('deadly')).toEqual([false, 1])
  now.at += MINUTE
  expect(await ask('deadly')).toEqual([false, 2])
  now.at += MINUTE
  expect(await ask('deadly')).toEqual([false, 2])
  expect(await ask('sound')).toEqual([true, 3])
  now.version = '2'
  expect(await ask('deadly')).toEqual([false, 4])
})
