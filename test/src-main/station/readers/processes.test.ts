import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Sidecar } from '../../../../src-main/station/cases/meaning/sources.ts'
import type { DataFileReading, SidecarList } from '../../../../src-main/station/cases/records/data-files.ts'
import type { PhotoRequest } from '../../../../src-main/reader/messages.ts'
import { READER_LIMITS } from '../../../../src-main/station/lib/poison.ts'
import { NOT_STARTED } from '../../../../src-main/station/ports.ts'
import { openReaderProcesses, type ReaderProcesses } from '../../../../src-main/station/readers/processes.ts'
import { readDataFile, readPatientList } from '../../../../src-main/station/readers/read-data.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { stationPorts } from '../../../tools/station-ports.ts'
import { temporaryFolder, temporaryProgram } from '../../../tools/temporary-folder.ts'
import { FILES, numbers } from '../cases/records/many-visits.ts'
import { drawing } from '../../reader/draw-images.ts'

const { workers, startProcess } = stationPorts()

let folder: string
let logger: ReturnType<typeof createRecordingLogger>
const logged = (): string[] => logger.lines.map(({ message }) => message)
beforeEach(() => {
  folder = temporaryFolder()
  logger = createRecordingLogger()
})

/** `own` in place of both programs. */
function openReader(own?: URL, picturePatienceMs = 60_000, start = startProcess): ReaderProcesses {
  const reader = openReaderProcesses({
    programs: own === undefined ? workers : { pictures: own, data: own },
    startProcess: start,
    lanes: 1,
    logger,
    picturePatienceMs,
  })
  onTestFinished(() => reader.close())
  return reader
}

function request(name: string): PhotoRequest {
  const path = join(folder, name)
  return { path, contentType: 'image/jpeg', pictureFolder: folder }
}

const SOUND = { kind: 'whole', elements: null, picture: null, grey: null, oddities: [] }
const ANSWER = JSON.stringify({ kind: 'inspected', reading: SOUND })

