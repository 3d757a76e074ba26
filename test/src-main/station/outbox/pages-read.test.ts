/**
 * What an ordinary event reads of the outbox's file does not grow with what was sent before: pages that SQLite reads
 * with a cache of one megabyte, as the system counts them.
 */
import { existsSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DAY, SECOND } from '../../../../src-shared/durations.ts'
import { SUBMISSION_STATES, FINAL_STATES } from '../../../../src-shared/states.ts'
import { addSent, pretendManifests } from '../../../bench/sent-cases.ts'
import { endAttempt, SERVICE } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { casesWith, type TestCases } from '../cases/cases-with.ts'

const COUNTERS = '/proc/self/io'
const PAGE_BYTES = 4_096
const FEW = 2_500
const MANY = 10_000
const AT_A_TIME = 1_000
/** An event is measured so often: what one reads depends on where its rows lie. */
const TIMES = 12
const OPEN = SUBMISSION_STATES.filter((state) => !FINAL_STATES.includes(state))

/** An event that reads next to nothing may read so many pages more. */
const FEW_PAGES = 10

type Executed = Record<'run' | 'get' | 'all', (...values: readonly unknown[]) => unknown>

/** Bytes that this process has read by calls of the system, this reading not counted. */
function bytesRead(): number {
  const counters = readFileSync(COUNTERS, 'latin1')
  return Number(/^rchar: (\d+)$/m.exec(counters)?.[1])
}

/** Counts the pages that statements read while something happens, each connection with a small cache. */
function countPages(): (happens: () => Promise<void> | void) => Promise<number> {
  let pages = 0
  let isCounting = false
  const small = new WeakSet<Database.Database>()
  const prepare = Reflect.get(Database.prototype, 'prepare')
  const spy = vi.spyOn(Database.prototype, 'prepare').mockImplementation(function prepared(
    this: Database.Database,
    text: string,
  ) {
    if (!small.has(this)) {
      small.add(this)
      this.pragma('cache_size = -1000')
    }
    const statement = prepare.call(this, text) as unknown as Executed
    for (const act of ['run', 'get', 'all'] as const) {
      const execute = statement[act].bind(statement)
      statement[act] = (...values) => {
        if (!isCounting) return execute(...values)
        const before = bytesRead()
        try {
          return execute(...values)
        } finally {
          pages += Math.floor((bytesRead() - before) / PAGE_BYTES)
        }
      }
    }
    return statement as unknown as Database.Statement
  })
  onTestFinished(() => spy.mockRestore())
  return async (happens) => {
    pages = 0
    isCounting = true
    await happens()
    isCounting = false
    return pages
  }
}

/** A station that has sent so many cases of its folder in three years. */
async function sentBefore(count: number): Promise<TestCases> {
  const station = casesWith({}, { outboxFolder: temporaryFolder() })
  const { outbox } = station.test
  const now = station.clock.now()
  for (let from = 0; from < count; from += AT_A_TIME)
    outbox.write(() => {
      for (let number = from; number < from + AT_A_TIME; number += 1)
        addSent(outbox, {
          folderPath: station.camera,
          destination: DESTINATION,
          number,
          at: now - 3 * 365 * DAY + Math.round((3 * 364 * DAY * number) / count),
        })
    })
  pretendManifests(outbox)
  await station.restart()
  return station
}

const DESTINATION = { ...SERVICE, centerId: null }

type Visit = { id: string; readonly names: readonly string[] }

/** The events of a day, in their order. */
const EVENTS: Readonly<Record<string, (station: TestCases, visit: Visit) => Promise<void> | void>> = {
  'images arrive': async (station, { names }) => station.see(...names),
  'a case closes': async (station, visit) => {
    await station.quiet()
    visit.id = station.test.outbox.listSubmissions({ state: ['review'], limit: 1 }).items[0]?.id ?? ''
  },
  'a screen shows the queue': ({ test: { outbox } }) => {
    outbox.listSubmissions({ state: [...OPEN], order: 'urgency', limit: 50 })
    outbox.listSubmissions({ limit: 50 })
  },
  'a person approves': async (station, { id }) => station.approve(id),
  'a timer looks for what is due': ({ test: { outbox }, clock }) => {
    outbox.dueManifests(20)
    outbox.nextQuietAt()
    outbox.announcedReports(DESTINATION, 20)
    outbox.overdueRows(
      {
        notSentBefore: clock.now() - DAY,
        notConfirmedBefore: clock.now() - DAY,
        noReportBefore: clock.now() - 30 * DAY,
      },
      50,
    )
  },
  'an attempt': ({ test: { outbox }, clock }, { id }) => {
    outbox.openAttempt({
      submissionId: id,
      destination: DESTINATION,
      requestBytes: 4_000_000,
      at: clock.now(),
    })
    endAttempt({ outbox }, id, 'delivered', { caseId: `new-${id}`, at: clock.now() + SECOND })
  },
  'a confirmation': ({ test: { outbox }, clock }, { id }) => {
    outbox.setConfirmed(id, clock.now() + 5 * SECOND)
    outbox.watchReport({ submissionId: id, caseId: `new-${id}`, destination: DESTINATION, at: clock.now() })
  },
}

/** Pages a time of each event. */
async function pagesOfEvents(
  sent: number,
  pagesOf: ReturnType<typeof countPages>,
): Promise<Readonly<Record<string, number>>> {
  const station = await sentBefore(sent)
  const total: Record<string, number> = {}
  for (let time = 0; time < TIMES; time += 1) {
    const number = 501_288 + time
    const visit: Visit = { id: '', names: [`${number}_20261120_OD.png`, `${number}_20261120_OS.png`] }
    for (const name of visit.names) await station.write(name)
    for (const [event, happens] of Object.entries(EVENTS)) {
      const pages = await pagesOf(() => happens(station, visit))
      total[event] = (total[event] ?? 0) + pages / TIMES
    }
    expect(station.test.outbox.submissionOf(visit.id)?.state).toBe('sent')
  }
  return total
}

/** More rows fit a smaller part of the cache; what reads all that was sent reads four times as much. */
const GROWTH = MANY / FEW / 2

it.skipIf(!existsSync(COUNTERS))(
  `does not read more the more was sent, ${MANY} cases beside ${FEW} (needs the counters of Linux)`,
  { timeout: 600_000 },
  async () => {
    const pagesOf = countPages()
    const few = await pagesOfEvents(FEW, pagesOf)
    const many = await pagesOfEvents(MANY, pagesOf)
    const growing = Object.keys(EVENTS).filter((event) => many[event]! > GROWTH * few[event]! + FEW_PAGES)
    expect({ growing, few, many }).toMatchObject({ growing: [] })
  },
)
