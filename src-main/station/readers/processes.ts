/**
 * How our own files are read: copies of images and large data files by processes, each of which a hostile file may kill
 * or occupy for minutes, and nothing else; the rest within the station, because our disk does not hang as a share does.
 */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { MINUTE } from '../../../src-shared/durations.ts'
import type { Sidecar } from '../cases/meaning/sources.ts'
import { sidecarSchema } from '../json-columns.ts'
import { excessOf, type Limits, READER_LIMITS } from '../lib/poison.ts'
import { serially } from '../lib/schedule.ts'
import { type ChildProcess, type Logger, NOT_STARTED, type StartProcess } from '../ports.ts'
import type { DataFileOptions, DataFileReading, SidecarList } from '../cases/records/data-files.ts'
import type { PatientListOptions, PatientListReading } from '../cases/patient-list.ts'
import { clearIncoming } from '../../reader/copy.ts'
import { openedHere } from '../../reader/foreign-files.ts'
import {
  type ForeignFiles,
  memorySchema,
  type PhotoReading,
  type PhotoRequest,
  type PicturesAnswer,
  picturesAnswerSchema,
  type PicturesRequest,
} from '../../reader/messages.ts'
import type { ReadLongPage } from '../service/case-lists.ts'
import {
  type DataAnswer,
  dataAnswerSchema,
  type DataRequest,
  readDataFile,
  readPatientList,
} from './read-data.ts'

/** What an archive held, and pictures that were made: no camera writes over them. */
export type OwnFiles = Pick<ForeignFiles, 'copy' | 'inspect'>

export const ownFiles: OwnFiles & { readonly clearIncoming: typeof clearIncoming } = {
  copy: openedHere.copy,
  inspect: openedHere.inspect,
  clearIncoming,
}

export type ReaderProcesses = ReturnType<typeof openReaderProcesses>

type ReaderProcessesOptions = {
  /** `src-main/reader/pictures-worker.ts` and `data-worker.ts`, or their bundles. */
  readonly programs: { readonly pictures: URL; readonly data: URL }
  readonly startProcess: StartProcess
  /** So many images are decoded at once. */
  readonly lanes: number
  readonly logger: Logger
  readonly picturePatienceMs?: number
}

/** A smaller data file is read in less time than a process takes to start. */
const SMALL_BYTES = 64 * 1_024

/** What is written down if a process dies while it reads this: called before another one starts. */
type OnDeath = () => void

