/** A station process that is started, killed and polled as a service manager does; what it reports is recorded. */
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import type { Alarm } from '../../src-shared/alarms.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import {
  NotStarted,
  type StationConfig,
  type StationProcess,
  startStation,
} from '../station-process/start-station.ts'
import { buildHeadless } from '../../tools/headless-build.ts'
import { projectFolder } from '../../tools/step.ts'

/** What a person could have read while the fault was there. */
export type Reported = {
  /** Kinds of failures with the sentence that was shown. */
  readonly failures: ReadonlyMap<string, string>
  readonly states: ReadonlySet<string>
  readonly alarms: ReadonlySet<string>
  /** What a refused start printed. */
  readonly refusals: readonly string[]
}

export type OutboxView = {
  readonly submissions: readonly SubmissionDetails[]
  readonly alarms: readonly Alarm[]
}

export type StartWith = {
  readonly environment?: Readonly<Record<string, string>>
  readonly startedBy?: readonly string[]
  readonly parameters?: readonly string[]
}

export type Supervisor = {
  readonly reported: Reported
  /** The current process; null between two. */
  pid(): number | null
  station(): StationProcess | null
  /** Starts it; false if the start was refused or killed, which is recorded and not thrown. */
  start(startWith?: StartWith): Promise<boolean>
  kill(): Promise<void>
  stop(): Promise<void>
  setConfig(config: StationConfig): void
  /** The default of every start from now on. */
  setStart(startWith: StartWith): void
  /** Reads everything over the contract; null if the station does not answer. */
  view(): Promise<OutboxView | null>
}

const POLL_EVERY_MS = 120

/** Stations that this process has started and not seen ended: none outlives an aborted run. */
const running = new Set<number>()
process.once('exit', () => {
  for (const pid of running) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended on its own.
    }
  }
})

export function superviseStation(dataFolder: string, firstConfig: StationConfig): Supervisor {
  const failures = new Map<string, string>()
  const states = new Set<string>()
  const alarms = new Set<string>()
  const refusals: string[] = []
  let config = firstConfig
  let station: StationProcess | null = null
  let pid: number | null = null
  let usually: StartWith = {}

  const hear = (failure: { readonly kind: string; readonly message: string } | null): void => {
    if (failure) failures.set(failure.kind, failure.message)
  }

  const view = async (): Promise<OutboxView | null> => {
    const asked = station
    if (!asked) return null
    try {
      const status = await asked.value('station.status')
      const { items } = await asked.value('submissions.list', { limit: 1_000 })
      for (const item of items) {
        states.add(item.state)
        hear(item.failure)
      }
      hear(status.service.failure)
      hear(status.storage)
      hear(status.clock)
      for (const folder of status.folders) hear(folder.failure)
      for (const alarm of status.alarms) alarms.add(alarm.kind)
      const { items: trail } = await asked.value('audit.list', { limit: 50 })
      // The trail has the states between two polls.
      for (const { details } of trail) if (typeof details['to'] === 'string') states.add(details['to'])
      const submissions: SubmissionDetails[] = []
      for (const { id } of items) {
        const details = await asked.value('submissions.get', { id })
        submissions.push(details)
        // The attempts have the failures between two polls.
        for (const attempt of details.attemptList) hear(attempt.failure)
      }
      return { submissions, alarms: status.alarms }
    } catch {
      // It ended, or was killed, while it was asked.
      return null
    }
  }

  const observe = async (watched: StationProcess): Promise<void> => {
    const isWatched = (): boolean => station === watched
    while (isWatched()) {
      await view()
      await pause(POLL_EVERY_MS)
    }
  }

  const forgetWhenEnded = async (started: StationProcess): Promise<void> => {
    await started.ended
    running.delete(started.pid)
    if (station === started) station = null
  }

  const end = async (how: 'kill' | 'stop'): Promise<void> => {
    const ended = station
    station = null
    await ended?.[how]()
    pid = null
  }

  return {
    reported: { failures, states, alarms, refusals },
    pid: () => pid,
    station: () => station,
    start: async (startWith = usually) => {
      try {
        const started = await startStation({
          program: await builtStation(),
          dataFolder,
          config,
          ...startWith,
          onSpawned: (spawned) => {
            pid = spawned
            running.add(spawned)
          },
        })
        station = started
        void forgetWhenEnded(started)
        void observe(started)
        return true
      } catch (error) {
        if (!(error instanceof NotStarted)) throw error
        if (pid !== null) running.delete(pid)
        pid = null
        if (error.exitCode !== null) refusals.push(error.message)
        return false
      }
    },
    kill: () => end('kill'),
    stop: () => end('stop'),
    setConfig: (next) => {
      config = next
    },
    setStart: (startWith) => {
      usually = startWith
    },
    view,
  }
}

let built: Promise<string> | null = null

/** The path of the headless host, built once: a table starts stations by the thousand. */
function builtStation(): Promise<string> {
  built ??= buildHeadless(join(projectFolder, 'test-results'))
  return built
}
