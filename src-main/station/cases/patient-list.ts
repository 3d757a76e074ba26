/** The clinic's patient list: what it states, looked up by history number, and read again if its file changes. */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { PatientListSettings } from '../../../src-shared/settings.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import { type Message, quoted, worded, wordingOf } from '../../../src-shared/wording.ts'
import { errorCode, errorName } from '../lib/errors.ts'
import { limitedWaits, openLoop, waitAtMost } from '../lib/schedule.ts'
import { createSignal } from '../lib/part.ts'
import type { Clock, Logger } from '../ports.ts'
import { foldId } from './meaning/numbers.ts'
import type { Sidecar } from './meaning/sources.ts'
import { type DataContent, type ForeignFiles, type Lying, MAX_DATA_BYTES } from '../../reader/messages.ts'
import { buildDraft, Draft, numberOf, PeopleByNumber, rulesOf } from './records/drafts.ts'
import { type Problem, problemIn } from './records/data-files.ts'
import { type Meaning, NAMES_OF_PERSON, namesBy, type Statements } from './records/headings.ts'
import { tableMeaning } from './records/tables.ts'

export type PatientListOptions = Pick<PatientListSettings, 'columns' | 'dateOrder'>

export type PatientListReading =
  | {
      readonly ok: true
      /** By normalised history number: its patient, or two people who share it. No visit, no eye, no file. */
      readonly people: PeopleOfList
      /** What the list contains but cannot be used, for its maintainer; null if all is used. */
      readonly unused: Message | null
    }
  | { readonly ok: false; readonly problem: Message }

export type PeopleOfList = ReadonlyMap<string, readonly Sidecar[]>

/** What a list may state, beside the number. An age was true on the day of the list, not at the visit. */
const OF_PATIENT: readonly Meaning[] = [
  ...NAMES_OF_PERSON,
  'history_number',
  'birth_date',
  'gender',
  'diabetes',
  'ophthalmic_antecedents',
  'other_relevant_info',
]