/** Images go to whichever process has the least to do; no large data file or patient list waits for another one. */
export function openReaderProcesses(options: ReaderProcessesOptions) {
  const { programs, startProcess, lanes, logger } = options
  const { picturePatienceMs = READER_LIMITS.pictures.patienceMs } = options
  const ofPictures = {
    name: 'pictures',
    start: startProcess.bind(null, programs.pictures),
    limits: { ...READER_LIMITS.pictures, patienceMs: picturePatienceMs },
    idleMs: 5 * MINUTE,
    answers: picturesAnswerSchema,
    logger,
  }
  const ofData = {
    name: 'data',
    start: startProcess.bind(null, programs.data),
    limits: READER_LIMITS.data,
    idleMs: MINUTE,
    answers: dataAnswerSchema,
    logger,
  }
  const pictures = Array.from(
    { length: lanes },
    () => new ReaderProcess<PicturesRequest, PicturesAnswer>(ofPictures),
  )
  const dataProcesses: ReaderProcess<DataRequest, DataAnswer>[] = []

  const askForPicture = (request: PicturesRequest, onDeath?: OnDeath): Promise<PicturesAnswer | Ending> => {
    const [free] = pictures.toSorted((one, other) => one.waiting - other.waiting)
    return free === undefined ? Promise.resolve('closed') : free.ask(request, (answer) => answer, onDeath)
  }

  /** Throws the error of a disk; a process that died or was ended has made nothing. */
  const make = async (request: PicturesRequest, onDeath?: OnDeath): Promise<boolean> => {
    const answer = await askForPicture(request, onDeath)
    if (typeof answer === 'string') return false
    if (answer.kind === 'failed')
      throw Object.assign(new Error('A picture could not be written.'), { code: answer.code })
    return answer.kind === 'made' && answer.isMade
  }

  /** One that is free, if there is one: to start another write-protects all memory of the station, as `fork` does. */
  const freeDataProcess = (): ReaderProcess<DataRequest, DataAnswer> => {
    const free = dataProcesses.find(({ waiting }) => waiting === 0)
    if (free === undefined) dataProcesses.push(new ReaderProcess(ofData))
    return free ?? freeDataProcess()
  }

  /** Rejects if the process dies or takes minutes, for which the caller sets a file aside; with a code if there was none. */
  const askForData = async <Rest extends object>(
    request: DataRequest,
    take: (records: readonly string[]) => void,
    onDeath?: OnDeath,
  ): Promise<Rest> => {
    const value = await freeDataProcess().ask(
      request,
      (answer) => {
        if (answer.kind === 'rest') return answer.rest as Rest
        take(answer.records)
        return null
      },
      onDeath,
    )
    if (value === 'closed' || value === 'notStarted')
      throw Object.assign(new Error('no process reads data files now'), { code: 'EAGAIN' })
    if (typeof value === 'string')
      throw new Error('the process that reads data files ended without an answer')
    return value
  }

  return {
    /** `died`: the process did, or was ended because it took too long or too much memory. */
    readPhoto: async (
      request: PhotoRequest,
      onDeath?: OnDeath,
    ): Promise<PhotoReading | { readonly kind: 'died' }> => {
      const answer = await askForPicture({ kind: 'inspect', ...request }, onDeath)
      if (typeof answer !== 'string' && answer.kind === 'inspected') return answer.reading
      return { kind: answer === 'died' ? 'died' : 'notOpened' }
    },
    /** False if the image cannot be decoded. Throws if the picture cannot be written. */
    makeThumbnail: (imagePath: string, picturePath: string, onDeath?: OnDeath): Promise<boolean> =>
      make({ kind: 'thumbnail', imagePath, picturePath }, onDeath),
    /** As `makeThumbnail`. */
    makeScreenPicture: (imagePath: string, picturePath: string, onDeath?: OnDeath): Promise<boolean> =>
      make({ kind: 'screenPicture', imagePath, picturePath }, onDeath),
    readDataFile: async (
      fileName: string,
      bytes: Uint8Array,
      options: DataFileOptions,
      onDeath?: OnDeath,
    ): Promise<DataFileReading<SidecarList>> => {
      if (bytes.length <= SMALL_BYTES) return readDataFile(fileName, bytes, options)
      const texts: string[] = []
      const reading = await askForData<DataFileReading>(
        { kind: 'file', fileName, bytes, options },
        (part) => texts.push(...part),
        onDeath,
      )
      const at = (index: number): Sidecar | undefined => {
        const text = texts.at(index)
        return text === undefined ? undefined : (JSON.parse(text) as Sidecar)
      }
      return reading.ok ? { ...reading, records: { length: texts.length, at } } : reading
    },
    readPatientList: async (bytes: Uint8Array, options: PatientListOptions): Promise<PatientListReading> => {
      if (bytes.length <= SMALL_BYTES) return readPatientList(bytes, options)
      const people = new Map<string, readonly Sidecar[]>()
      const reading = await askForData<PatientListReading>({ kind: 'patients', bytes, options }, (part) => {
        for (const text of part) people.set(...personSchema.parse(JSON.parse(text)))
      })
      return reading.ok ? { ...reading, people } : reading
    },
    readCaseList: ((answer, take) => askForData({ kind: 'cases', answer }, take)) satisfies ReadLongPage,
    /** Ends the processes without waiting for a file that blocks one. */
    close: (): void => {
      for (const one of [...pictures, ...dataProcesses]) one.close()
    },
  }
}

/** A number, and what the list states of each who has it. */
const personSchema = z.tuple([z.string(), z.array(sidecarSchema as unknown as z.ZodType<Sidecar>)])

type ProcessOptions<Answer> = {
  readonly name: string
  readonly start: (events: Parameters<StartProcess>[1], heapMb: number) => ChildProcess
  readonly limits: Limits & { readonly heapMb: number }
  /** Without a request for so long, it gives its memory back. */
  readonly idleMs: number
  readonly answers: z.ZodType<Answer>
  readonly logger: Logger
}

