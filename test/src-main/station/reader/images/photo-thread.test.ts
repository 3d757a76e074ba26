import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type PhotoThread,
  startPhotoThreads,
} from '../../../../../src-main/station/reader/images/photo-thread.ts'
import type { PhotoRequest } from '../../../../../src-main/station/reader/images/photo.ts'
import { worded } from '../../../../../src-shared/wording.ts'
import { createRecordingLogger } from '../../../../tools/recording-logger.ts'
import { temporaryFolder } from '../../../../tools/temporary-folder.ts'
import { drawing } from '../draw-images.ts'

const workerUrl = new URL('../../../../../src-main/station/reader/images/photo-worker.ts', import.meta.url)

let folder: string
let thread: PhotoThread | null
let logger: ReturnType<typeof createRecordingLogger>
const logged = (): string[] => logger.lines.map(({ message }) => message)
beforeEach(() => {
  folder = temporaryFolder()
  thread = null
  logger = createRecordingLogger()
})
afterEach(() => thread?.close())

function request(name: string): PhotoRequest {
  const path = join(folder, name)
  return { path, contentType: 'image/jpeg', nameOrder: 'lastFirst', pictureFolder: folder }
}

/** A program in place of the real one; the path of a request decides what it does. */
async function program(code: string): Promise<URL> {
  const path = join(folder, 'worker.mjs')
  await writeFile(path, `import { parentPort } from 'node:worker_threads'\n${code}`)
  return pathToFileURL(path)
}

const SOUND = { kind: 'whole', facts: null, picture: null, oddities: [] }

describe('the thread for photographs', () => {
  it('answers every request with its own answer', async () => {
    await writeFile(join(folder, 'good'), await drawing().jpeg().toBuffer())
    await writeFile(join(folder, 'bad'), 'no image')
    thread = startPhotoThreads(1, { workerUrl, logger })
    const names = ['good', 'bad', 'nothing', 'good']
    const readings = await Promise.all(names.map((name) => thread!.read(request(name))))
    expect(readings.map(({ kind }) => kind)).toEqual(['whole', 'damaged', 'notOpened', 'whole'])
    expect(logged()).toEqual([])
  }, 60_000)

  it('restarts when it has died, and asks again', async () => {
    const url = await program(`
      import { existsSync, writeFileSync } from 'node:fs'
      parentPort.on('message', ({ path }) => {
        if (existsSync(path)) return parentPort.postMessage(${JSON.stringify(SOUND)})
        writeFileSync(path, '')
        throw new Error('a defect')
      })`)
    thread = startPhotoThreads(1, { workerUrl: url, logger })
    expect(await thread.read(request('once'))).toEqual(SOUND)
    expect(logged()).toEqual(['the thread that inspects photographs stopped'])
  }, 60_000)

  it('gives up an image on which it dies twice, and goes on with the next', async () => {
    const url = await program(`
      parentPort.on('message', ({ path }) => {
        if (!path.endsWith('hostile')) return parentPort.postMessage(${JSON.stringify(SOUND)})
        process.exit(1)
      })`)
    thread = startPhotoThreads(1, { workerUrl: url, logger })
    const names = ['first', 'hostile', 'last']
    const readings = await Promise.all(names.map((name) => thread!.read(request(name))))
    expect(readings).toEqual([SOUND, { kind: 'damaged', ...worded('intake:image.tooCostly') }, SOUND])
  }, 120_000)

  it('gives up an image that keeps it, at once and for good', async () => {
    const url = await program(`
      parentPort.on('message', ({ path }) => {
        if (!path.endsWith('endless')) return parentPort.postMessage(${JSON.stringify(SOUND)})
        for (;;);
      })`)
    thread = startPhotoThreads(1, { workerUrl: url, logger, patienceMs: 3_000 })
    expect(await thread.read(request('endless'))).toMatchObject({ kind: 'damaged' })
    expect(logged()).toEqual(['a photograph kept its thread too long'])
    await thread.close()
  }, 60_000)

  it('answers what it was asked when it is closed, and nothing after', async () => {
    const url = await program(`parentPort.on('message', () => undefined)`)
    thread = startPhotoThreads(1, { workerUrl: url, logger })
    const readings = [thread.read(request('one')), thread.read(request('two'))]
    await new Promise((resolve) => setImmediate(resolve))
    await thread.close()
    expect(await Promise.all(readings)).toEqual([{ kind: 'notOpened' }, { kind: 'notOpened' }])
    expect(await thread.read(request('three'))).toEqual({ kind: 'notOpened' })
    expect(logged()).toEqual([])
  }, 60_000)
})
