import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { openUploads, type UploadsOptions } from '../../../../src-main/station/storage/uploads.ts'
import { DAY, HOUR } from '../../../../src-shared/durations.ts'
import { MAX_IMAGE_BYTES } from '../../../../src-shared/image-files.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

function setUp(changes: Partial<UploadsOptions> = {}) {
  const folder = join(temporaryFolder(), 'incoming')
  mkdirSync(folder)
  const clock = new ManualClock({ now: Date.now() })
  const logger = createRecordingLogger()
  const options = { folder, clock, logger, mayIngest: () => Promise.resolve(true), ...changes }
  return { folder, clock, logger, open: () => openUploads(options), left: () => readdirSync(folder) }
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text))
}

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield* pieces('half')
  throw new Error('aborted')
}

const file = (name: string, ...texts: readonly string[]) => ({
  name,
  sizeBytes: null,
  bytes: pieces(...texts),
})

describe('a file that is uploads over', () => {
  it('lies there whole, under its own name, for no one else to read', async () => {
    const { open, folder } = setUp()
    const kept = await open().save({ ...file('OD_1.jpg', 'an ', 'image'), sizeBytes: 8 })
    if (!kept.ok) throw new Error(kept.failure.message)
    const { path, sizeBytes, sha256 } = kept.value
    expect(readFileSync(path, 'utf8')).toBe('an image')
    expect([basename(path), dirname(dirname(path)), sizeBytes]).toEqual(['OD_1.jpg', folder, 8])
    expect(sha256).toBe(createHash('sha256').update('an image').digest('hex'))
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o077).toBe(0)
      expect(statSync(dirname(path)).mode & 0o077).toBe(0)
    }
  })

  it.each(['../../outside.jpg', '/etc/passwd', 'C:\\x.jpg', '\u0000', `${'x'.repeat(300)}.jpg`, '', '..'])(
    'stays in its folder when it is called %j',
    async (name) => {
      const { open, folder } = setUp()
      const kept = await open().save(file(name, 'bytes'))
      if (!kept.ok) throw new Error(kept.failure.message)
      expect(dirname(dirname(kept.value.path))).toBe(folder)
      expect(readFileSync(kept.value.path, 'utf8')).toBe('bytes')
    },
  )

  it('is let go piece by piece while it arrives', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const sent: WeakRef<Uint8Array>[] = []
    let alive = Number.POSITIVE_INFINITY
    const many = async function* (): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 40; index += 1) {
        const piece = new Uint8Array(100)
        sent.push(new WeakRef(piece))
        yield piece
      }
      // A turn of its own: what a WeakRef was asked for in this one stays.
      await new Promise(setImmediate)
      collect()
      alive = sent.filter((one) => one.deref() !== undefined).length
    }
    const kept = await setUp().open().save({ name: 'a.jpg', sizeBytes: 4_000, bytes: many() })
    expect(kept.ok).toBe(true)
    expect(alive).toBeLessThan(10)
  })

  it.each([
    ['breaks off', { name: 'a.jpg', sizeBytes: null, bytes: breaking() }, /arrived incomplete/],
    ['is shorter than was sentences', { ...file('a.jpg', 'abc'), sizeBytes: 4 }, /arrived incomplete/],
    ['is longer than was sentences', { ...file('a.jpg', 'abcde'), sizeBytes: 4 }, /arrived incomplete/],
    ['is empty', file('a.jpg'), /empty/],
    ['is sentences to be too large', { ...file('a.jpg', 'abc'), sizeBytes: MAX_IMAGE_BYTES + 1 }, /512 MB/],
  ])('leaves nothing when it %s', async (_what, options, message) => {
    const { open, left } = setUp()
    const kept = await open().save(options)
    expect(kept.ok ? '' : kept.failure.message).toMatch(message)
    expect(left()).toEqual([])
  })

  it('ends where more comes than any image has', async () => {
    const { open, left } = setUp({ mostBytes: 4 * 1_024 * 1_024 })
    const piece = Buffer.alloc(1_024 * 1_024)
    let options = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        options += piece.length
        yield await Promise.resolve(piece)
      }
    }
    const kept = await open().save({ name: 'a.jpg', sizeBytes: null, bytes: endless() })
    expect(kept.ok ? '' : kept.failure.message).toMatch(/512 MB/)
    expect(options).toBe(5 * piece.length)
    expect(left()).toEqual([])
  })

  it('is refused if there is no space for it', async () => {
    const { open, left } = setUp({ mayIngest: (bytes) => Promise.resolve(bytes < 8) })
    const kept = await open().save({ ...file('a.jpg', 'an image'), sizeBytes: 8 })
    expect(kept.ok ? null : kept.failure.kind).toBe('diskLow')
    expect(left()).toEqual([])
  })
})