/** Why a request has no answer; what took too much was ended, and has died. */
type Ending = 'died' | 'notStarted' | 'closed'

/** A process that takes requests in turn. It starts with a request, and with the next one after it has ended. */
class ReaderProcess<Request, Answer> {
  readonly #options: ProcessOptions<Answer>
  readonly #inTurn = serially()
  #child: ChildProcess | null = null
  #onMessage = (_message: unknown): void => undefined
  #end: ((ending: Ending) => void) | null = null
  #idle: NodeJS.Timeout | undefined
  #isClosed = false
  /** Requests without an answer. */
  waiting = 0

  constructor(options: ProcessOptions<Answer>) {
    this.#options = options
  }

  /** Passes each answer to `take` until it returns a value, and asks for more until then; one that it cannot take ends it. */
  async ask<Value extends object>(
    request: Request,
    take: (answer: Answer) => Value | null,
    onDeath?: OnDeath,
  ): Promise<Value | Ending> {
    this.waiting += 1
    clearTimeout(this.#idle)
    const ending = await this.#inTurn(() => this.#exchange(request, take, onDeath))
    this.waiting -= 1
    if (this.waiting === 0) this.#idle = setTimeout(() => this.#kill(), this.#options.idleMs).unref()
    return ending
  }

  async #exchange<Value extends object>(
    request: Request,
    take: (answer: Answer) => Value | null,
    onDeath?: OnDeath,
  ): Promise<Value | Ending> {
    // Reading what arrived, starting a process and writing megabytes to it each hold the main thread for some 20 ms.
    await setImmediate()
    if (this.#isClosed) return 'closed'
    const { name, limits, answers, logger } = this.#options
    const { promise, resolve } = Promise.withResolvers<Value | Ending>()
    const end = (ending: Ending): void => {
      this.#end = null
      if (ending === 'died') onDeath?.()
      this.#kill()
      resolve(ending)
    }
    this.#end = end
    if (this.#child === null) {
      this.#child = this.#started()
      await setImmediate()
      if (this.#end !== end) return promise
    }
    const child = this.#child
    const begunMs = performance.now()
    const endIfTooCostly = (memoryMb: number): void => {
      const spent = { memoryMb, idleMb: 0, processorMs: 0, bytes: 0, entries: 0 }
      const excess = excessOf(limits, { ...spent, elapsedMs: performance.now() - begunMs })
      if (excess === null) return
      logger.error(
        excess === 'time' ? 'a file kept its process too long' : 'a file took its process too much memory',
        { process: name },
      )
      end('died')
    }
    this.#onMessage = (message) => {
      const alive = memorySchema.safeParse(message)
      if (alive.success) return endIfTooCostly(alive.data.memoryMb)
      // Thrown here, it would end the station.
      try {
        const value = take(answers.parse(message))
        if (value === null) child.send('taken')
        else resolve(value)
      } catch {
        logger.error('a process that reads files answered what no one asked', { process: name })
        end('died')
      }
    }
    // A millisecond later it is too long, however the timer is rounded.
    const timer = setTimeout(() => endIfTooCostly(0), limits.patienceMs + 2)
    child.send(request)
    const ending = await promise
    clearTimeout(timer)
    this.#end = null
    // What it holds at rest is not the doing of the file that it has answered for.
    this.#onMessage = (message) => {
      const alive = memorySchema.safeParse(message)
      if (alive.success && alive.data.memoryMb > limits.memoryMb) this.#kill()
    }
    return ending
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#idle)
    this.#kill()
    this.#end?.('closed')
  }

  #started(): ChildProcess {
    const { name, start, limits, logger } = this.#options
    const events: Parameters<StartProcess>[1] = {
      onMessage: (message) => void (this.#child === child && this.#onMessage(message)),
      onExit: (how) => {
        // One that was ended on purpose is none any more.
        if (this.#child !== child) return
        this.#child = null
        logger.error('a process that reads files stopped', { process: name, how })
        this.#end?.(how === NOT_STARTED ? 'notStarted' : 'died')
      },
    }
    const child = start(events, limits.heapMb)
    return child
  }

  #kill(): void {
    const child = this.#child
    this.#child = null
    child?.kill()
  }
}
