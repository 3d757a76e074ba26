/**
 * A station that keeps everything in memory and sends nothing: for looking at the screens in every state, also in
 * those that a real one reaches only by misfortune. The real HTTP host carries it.
 */
import type { CallHandlers, Station } from '../../../src-main/station/api.ts'
import { compareUrgency } from '../../../src-renderer/store/state.ts'
import type { CallOutput, EventName, EventPayload, StationEvent } from '../../../src-shared/contract.ts'
import { DAY, HOUR } from '../../../src-shared/durations.ts'
import { fail, failureOf, succeed } from '../../../src-shared/failure.ts'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import { type SubmissionEvent, transition } from '../../../src-shared/states.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import type { Submission, SubmissionDetails } from '../../../src-shared/submission.ts'
import { definedOnly, edited } from './edited.ts'
import { standInCases } from './stand-in-cases.ts'
import { drawFiles, type StandInFiles } from './stand-in-files.ts'
import { standInGrouping } from './stand-in-grouping.ts'
import { keepInMemory, standInNewCase } from './stand-in-new-case.ts'
import { standInOversight } from './stand-in-oversight.ts'
import { makeReports, standInReportCalls } from './stand-in-reports.ts'
import { NOT_SIGNED_IN, SIGNED_IN } from './stand-in-service-trial.ts'
import { standInSources } from './stand-in-sources.ts'
import {
  countCenters,
  countStates,
  STAND_IN_CENTERS,
  standInSettings,
  standInStatus,
} from './stand-in-status.ts'
import { standInTrial } from './stand-in-trial.ts'
import { syntheticSubmissions } from './synthetic-submissions.ts'

export type StandIn = {
  readonly station: Station
  readonly submissions: Map<string, SubmissionDetails>
  /** Tells an event as if something had happened. */
  tell<Name extends EventName>(name: Name, payload: EventPayload<Name>): void
  /** Skips revisions, as if events had been lost on their way. */
  skipRevisions(count: number): void
  changeStatus(change: Partial<StationStatus>): void
  changeSettings(change: Partial<ShownSettings>): void
  changeSubmission(id: string, change: Partial<SubmissionDetails>): void
  /** Answers of one call from now on; null takes it back. */
  answerWith<Name extends keyof CallHandlers>(name: Name, handler: CallHandlers[Name] | null): void
  /** Names and inputs of all calls so far. */
  readonly asked: { readonly name: string; readonly input: unknown }[]
}

export type StandInOptions = {
  readonly folder: string
  /** Drawings made before, so that each test need not draw. */
  readonly files?: StandInFiles
  readonly now?: number
  readonly submissions?: readonly SubmissionDetails[]
}

function listed({ attemptList: _attempts, evidence: _evidence, ...item }: SubmissionDetails): Submission {
  return item
}

function found(submission: Submission, search: string): boolean {
  const { fields, reference, caseId } = submission
  const text = [fields.history_number, fields.first_name, fields.last_name, reference, caseId].join(' ')
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))
}

