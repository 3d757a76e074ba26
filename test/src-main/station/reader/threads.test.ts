import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Sidecar } from '../../../../src-main/station/cases/meaning/sources.ts'
import {
  type DataFileReading,
  readDataFile,
  type SidecarList,
} from '../../../../src-main/station/reader/data-files/data-files.ts'
import type { PhotoRequest } from '../../../../src-main/station/reader/images/photo.ts'
import { readPatientList } from '../../../../src-main/station/reader/patient-list.ts'
import { openReaderThreads, type ReaderThreads } from '../../../../src-main/station/reader/threads.ts'
import { worded } from '../../../../src-shared/wording.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { stationPorts } from '../../../tools/station-ports.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { FILES, numbers } from './data-files/many-visits.ts'
import { drawing } from './draw-images.ts'

const { workers } = stationPorts()

let folder: string
let logger: ReturnType<typeof createRecordingLogger>
const logged = (): string[] => logger.lines.map(({ message }) => message)
beforeEach(() => {
  folder = temporaryFolder()
  logger = createRecordingLogger()
})

function openThreads(programs: Partial<typeof workers> = {}, photoPatienceMs = 60_000): ReaderThreads {
  const threads = openReaderThreads({
    programs: { ...workers, ...programs },
    photoThreads: 1,
    logger,
    photoPatienceMs,
  })
  onTestFinished(() => threads.close())
  return threads
}

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

describe('a thread for photographs', () => {
  it('answers every request with its own answer', async () => {
    await writeFile(join(folder, 'good'), await drawing().jpeg().toBuffer())
    await writeFile(join(folder, 'bad'), 'no image')
    const threads = openThreads()
    const names = ['good', 'bad', 'nothing', 'good']
    const readings = await Promise.all(names.map((name) => threads.readPhoto(request(name))))
    expect(readings.map(({ kind }) => kind)).toEqual(['whole', 'damaged', 'notOpened', 'whole'])
    expect(logged()).toEqual([])
  }, 60_000)

  it('restarts when it has died, and asks again', async () => {
    const photo = await program(`
      import { existsSync, writeFileSync } from 'node:fs'
      parentPort.on('message', ({ path }) => {
        if (existsSync(path)) return parentPort.postMessage(${JSON.stringify(SOUND)})
        writeFileSync(path, '')
        throw new Error('a defect')
      })`)
    expect(await openThreads({ photo }).readPhoto(request('once'))).toEqual(SOUND)
    expect(logged()).toEqual(['a thread that reads files stopped'])
  }, 60_000)

  it('gives up an image on which it dies twice, and goes on with the next', async () => {
    const photo = await program(`
      parentPort.on('message', ({ path }) => {
        if (!path.endsWith('hostile')) return parentPort.postMessage(${JSON.stringify(SOUND)})
        process.exit(1)
      })`)
    const threads = openThreads({ photo })
    const names = ['first', 'hostile', 'last']
    const readings = await Promise.all(names.map((name) => threads.readPhoto(request(name))))
    expect(readings).toEqual([SOUND, { kind: 'damaged', ...worded('intake:image.tooCostly') }, SOUND])
  }, 120_000)

  it('gives up an image that keeps it, at once and for good, and goes on with the next', async () => {
    const photo = await program(`
      parentPort.on('message', ({ path }) => {
        if (!path.endsWith('endless')) return parentPort.postMessage(${JSON.stringify(SOUND)})
        for (;;);
      })`)
    const threads = openThreads({ photo }, 3_000)
    expect(await threads.readPhoto(request('endless'))).toMatchObject({ kind: 'damaged' })
    expect(logged()).toEqual(['a file kept its thread too long'])
    expect(await threads.readPhoto(request('next'))).toEqual(SOUND)
  }, 60_000)

  it('answers what it was asked when it is closed, and nothing after', async () => {
    const photo = await program(`parentPort.on('message', () => undefined)`)
    const threads = openThreads({ photo })
    const readings = [threads.readPhoto(request('one')), threads.readPhoto(request('two'))]
    await new Promise((resolve) => setImmediate(resolve))
    await threads.close()
    expect(await Promise.all(readings)).toEqual([{ kind: 'notOpened' }, { kind: 'notOpened' }])
    expect(await threads.readPhoto(request('three'))).toEqual({ kind: 'notOpened' })
    expect(logged()).toEqual([])
  }, 60_000)
})

const OPTIONS = { columns: {}, dateOrder: 'ymd', nameOrder: 'lastFirst' } as const
const LIST_OPTIONS = { columns: {}, dateOrder: 'ymd' } as const

/** With its records as an array; they come as JSON, which leaves out what is undefined. */
function listed(reading: DataFileReading<SidecarList>): DataFileReading {
  if (!reading.ok) return reading
  const { length } = reading.records
  return { ...reading, records: Array.from({ length }, (_, index) => reading.records.at(index) as Sidecar) }
}

const patientsOf = (count: number): Buffer =>
  Buffer.from(
    [
      'NHC;Apellidos;Nombre',
      ...numbers(count).map((number) => `${number};Muster${number};Ana`),
      // Two people under one number.
      '10001;Otrosample;Eva',
      '',
    ].join('\n'),
  )

// Reading so much takes a busy machine a while.
describe.each(FILES)('%s', { timeout: 60_000 }, (_what, name, textOf) => {
  it('that is large is read in a thread as it is read at once', async () => {
    const bytes = Buffer.from(textOf(3_000))
    expect(bytes.length).toBeGreaterThan(100_000)
    const reading = await openThreads().readDataFile(name, bytes, OPTIONS)
    expect(listed(reading)).toEqual(readDataFile(name, bytes, OPTIONS))
    expect(reading).toMatchObject({ ok: true, form: 'table' })
  })
})

it('a long patient list is read in a thread as it is read at once', async () => {
  const bytes = patientsOf(5_000)
  const reading = await openThreads().readPatientList(bytes, LIST_OPTIONS)
  expect(reading).toEqual(readPatientList(bytes, LIST_OPTIONS))
  expect(reading).toMatchObject({ ok: true, people: { size: 5_000 } })
})

it('a thread that ends without an answer is an error for its caller, and closing ends one that reads', async () => {
  const silent = openThreads({ data: new URL('data:text/javascript,process.exit(3)') })
  await expect(silent.readDataFile('a.csv', patientsOf(5_000), OPTIONS)).rejects.toThrow('without an answer')
  const endless = openThreads({ data: new URL('data:text/javascript,for(;;);') })
  const reading = endless.readDataFile('a.csv', patientsOf(5_000), OPTIONS)
  const ended = expect(reading).rejects.toThrow('without an answer')
  await endless.close()
  await ended
})
