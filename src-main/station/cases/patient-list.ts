/** The clinic's patient list: looked up by history number, and read again if its file changes. */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { PatientListSettings } from '../../../src-shared/settings.ts'
import { type Message, quoted, type Wording, worded } from '../../../src-shared/wording.ts'
import { errorCode } from '../lib/errors.ts'
import { limitedWaits, openLoop } from '../lib/schedule.ts'
import { createSignal } from '../lib/part.ts'
import type { Clock, Logger } from '../ports.ts'
import type { Sidecar } from './meaning/sources.ts'
import { type ForeignFiles, type Lying, MAX_DATA_BYTES } from '../../reader/messages.ts'
import {
  listNotUsed,
  type PatientListOptions,
  type PatientListReading,
  peopleOfNumber,
  type PeopleOfList,
} from './records/patients.ts'

export type PatientListStatus = {
  /** `settling`: found, and read once it stops changing. Except for `off`, the earlier list stays in use. */
  readonly kind: 'off' | 'settling' | 'read' | 'unreachable' | 'unreadable'
  /** The number of patients in the list in use. */
  readonly patients: number
  /** For the maintainer of the list; contains no content. */
  readonly message: string | null
  readonly wording?: Wording | undefined
  /** When the list in use was read. */
  readonly readAt: number | null
}

export type PatientListMonitor = ReturnType<typeof openPatientList>

const CHECK_EVERY_MS = 30 * SECOND
const CLOSE_WITHIN_MS = 2 * SECOND

/** A share that answers at all does so in this time; a list of 64 MB takes a slow one longer. */
const STAT_LIMIT_MS = 10 * SECOND
const READ_LIMIT_MS = MINUTE

/** A case does not wait longer for a list that is never read, nor for a share that has not answered for a while. */
const PENDING_LIMIT_MS = MINUTE
const SILENCE_LIMIT_MS = 6 * SECOND

/** The time between two equal observations before a list is read: a program may still be writing it. */
const SETTLE_MS = 5 * SECOND

/** No list is set. */
const NO_LIST: PatientListStatus = { kind: 'off', patients: 0, message: null, readAt: null }