/** The messages contain no content. A long list takes seconds: for a process of its own. */
export function peopleIn(content: DataContent, options: PatientListOptions): PatientListReading {
  if (content.kind === 'unread' && (content.why === 'tooLarge' || content.why === 'tooManyRows'))
    return notUsed(content.why)
  if (content.kind !== 'table') return notUsed('noTable')
  const { table: read } = content
  const { misfits } = read
  const rows = read.rows.filter((cells) => !misfits.has(cells))
  const table = tableMeaning({ ...read, rows: [] }, namesBy(options.columns))
  if (!table) return notUsed('repeatedHeadings')
  const parts = function* (): Iterable<Statements> {
    for (const cells of rows) yield table.statementsOf(cells)
  }
  const { dateOrder } = options
  const rules = rulesOf(parts(), { where: 'patientList', dateOrder, nameOrder: 'lastFirst' })
  const people = new PeopleByNumber()
  const drafts = new Map<string, Draft>()
  const shared = new Map<string, readonly Sidecar[]>()
  let withoutNumber = 0
  for (const part of parts()) {
    const ofPatient = part.filter(({ meaning }) => OF_PATIENT.includes(meaning))
    const draft = buildDraft(ofPatient, rules)
    const number = numberOf(draft)
    if (number === null) {
      withoutNumber += 1
      continue
    }
    people.add(draft)
    // A list proposes only, and its records are found by their number.
    draft.doubts.clear()
    draft.values.delete('history_number')
    draft.rejected.delete('history_number')
    const isShared = people.shared.has(number)
    const before = drafts.get(number)
    const patient = (isShared ? undefined : before) ?? new Draft(rules.where)
    patient.merge(draft)
    if (!isShared) drafts.set(number, patient)
    else if (before && !shared.has(number)) shared.set(number, [before.record(), patient.record()])
  }
  for (const number of people.shared) drafts.delete(number)
  if (drafts.size === 0 && shared.size === 0) return notUsed('noNumbers')
  const patients = [...drafts].map(([number, draft]) => [number, draft.record()] as const)
  const rejected = patients.filter(([, patient]) => patient.rejected.length > 0).length
  const counts = { shared: shared.size, withoutNumber, misfits: misfits.size, rejected }
  const found = (['shared', 'withoutNumber', 'misfits', 'rejected'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => wordingOf(`intake:patientList.found.${kind}`, { count: counts[kind] }))
  return {
    ok: true,
    people: new Map([...patients.map(([number, one]) => [number, [one]] as const), ...shared]),
    unused: found.length === 0 ? null : worded('intake:patientList.unused', { found }),
  }
}

function notUsed(why: Problem): PatientListReading {
  const problem = problemIn('list', why)
  return { ok: false, problem: worded('intake:patientList.notUsed', { problem }) }
}

/**
 * Everyone whom the list has under this number. Only case is ignored: `4512` and `004512` may be two people. A list that
 * lost its zeros fills in nothing, which is noticed; another patient's birth date would not be.
 */
export function peopleOfNumber(people: PeopleOfList, historyNumber: string): readonly Sidecar[] {
  return people.get(foldId(historyNumber)) ?? []
}

type PatientListStatus = StationStatus['patientList']

export type PatientListMonitor = ReturnType<typeof openPatientList>

const CHECK_EVERY_MS = 30 * SECOND
const CLOSE_WITHIN_MS = 2 * SECOND

/** A share that answers at all does so in this time; a list of 64 MB takes a slow one longer. */
const STAT_LIMIT_MS = 10 * SECOND
const READ_LIMIT_MS = MINUTE

/** A case does not wait longer for a list that is never read, nor for a share that is asked and does not answer. */
const PENDING_LIMIT_MS = MINUTE
const SILENCE_LIMIT_MS = 6 * SECOND
/** A slow share reads so much of a list in a second. */
const SLOW_BYTES = 1_024 * 1_024

/** The time between two equal observations before a list is read: a program may still be writing it. */
const SETTLE_MS = 5 * SECOND

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
  /** Waits for the share, which is silent if it takes longer than usual. */
  const answerOf = async <Answer>(asked: Promise<Answer>, sizeBytes = 0): Promise<Answer> => {
    silentFromMs = clock.monotonicMs() + SILENCE_LIMIT_MS + Math.floor(sizeBytes / SLOW_BYTES) * SECOND
    try {
      return await asked
    } finally {
      silentFromMs = null
    }
  }
  const locate = (path: string): Promise<Lying> => answerOf(waitForStat(path, () => foreign.locate(path)))
  let people: PeopleOfList = new Map()
  let status = NO_LIST
  /** The settings to which the list and the stamps below belong. */
  let current = 'null'
  /** The stamp of the file (size and modification time) at the last check, and at the last attempt to read it. */
  let lastSeen: string | null = null
  let lastRead: string | null = null
  let pendingSinceMs = clock.monotonicMs()
  /** Null while the share is not asked: between two looks, and while the list is read that it gave. */
  let silentFromMs: number | null = null
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
    const { path: target, sizeBytes } = await locate(path)
    const bytes = await answerOf(
      waitForBytes(path, () => foreign.read(target, MAX_DATA_BYTES.list + 1)),
      sizeBytes,
    )
    if (stampOf(await locate(path)) !== stamp || JSON.stringify(options.settings()) !== current) return false
    lastRead = stamp
    const { columns, dateOrder } = settings
    const reading = await options.readList(bytes, { columns, dateOrder }).catch((error: unknown) => {
      logger.error('reading the patient list failed', { error: errorName(error) })
      return notUsed('notRead')
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
    /** Everyone whom the list in use has under this number; no one if it is off. */
    peopleOf: (historyNumber: string) => peopleOfNumber(people, historyNumber),
    status: () => status,
    /** True if a list that is set was not read yet. For a limited time, once the station has begun to read it. */
    isPending: () =>
      status.kind === 'off' ||
      (status.kind === 'settling' &&
        clock.monotonicMs() - pendingSinceMs < PENDING_LIMIT_MS &&
        (silentFromMs === null || clock.monotonicMs() < silentFromMs)),
    /** Checks at once: the settings changed, or a person asks. */
    recheck: () => loop.wake(),
    /** The status, or what `peopleOf` answers, may have changed. */
    onChange: changed.subscribe,
    close: async () => {
      isClosed = true
      // A share that hangs must not hold up the end.
      await waitAtMost(clock, CLOSE_WITHIN_MS, loop.close())
    },
  }
}

function stampOf({ sizeBytes, mtimeMs, inode }: Lying): string {
  return `${sizeBytes} ${mtimeMs} ${inode}`
}