describe('a process for pictures', () => {
  it('answers every request with its own answer', async () => {
    await writeFile(join(folder, 'good'), await drawing().jpeg().toBuffer())
    await writeFile(join(folder, 'bad'), 'no image')
    const reader = openReader()
    const names = ['good', 'bad', 'nothing', 'good']
    const readings = await Promise.all(names.map((name) => reader.readPhoto(request(name))))
    expect(readings.map(({ kind }) => kind)).toEqual(['whole', 'damaged', 'notOpened', 'whole'])
    expect(logged()).toEqual([])
  }, 60_000)

  it('says that it died before another starts, and goes on with the next', async () => {
    const starts = join(folder, 'starts')
    const pictures = await temporaryProgram(`
      import { appendFileSync } from 'node:fs'
      appendFileSync(${JSON.stringify(starts)}, 'x')
      process.on('message', ({ path }) => {
        if (!path.endsWith('hostile')) return process.send(${ANSWER})
        process.kill(process.pid, 'SIGSEGV')
      })`)
    const reader = openReader(pictures)
    const started: string[] = []
    const names = ['first', 'hostile', 'last']
    const onDeath = (): void => void started.push(readFileSync(starts, 'utf8'))
    const readings = await Promise.all(names.map((name) => reader.readPhoto(request(name), onDeath)))
    expect(readings).toEqual([SOUND, { kind: 'died' }, SOUND])
    expect([started, readFileSync(starts, 'utf8')]).toEqual([['x'], 'xx'])
    expect(logged()).toEqual(['a process that reads files stopped'])
  }, 60_000)

  it('is ended by an image that takes too much memory, and its death is that of the image', async () => {
    const pictures = await temporaryProgram(`
      process.on('message', ({ path }) => {
        process.send({ kind: 'alive', memoryMb: path.endsWith('large') ? 701 : 699 })
        if (!path.endsWith('large')) process.send(${ANSWER})
      })`)
    const reader = openReader(pictures)
    let deaths = 0
    expect(await reader.readPhoto(request('large'), () => (deaths += 1))).toEqual({ kind: 'died' })
    expect(deaths).toBe(1)
    expect(logged()).toEqual(['a file took its process too much memory'])
    expect(await reader.readPhoto(request('next'))).toEqual(SOUND)
  }, 60_000)

  it('is ended by an answer that leaves out what a DICOM file may state', async () => {
    const reading = JSON.stringify({ ...SOUND, elements: { patientIds: ['1'] } })
    const pictures = await temporaryProgram(
      `process.on('message', () => process.send({ kind: 'inspected', reading: ${reading} }))`,
    )
    expect(await openReader(pictures).readPhoto(request('any'))).toEqual({ kind: 'died' })
    expect(logged()).toEqual(['a process that reads files answered what no one asked'])
  }, 60_000)

  it('is ended by an image that keeps it, and goes on with the next', async () => {
    const pictures = await temporaryProgram(`
      process.on('message', ({ path }) => {
        if (!path.endsWith('endless')) return process.send(${ANSWER})
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      })`)
    const reader = openReader(pictures, 3_000)
    expect(await reader.readPhoto(request('endless'))).toEqual({ kind: 'died' })
    expect(logged()).toEqual(['a file kept its process too long'])
    expect(await reader.readPhoto(request('next'))).toEqual(SOUND)
  }, 60_000)

  it('that cannot be started says nothing of the image, nor of a data file', async () => {
    const reader = openReader(undefined, undefined, (_program, { onExit }) => {
      setImmediate(() => onExit(NOT_STARTED))
      return { send: () => undefined, kill: () => undefined }
    })
    expect(await reader.readPhoto(request('good'))).toEqual({ kind: 'notOpened' })
    const reading = reader.readDataFile('a.csv', patientsOf(600), OPTIONS)
    await expect(reading).rejects.toMatchObject({ code: 'EAGAIN' })
  })

  it('goes on if all processes of the station receive a signal', async () => {
    await writeFile(join(folder, 'good'), await drawing().jpeg().toBuffer())
    const pictures = await temporaryProgram(`
      await import(${JSON.stringify(workers.pictures.href)})
      for (const signal of ['SIGTERM', 'SIGINT']) process.kill(process.pid, signal)`)
    expect(await openReader(pictures).readPhoto(request('good'))).toMatchObject({ kind: 'whole' })
    expect(logged()).toEqual([])
  }, 60_000)

  it('has a heap of a few hundred megabytes', async () => {
    const pictures = await temporaryProgram(`
      import { getHeapStatistics } from 'node:v8'
      process.on('message', () => {
        const isSmall = getHeapStatistics().heap_size_limit < 600 * 1024 * 1024
        process.send(isSmall ? ${ANSWER} : { kind: 'made', isMade: false })
      })`)
    expect(await openReader(pictures).readPhoto(request('any'))).toEqual(SOUND)
  }, 60_000)

  it('that rests for minutes is no fault of what it answered last; one that grows at rest gives way', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let deaths = 0
    const kill = vi.fn()
    let report = (_memoryMb: number): void => undefined
    const reader = openReader(undefined, undefined, (_program, { onMessage }) => {
      report = (memoryMb) => onMessage({ kind: 'alive', memoryMb })
      return { send: () => onMessage({ kind: 'inspected', reading: SOUND }), kill }
    })
    expect(await reader.readPhoto(request('good'), () => (deaths += 1))).toEqual(SOUND)
    vi.advanceTimersByTime(READER_LIMITS.pictures.patienceMs + 60_000)
    report(READER_LIMITS.pictures.memoryMb)
    expect(kill).not.toHaveBeenCalled()
    report(READER_LIMITS.pictures.memoryMb + 1)
    expect(kill).toHaveBeenCalledOnce()
    expect([deaths, logged()]).toEqual([0, []])
    expect(await reader.readPhoto(request('next'))).toEqual(SOUND)
  })

  it('answers what it was asked when it is closed, and nothing after', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const silent = { send: () => resolve(), kill: () => undefined }
    const reader = openReader(undefined, undefined, () => silent)
    const readings = [reader.readPhoto(request('one')), reader.readPhoto(request('two'))]
    await asked
    reader.close()
    expect(await Promise.all(readings)).toEqual([{ kind: 'notOpened' }, { kind: 'notOpened' }])
    expect(await reader.readPhoto(request('three'))).toEqual({ kind: 'notOpened' })
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
      ...numbers(count).map((number) => `${number};Muster${number};${'Ana '.repeat(25)}`),
      // Two people under one number.
      '10001;Otrosample;Eva',
      '',
    ].join('\n'),
  )