/** The file is only read. */
export function openPatientList(options: {
  readonly settings: () => PatientListSettings | null
  readonly clock: Clock
  readonly logger: Logger
  /** `readPatientList` in a process of its own. Rejects if that cannot read the list. */
  readonly readList: (bytes: Uint8Array, options: PatientListOptions) => Promise<PatientListReading>
  readonly foreign: Pick<ForeignFiles, 'locate' | 'read'>
}) {
  const { clock, logger, foreign } = options
  const waitForStat = limitedWaits(clock, STAT_LIMIT_MS)
  const waitForBytes = limitedWaits(clock, READ_LIMIT_MS)
  const locate = async (path: string): Promise<Lying> => {
    const lying = await waitForStat(path, () => foreign.locate(path))
    answeredMs = clock.monotonicMs()
    return lying
  }
  let people: PeopleOfList = new Map()
  let status = NO_LIST
  /** The settings to which the list and the stamps below belong. */
  let current = 'null'
  /** The stamp of the file (size and modification time) at the last check, and at the last attempt to read it. */
  let lastSeen: string | null = null
  let lastRead: string | null = null
  let pendingSinceMs = clock.monotonicMs()
  let answeredMs = pendingSinceMs
  let isClosed = false
  const changed = createSignal()

  const setStatus = (next: PatientListStatus): void => {
    const isNew = JSON.stringify(next) !== JSON.stringify(status)
    status = next
    if (isNew) changed.emit()
  }

  /** Reads the settled file. False if it changed meanwhile. */
  const readList = async (settings: PatientListSettings, stamp: string): Promise<boolean> => {
    const { path } = settings
    const target = (await locate(path)).path
    const bytes = await waitForBytes(path, () => foreign.read(target, MAX_DATA_BYTES.list + 1))
    if (stampOf(await locate(path)) !== stamp || JSON.stringify(options.settings()) !== current) return false
    lastRead = stamp
    const { columns, dateOrder } = settings
    const reading = await options.readList(bytes, { columns, dateOrder }).catch((error: unknown) => {
      logger.error('reading the patient list failed', {
        error: error instanceof Error ? error.name : 'unknown',
      })
      return listNotUsed('notRead')
    })
    if (isClosed || JSON.stringify(options.settings()) !== current) return false
    if (!reading.ok) {
      logger.warn('patient list not readable', { sizeBytes: bytes.length })
      setStatus({ ...status, kind: 'unreadable', ...withListInUse(reading.problem) })
      return true
    }
    people = reading.people
    const patients = [...people.values()].filter(({ length }) => length === 1).length
    logger.info('patient list read', { patients, sizeBytes: bytes.length })
    setStatus({
      kind: 'read',
      patients,
      message: null,
      ...reading.unused,
      readAt: clock.now(),
    })
    return true
  }

  const withListInUse = (message: Message): Message =>
    people.size === 0 ? message : worded('intake:patientList.stillInUse', { problem: quoted(message) })

  const check = async (): Promise<number> => {
    const settings = options.settings()
    const asText = JSON.stringify(settings)
    if (asText !== current) {
      // Another file, or the same one with other rules: nothing of the earlier list holds.
      current = asText
      people = new Map()
      lastSeen = null
      lastRead = null
      pendingSinceMs = clock.monotonicMs()
      answeredMs = pendingSinceMs
      setStatus(settings ? { ...NO_LIST, kind: 'settling' } : NO_LIST)
    }
    if (!settings) return clock.now() + CHECK_EVERY_MS
    try {
      const stamp = stampOf(await locate(settings.path))
      const isStill = stamp === lastSeen
      lastSeen = stamp
      if (stamp === lastRead) {
        // It was away and is back unchanged.
        if (status.kind === 'unreachable') lastRead = null
        else return clock.now() + CHECK_EVERY_MS
      }
      if (!isStill || !(await readList(settings, stamp))) {
        if (people.size === 0 && status.kind !== 'unreadable') setStatus({ ...NO_LIST, kind: 'settling' })
        return clock.now() + SETTLE_MS
      }
    } catch (error) {
      const code = errorCode(error)
      if (code === undefined) throw error
      lastSeen = null
      logger.warn('patient list not reachable', { code })
      setStatus({
        ...status,
        kind: 'unreachable',
        ...withListInUse(worded('intake:patientList.unreachable')),
      })
    }
    return clock.now() + CHECK_EVERY_MS
  }

  const loop = openLoop({ name: 'patient list', clock, logger, run: check })
  return {
    /** The entry of this patient in the list in use; null if it is off, or does not contain the number. */
    find: (historyNumber: string): Sidecar | null => {
      const [one = null, ...others] = peopleOfNumber(people, historyNumber)
      return others.length === 0 ? one : null
    },
    peopleOf: (historyNumber: string) => peopleOfNumber(people, historyNumber),
    status: () => status,
    /** True if a list that is set was not read yet. For a limited time, once the station has begun to read it. */
    isPending: () =>
      status.kind === 'off' ||
      (status.kind === 'settling' &&
        clock.monotonicMs() - pendingSinceMs < PENDING_LIMIT_MS &&
        clock.monotonicMs() - answeredMs < SILENCE_LIMIT_MS),
    /** Checks at once: the settings changed, or a person asks. */
    recheck: () => loop.wake(),
    /** The status, or what `find` answers, may have changed. */
    onChange: changed.subscribe,
    close: async () => {
      isClosed = true
      // A share that hangs must not hold up the end.
      await Promise.race([
        loop.close(),
        new Promise<void>((resolve) => clock.after(CLOSE_WITHIN_MS, resolve)),
      ])
    },
  }
}

function stampOf({ sizeBytes, mtimeMs, inode }: Lying): string {
  return `${sizeBytes} ${mtimeMs} ${inode}`
}
