/** Keeps the clinic's list of patients read: looks at its file now and then, and uses the last one that was whole. */
import { stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { SECOND } from '../../../../src-shared/durations.ts'
import type { PatientListSettings } from '../../../../src-shared/settings.ts'
import { openLoop } from '../../loop.ts'
import { chosenFile, readSource } from '../../open-source.ts'
import type { Clock, Logger } from '../../ports.ts'
import type { Sidecar } from '../recognition.ts'
import {
  findInPatientList,
  LIST_NOT_READ,
  MAX_LIST_BYTES,
  NO_PATIENTS,
  readPatientListInSlices,
  type PatientList,
  type PatientListReading,
} from './read-patient-list.ts'

export type PatientListStatus = {
  /** `settling`: it was seen and is read as soon as it stands still. The list read before stays in use in all but `off`. */
  readonly kind: 'off' | 'settling' | 'read' | 'unreachable' | 'unreadable'
  /** In the list that is in use. */
  readonly patients: number
  /** For the person who keeps the list; names no content. */
  readonly message: string | null
  /** When the list that is in use was read. */
  readonly readAt: number | null
}

export type PatientListMonitor = {
  /** What the list in use says of this patient; null where it is off, or does not know the number. */
  find(historyNumber: string): Sidecar | null
  status(): PatientListStatus
  /** Looks at once: the settings changed, or a person asks. */
  recheck(): void
  close(): Promise<void>
}

const CHECK_EVERY_MS = 30 * SECOND
/** Between the two looks that must agree before a list is read: a program may still be writing it. */
const SETTLE_MS = 5 * SECOND

/** No list is set. */
export const NO_LIST: PatientListStatus = { kind: 'off', patients: 0, message: null, readAt: null }

/** `onChanged` is called whenever the status or what `find` answers may have changed. The file is only read. */
export function openPatientList(options: {
  readonly settings: () => PatientListSettings | null
  readonly clock: Clock
  readonly logger: Logger
  readonly onChanged: () => void
}): PatientListMonitor {
  const { clock, logger } = options
  let list: PatientList = NO_PATIENTS
  let status = NO_LIST
  /** The settings that the list and the stamps below belong to. */
  let current = 'null'
  /** The file as it was at the last look, and when it was judged last: size and time of change. */
  let lastSeen: string | null = null
  let lastRead: string | null = null
  let isClosed = false

  const setStatus = (next: PatientListStatus): void => {
    const isNew = JSON.stringify(next) !== JSON.stringify(status)
    status = next
    if (isNew) options.onChanged()
  }

  const applySettings = (settings: PatientListSettings | null): void => {
    const asText = JSON.stringify(settings)
    if (asText === current) return
    // Another file, or the same one read by other rules: nothing of the list before holds any more.
    current = asText
    list = NO_PATIENTS
    lastSeen = null
    lastRead = null
    setStatus(settings ? { ...NO_LIST, kind: 'settling' } : NO_LIST)
  }

  /** Reads the file that stood still. False where it changed meanwhile. */
  const readList = async (settings: PatientListSettings, stamp: string): Promise<boolean> => {
    const bytes = await readSource(await chosenFile(settings.path), MAX_LIST_BYTES + 1)
    if ((await stampOf(settings.path)) !== stamp || JSON.stringify(options.settings()) !== current)
      return false
    lastRead = stamp
    const reading = await readWithPauses(bytes, settings).catch((error: unknown) => {
      logger.error('reading the patient list failed', {
        error: error instanceof Error ? error.name : 'unknown',
      })
      return LIST_NOT_READ
    })
    if (isClosed || JSON.stringify(options.settings()) !== current) return false
    lastRead = stamp
    if (!reading.ok) {
      logger.warn('patient list not readable', { sizeBytes: bytes.length })
      setStatus({ ...status, kind: 'unreadable', message: reading.message + stillInUse() })
      return true
    }
    list = reading.list
    logger.info('patient list read', { patients: list.patients.size, sizeBytes: bytes.length })
    setStatus({ kind: 'read', patients: list.patients.size, message: reading.message, readAt: clock.now() })
    return true
  }

  const stillInUse = (): string =>
    list.patients.size > 0 ? ' The list that was read before stays in use.' : ''

  const check = async (): Promise<number> => {
    const settings = options.settings()
    applySettings(settings)
    if (!settings) return clock.now() + CHECK_EVERY_MS
    try {
      const stamp = await stampOf(settings.path)
      const isStill = stamp === lastSeen
      lastSeen = stamp
      if (stamp === lastRead) {
        // It was away and is back as it was.
        if (status.kind === 'unreachable') lastRead = null
        else return clock.now() + CHECK_EVERY_MS
      }
      if (!isStill || !(await readList(settings, stamp))) {
        if (list.patients.size === 0 && status.kind !== 'unreadable')
          setStatus({ ...NO_LIST, kind: 'settling' })
        return clock.now() + SETTLE_MS
      }
    } catch (error) {
      if (!isSystemError(error)) throw error
      lastSeen = null
      logger.warn('patient list not reachable', { code: error.code })
      setStatus({ ...status, kind: 'unreachable', message: UNREACHABLE + stillInUse() })
    }
    return clock.now() + CHECK_EVERY_MS
  }

  const loop = openLoop({ name: 'patient list', clock, logger, run: check })
  return {
    find: (historyNumber) => findInPatientList(list, historyNumber),
    status: () => status,
    recheck: () => loop.wake(),
    close: () => {
      isClosed = true
      return loop.close()
    },
  }
}

/** Images arrive while a long list is read. */
async function readWithPauses(bytes: Uint8Array, settings: PatientListSettings): Promise<PatientListReading> {
  const slices = readPatientListInSlices(bytes, settings)
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
    await setImmediate()
  }
}

const UNREACHABLE =
  'The patient list cannot be reached, so it fills in nothing new. Check that its folder is connected and the file is there; it is tried again by itself.'

async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path)
  return `${size} ${mtimeMs} ${ino}`
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