export async function openStandIn(options: StandInOptions): Promise<StandIn> {
  const now = options.now ?? Date.now()
  const submissions = new Map(
    (options.submissions ?? syntheticSubmissions(now)).map((one) => [one.id, one] as const),
  )
  const files = options.files ?? (await drawFiles(options.folder))
  const {
    reports,
    summaries,
    awaited,
    files: reportFiles,
  } = await makeReports([...submissions.values()], options.folder, now)
  const listeners = new Set<(event: StationEvent) => void>()
  const asked: { name: string; input: unknown }[] = []
  let revision = 0
  let settings: ShownSettings = standInSettings()
  let status: StationStatus = standInStatus(now, countStates(submissions.values()))

  const tell = <Name extends EventName>(name: Name, payload: EventPayload<Name>): void => {
    revision += 1
    const event = { name, revision, payload } as StationEvent
    for (const listener of listeners) listener(event)
  }
  const statusNow = (): StationStatus => ({
    ...status,
    counts: countStates(submissions.values()),
    now: Date.now(),
  })
  const changeStatus = (change: Partial<StationStatus>): void => {
    status = { ...status, ...change }
    tell('stationChanged', statusNow())
  }
  const changeSubmission = (id: string, change: Partial<SubmissionDetails>): void => {
    const before = submissions.get(id)
    if (!before) throw new Error('The stand-in has no such submission')
    const after = { ...before, ...change, changedAt: Math.max(Date.now(), before.changedAt + 1) }
    submissions.set(id, after)
    tell('submissionChanged', listed(after))
    tell('stationChanged', statusNow())
  }
  const onMany =
    (event: SubmissionEvent, extra: Partial<SubmissionDetails> = {}) =>
    async ({ ids }: { ids: string[] }) => {
      const output: CallOutput<'submissions.approve'> = { changed: [], refused: [] }
      for (const id of ids) {
        const before = submissions.get(id)
        const state = before && transition(before.state, event)
        if (!state) output.refused.push({ id, failure: failureOf('notAllowed') })
        else {
          changeSubmission(id, { state, ...extra })
          output.changed.push(id)
        }
      }
      return succeed(output)
    }
  const addSubmission = (made: SubmissionDetails): void => {
    submissions.set(made.id, made)
    changeSubmission(made.id, {})
  }
  const details = (id: string) => {
    const one = submissions.get(id)
    return one ? succeed(one) : fail(failureOf('notFound'))
  }

  const own: CallHandlers = {
    'station.status': async () => succeed(statusNow()),
    'station.pause': async ({ seconds }) => {
      changeStatus({
        mode: {
          kind: 'paused',
          why: 'person',
          until: seconds === null ? null : Date.now() + seconds * 1_000,
        },
      })
      return succeed(statusNow())
    },
    'station.resume': async () => {
      changeStatus({ mode: { kind: 'running' } })
      return succeed(statusNow())
    },
    'station.startNormally': async () => {
      changeStatus({ mode: { kind: 'running' } })
      return succeed(statusNow())
    },
    'station.noteNamesRule': async () => {
      changeStatus({ namesRule: 'known' })
      return succeed(statusNow())
    },
    'station.stop': async () => succeed({}),
    'submissions.list': async ({ state, search, limit, after, order }) => {
      const all = [...submissions.values()]
        .filter((one) => !state || state.includes(one.state))
        .map(listed)
        .filter((one) => !search || found(one, search))
      if (order === 'urgency') all.sort(compareUrgency)
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
      return succeed({
        items: all.slice(start, start + limit),
        total: all.length,
        counts: countStates(submissions.values()),
      })
    },
    'submissions.get': async ({ id }) => details(id),
    'submissions.create': standInNewCase(addSubmission),
    'submissions.update': async (input) => {
      const before = submissions.get(input.id)
      if (!before) return fail(failureOf('notFound'))
      changeSubmission(input.id, edited(before, input))
      return details(input.id)
    },
    'submissions.closeNow': onMany('gatheredForReview'),
    'submissions.approve': onMany('approved', { failure: null, notBefore: null }),
    'submissions.retry': async ({ ids }) => {
      for (const id of ids)
        changeSubmission(id, { state: 'waiting', failure: null, notBefore: null, attempts: 0 })
      return succeed({ changed: ids, refused: [] })
    },
    'submissions.prioritise': async ({ ids }) => {
      for (const id of ids) changeSubmission(id, { urgent: true })
      return succeed({ changed: ids, refused: [] })
    },
    'submissions.hold': onMany('held'),
    'submissions.release': onMany('releasedToReview'),
    'submissions.discard': onMany('discarded'),
    'submissions.restore': onMany('restoredToReview'),
    ...standInOversight({ now, submissions, status: statusNow, changeStatus, changeSubmission }),
    ...standInGrouping({
      submissions,
      changeSubmission,
      addSubmission,
    }),
    'submissions.resolve': async ({ id, delivered, caseId }) => {
      changeSubmission(
        id,
        delivered
          ? { state: 'sent', caseId: caseId ?? null, sentAt: Date.now(), failure: null }
          : { state: 'waiting', failure: null, notBefore: null },
      )
      return details(id)
    },
    'cases.list': async ({ search }) =>
      succeed({
        items: standInCases([...submissions.values()], now).filter(
          (one) => !search || JSON.stringify(one).toLowerCase().includes(search.toLowerCase()),
        ),
        readAt: now,
        centerId: status.centerId,
      }),
    'cases.get': async () => fail(failureOf('notFound')),
    ...standInReportCalls({
      reports,
      summaries,
      awaited,
      onRead: () => changeStatus({ reportsUnread: status.reportsUnread - 1 }),
    }),
    'centers.list': async () =>
      succeed({
        items: STAND_IN_CENTERS,
        centerId: status.centerId,
        waiting: countCenters(submissions.values()),
      }),
    'centers.change': async ({ centerId }) => {
      changeStatus({ centerId })
      return succeed({ centerId })
    },
    'folders.tryProfile': async (input) => succeed(standInTrial(input)),
    'folders.countExisting': async ({ path, since }) => {
      const count = status.folders.find((one) => one.path === path)?.existingCount ?? 0
      return succeed({
        count,
        sinceCount: since === undefined ? null : Math.floor(count / 10),
        oldestAt: now - 300 * DAY,
        newestAt: now - HOUR,
      })
    },
    'folders.decideExisting': async ({ path }) => {
      changeStatus({
        folders: status.folders.map((one) => (one.path === path ? { ...one, health: 'watching' } : one)),
      })
      return succeed({})
    },
    'service.test': async ({ service }) =>
      succeed(service?.clientSecret === 'wrong' ? NOT_SIGNED_IN : SIGNED_IN),
    'settings.get': async () => succeed(settings),
    'settings.sources': async () => succeed(standInSources(settings)),
    'settings.update': async ({ service, ...changes }) => {
      settings = { ...settings, ...definedOnly(changes) }
      if (service) {
        const { clientSecret, ...rest } = service
        const hasClientSecret = clientSecret !== undefined || settings.service?.hasClientSecret === true
        settings = { ...settings, service: { ...rest, hasClientSecret } }
      }
      tell('settingsChanged', settings)
      return succeed(settings)
    },
  }

  const overrides: Partial<Record<keyof CallHandlers, unknown>> = {}
  const handlers = Object.fromEntries(
    Object.keys(own).map((name) => [
      name,
      (input: unknown) => {
        asked.push({ name, input })
        const handler = overrides[name as keyof CallHandlers] ?? own[name as keyof CallHandlers]
        return (handler as (given: unknown) => unknown)(input)
      },
    ]),
  ) as unknown as CallHandlers

  const station: Station = {
    handlers,
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    revision: () => revision,
    wakeUp: () => undefined,
    async bytes(kind, id) {
      if (kind === 'report') return reportFiles.get(id) ?? null
      const image = [...submissions.values()].flatMap(({ images }) => images).find((one) => one.id === id)
      return image ? files.fileOf(kind === 'thumbnail' ? kind : 'image', image) : null
    },
    saveUpload: keepInMemory,
    backUp: async () => succeed('none'),
    stop: async () => undefined,
  }
  return {
    station,
    submissions,
    tell,
    skipRevisions: (count) => {
      revision += count
    },
    changeStatus,
    changeSettings: (change) => {
      settings = { ...settings, ...change }
      tell('settingsChanged', settings)
    },
    changeSubmission,
    answerWith: (name, handler) => {
      overrides[name] = handler ?? undefined
    },
    asked,
  }
}
