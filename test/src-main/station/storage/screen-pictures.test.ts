import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openScreenPictures,
  type ScreenPicturesOptions,
} from '../../../../src-main/station/storage/served-bytes.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'

let beside: string
beforeEach(async () => {
  beside = await mkdtemp(join(tmpdir(), 'screen-pictures-'))
})
afterEach(() => rm(beside, { recursive: true, force: true }))

function opened(changes: Partial<ScreenPicturesOptions> = {}) {
  const clock = new ManualClock()
  const made: string[] = []
  const pictures = openScreenPictures({
    beside,
    clock,
    logger: createRecordingLogger(),
    bytesOf: () => Promise.resolve(12),
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
    ['is no image', { bytesOf: () => Promise.resolve(null) }],
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