// Reading so much takes a busy machine a while.
it('a large JSON list, XML document and table are read in a process as they are at once', async () => {
  const reader = openReader()
  for (const [what, name, textOf] of FILES) {
    const bytes = Buffer.from(textOf(1_500))
    expect([what, bytes.length > 64 * 1_024]).toEqual([what, true])
    const reading = await reader.readDataFile(name, bytes, OPTIONS)
    expect([what, listed(reading)]).toEqual([what, readDataFile(name, bytes, OPTIONS)])
    expect(reading).toMatchObject({ ok: true, form: 'table' })
  }
}, 60_000)

it('one process reads long patient lists one after the other, two at once, as they are read without', async () => {
  const bytes = patientsOf(600)
  const starts = join(folder, 'starts')
  const reader = openReader(
    await temporaryProgram(`
      import { appendFileSync } from 'node:fs'
      appendFileSync(${JSON.stringify(starts)}, 'x')
      await import(${JSON.stringify(workers.data.href)})`),
  )
  const read = (): Promise<unknown> => reader.readPatientList(bytes, LIST_OPTIONS)
  const atOnce = readPatientList(bytes, LIST_OPTIONS)
  expect(atOnce).toMatchObject({ ok: true, people: { size: 600 } })
  expect([await read(), await read()]).toEqual([atOnce, atOnce])
  expect(readFileSync(starts, 'utf8')).toBe('x')
  expect(await Promise.all([read(), read()])).toEqual([atOnce, atOnce])
  expect(readFileSync(starts, 'utf8')).toBe('xx')
}, 60_000)

it('a process whose records are none has died, and the station has not', async () => {
  const records = JSON.stringify({ kind: 'records', records: ['["10001",[{}]]'] })
  const odd = openReader(await temporaryProgram(`process.on('message', () => process.send(${records}))`))
  const reading = odd.readPatientList(patientsOf(600), LIST_OPTIONS)
  await expect(reading).rejects.toThrow('without an answer')
  expect(logged()).toEqual(['a process that reads files answered what no one asked'])
}, 60_000)

it('a process that ends without an answer is an error for its caller, and closing ends one that reads', async () => {
  const silent = openReader(await temporaryProgram('process.exit(3)'))
  await expect(silent.readDataFile('a.csv', patientsOf(600), OPTIONS)).rejects.toThrow('without an answer')
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const endless = openReader(undefined, undefined, () => ({ send: () => resolve(), kill: () => undefined }))
  const reading = endless.readDataFile('a.csv', patientsOf(600), OPTIONS)
  const ended = expect(reading).rejects.toMatchObject({ code: 'EAGAIN' })
  await asked
  endless.close()
  await ended
})

it.skipIf(process.platform === 'win32').each([
  // Opening a pipe waits for its other end, as a call to a server that is gone does.
  ['a share hangs that it waits for', `await worker(); open('pipe', 'r', () => {}); process.disconnect()`],
  ['it starts', `process.disconnect(); await once(process, 'disconnect'); await worker()`],
])('a process ends with its station, also while %s', { timeout: 20_000 }, async (_, way) => {
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const path = await temporaryProgram(`
    import { once } from 'node:events'
    import { open } from 'node:fs'
    const worker = () => import(${JSON.stringify(workers.watch.href)})
    ${way}`)
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  const child = fork(fileURLToPath(path), { cwd: folder, serialization: 'advanced', stdio: [...stdio] })
  onTestFinished(() => void child.kill('SIGKILL'))
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
})