describe('what was uploads over', () => {
  it('is gone once a case has taken it, and nothing else is', async () => {
    const { open, folder, left } = setUp()
    const uploads = open()
    const [one, other] = [await uploads.save(file('a.jpg', '1')), await uploads.save(file('b.jpg', '2'))]
    if (!one.ok || !other.ok) throw new Error('not kept')
    const outside = join(folder, '..', 'outside.jpg')
    writeFileSync(outside, 'x')
    await uploads.taken([one.value.path, outside, folder, join(folder, '..', 'x', 'y.jpg')])
    expect(left()).toEqual([basename(dirname(other.value.path))])
    expect(readFileSync(outside, 'utf8')).toBe('x')
  })

  it('and not used is removed after a day, also by the next start', async () => {
    const { open, folder, clock, left } = setUp()
    mkdirSync(join(folder, 'old'))
    writeFileSync(join(folder, 'old', 'a.jpg'), 'x')
    const longAgo = new Date(clock.now() - DAY)
    utimesSync(join(folder, 'old'), longAgo, longAgo)
    const uploads = open()
    await clock.settle()
    expect(left()).toEqual([])
    await uploads.save(file('b.jpg', '1'))
    await clock.turn(DAY - HOUR)
    expect(left()).toHaveLength(1)
    await clock.turn(2 * HOUR)
    expect(left()).toEqual([])
    await uploads.close()
    expect(clock.timerCount).toBe(0)
  })
})

describe('a file of which no one sentences how large it is', () => {
  const MB = new Uint8Array(1_024 * 1_024)
  async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
    for (let n = 0; n < count; n += 1) yield await Promise.resolve(MB)
  }

  it('is asked for space again with every 8 MB, and is broken off if there is none', async () => {
    const asked: number[] = []
    const mayIngest = (bytes: number): Promise<boolean> => Promise.resolve(asked.push(bytes) < 3)
    const { open, left } = setUp({ mayIngest })
    const kept = await open().save({ name: 'a.dcm', sizeBytes: null, bytes: megabytes(40) })
    expect(kept).toMatchObject({ ok: false, failure: { kind: 'diskLow' } })
    expect(asked).toEqual([0, 8 * MB.length, 8 * MB.length])
    expect(left()).toEqual([])
  })
})

describe('after the end', () => {
  it('a file that is still coming is broken off, waited for and removed, and none is taken any more', async () => {
    const { open, left } = setUp()
    const uploads = open()
    async function* stalled(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      await new Promise(() => undefined)
    }
    const keeping = uploads.save({ name: 'a.jpg', sizeBytes: null, bytes: stalled() })
    await vi.waitFor(() => expect(left()).toHaveLength(1), 10_000)
    await uploads.close()
    expect(left()).toEqual([])
    expect(await keeping).toMatchObject({ ok: false, failure: { kind: 'notAllowed' } })
    expect(await uploads.save(file('b.jpg', 'bytes'))).toMatchObject({ ok: false })
    expect(left()).toEqual([])
  })
})
