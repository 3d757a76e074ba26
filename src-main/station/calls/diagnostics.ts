/** The diagnostics bundle: one text for support that a person can read first. Nothing in it identifies a patient. */
import { arch, availableParallelism, freemem, totalmem } from 'node:os'
import type { AuditEntry } from '../../../src-shared/contract.ts'
import type { Failure } from '../../../src-shared/failure.ts'
import type { Settings, SettingsSources, ShownSettings } from '../../../src-shared/settings.ts'
import { SUBMISSION_STATES } from '../../../src-shared/states.ts'
import type { FolderStatus, StationStatus } from '../../../src-shared/station-status.ts'
import type { StationParts } from '../api.ts'
import type { LogLine } from '../ports.ts'
import { askFreeBytes } from '../lib/files.ts'
import { isoWithOffset } from './csv-export.ts'
import { createRedactor, hostOfAddress, isOwnId, isProgramTerm, type Redactor } from './redact.ts'
import { settingsSources } from './settings.ts'

type Section = {
  readonly title: string
  readonly lines: readonly string[]
}

const OMISSIONS: readonly string[] = [
  'Values of patient fields, history numbers and ids of cases at the service.',
  'Names of files and folders: each is replaced by a mark such as #3fa2c1, the same for the same name in this text only.',
  "Initials (replaced by person-1 and so on) and reasons in a person's own words.",
  'What the service said in words, and everything it answered.',
  'Client id, client secret, tokens, and the name of this computer and its account.',
]

/** Facts whose values are terms of the program. */
const LOG_TERMS = new Set('error code kind failure why reason outcome call phase at'.split(' '))

/** Sentences of the program contain no path, quotation or file name. */
const PLAIN_SENTENCE = /^[a-z][\w ,;:'()-]{0,150}$/i

/** One log line; only values that are recognisably safe pass, so that one forgotten rule does not leak a name. */
export function redactLogLine(line: LogLine, redactor: Redactor): Readonly<Record<string, unknown>> {
  const facts = Object.entries(line.facts).map(([name, value]) => [
    name,
    typeof value !== 'string' || isOwnId(value) || (LOG_TERMS.has(name) && isProgramTerm(value))
      ? value
      : `left out ${redactor.pseudonym(value)}`,
  ])
  return {
    at: new Date(line.at).toISOString(),
    level: line.level,
    message: PLAIN_SENTENCE.test(line.message)
      ? line.message
      : `left out ${redactor.pseudonym(line.message)}`,
    // In a property of their own: a fact may share a name with one of the above.
    ...(facts.length > 0 && { facts: Object.fromEntries(facts) as Readonly<Record<string, unknown>> }),
  }
}

const instantOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** Details whose values are program terms or field names; all others may hold a person's text. */
const TRAIL_TERMS = new Set(
  'failure outcome reasons fields sections existing decision alarm noImageBecause'.split(' '),
)

/** Service ids are not names, but a service may build them from anything. */
const SERVICE_ID_NAMES = new Set(['caseId', 'caseIds', 'centerId', 'from', 'to'])

/** `from` and `to` are states, or centers if the case was moved. */
const STATE_NAMES: readonly string[] = SUBMISSION_STATES

/** One audit entry without the person, their text and the patient. */
export function redactTrailEntry(entry: AuditEntry, redactor: Redactor): Readonly<Record<string, unknown>> {
  const details = Object.entries(entry.details).map(([name, value]) => [
    name,
    redactDetail(name, value, redactor),
  ])
  return {
    at: new Date(entry.at).toISOString(),
    what: isProgramTerm(entry.what) ? entry.what : redactor.pseudonym(entry.what),
    submission: entry.submissionId !== null && isOwnId(entry.submissionId) ? entry.submissionId : null,
    by: entry.by === null ? null : redactor.person(entry.by),
    ...(details.length > 0 && { details: Object.fromEntries(details) as unknown }),
  }
}

function redactDetail(name: string, value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return value.map((one: unknown) => redactDetail(name, one, redactor))
  if (typeof value !== 'string') return 'left out'
  if (STATE_NAMES.includes(value)) return value
  // A service may build its ids as we build ours, so only the name of the detail distinguishes them.
  if (SERVICE_ID_NAMES.has(name)) return redactor.pseudonym(value)
  if (isOwnId(value)) return value
  return TRAIL_TERMS.has(name) && isProgramTerm(value) ? value : 'left out'
}

/** Enough to see what led to a problem, and still readable by a person. */
const MAX_LINES = 200

/** Failures are counted over this many attempts: weeks of a busy clinic, read in a moment. */
const MAX_ATTEMPTS = 2_000

export async function writeDiagnostics(
  parts: StationParts,
): Promise<{ readonly fileName: string; readonly text: string }> {
  const madeAt = isoWithOffset(parts.ports.clock.now())
  const sections = await createSections(parts, createRedactor())
  const minute = madeAt.slice(0, 16).replace('T', '-').replace(':', '')
  return { fileName: `fundus-courier-diagnostics-${minute}.txt`, text: formatBundle(madeAt, sections) }
}

function formatBundle(madeAt: string, sections: readonly Section[]): string {
  const parts = [
    `Fundus Courier diagnostics, ${madeAt}`,
    ['Left out of this text:', ...OMISSIONS.map((line) => `- ${line}`)].join('\n'),
    ...sections.map(({ title, lines }) =>
      [`== ${title} ==`, ...(lines.length > 0 ? lines : ['none'])].join('\n'),
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

async function createSections(parts: StationParts, redactor: Redactor): Promise<Section[]> {
  const { outbox, ports, settings } = parts
  const log = (await ports.recentLog?.()) ?? null
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions()
  const now = ports.clock.now()
  return [
    section('Program', {
      version: ports.version,
      host: ports.host,
      runtime: ports.runtime,
      node: process.versions.node,
      station: parts.stationId,
      runningForMinutes: Math.round(process.uptime() / 60),
      memoryBytes: process.memoryUsage.rss(),
    }),
    section('Computer', {
      system: `${ports.system}, ${arch()}`,
      processors: availableParallelism(),
      memoryBytes: totalmem(),
      freeMemoryBytes: freemem(),
      freeDiskBytes: await askFreeBytes(parts.dataFolder),
    }),
    section('Time', {
      now: isoWithOffset(now),
      timeZone,
      locale,
      offsetMinutes: -new Date(now).getTimezoneOffset(),
      clockAgainstService: parts.delivery()?.clockReading() ?? { kind: 'unknown' },
    }),
    section('Station', redactStatus(parts.status(), redactor)),
    {
      title: 'Cases by state',
      lines: outbox.stateAges().map(({ state, count, oldestAddedAt, unchangedSince }) => {
        if (oldestAddedAt === null || unchangedSince === null) return `${state}: ${count}`
        return `${state}: ${count}, the oldest of ${instantOrNull(oldestAddedAt)}, longest unchanged since ${instantOrNull(unchangedSince)}`
      }),
    },
    section('Outbox', outbox.outboxNumbers()),
    {
      title: 'Cases that cannot be read',
      lines: outbox
        .quarantined()
        .map(({ id, reference, state, unreadable }) => `${reference ?? id}: ${state}, ${unreadable}`),
    },
    {
      title: `What the latest ${MAX_ATTEMPTS} attempts came to`,
      lines: outbox
        .tallyAttempts(MAX_ATTEMPTS)
        .map(({ lastAt, ...tally }) => JSON.stringify({ ...tally, lastAt: instantOrNull(lastAt) })),
    },
    section('Settings', redactSettings(settings.current(), await settings.shown(), redactor)),
    { title: 'Where settings come from', lines: redactSources(await settingsSources(parts), redactor) },
    {
      title: `Log, the latest ${MAX_LINES} lines`,
      lines: log?.slice(-MAX_LINES).map((line) => JSON.stringify(redactLogLine(line, redactor))) ?? [
        'this host keeps none',
      ],
    },
    {
      title: `Trail, the latest ${MAX_LINES} lines, newest first`,
      lines: outbox
        .listAudit({ limit: MAX_LINES })
        .map((entry) => JSON.stringify(redactTrailEntry(entry, redactor))),
    },
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')
}

/** One line for each name; nested values as JSON. */
function section(title: string, values: Readonly<Record<string, unknown>>): Section {
  return { title, lines: Object.entries(values).map(([name, value]) => `${name}: ${textOf(value)}`) }
}

/** The status of the station, in terms and counts of the program only. */
function redactStatus(status: StationStatus, redactor: Redactor): Readonly<Record<string, unknown>> {
  const { service, patientList } = status
  return {
    mode: status.mode,
    service: {
      health: service.health,
      since: instantOrNull(service.since),
      failure: redactFailure(service.failure),
      nextTryAt: instantOrNull(service.nextTryAt),
      lastSuccessAt: instantOrNull(service.lastSuccessAt),
    },
    lastSentAt: instantOrNull(status.lastSentAt),
    storage: redactFailure(status.storage),
    clock: redactFailure(status.clock),
    alarms: status.alarms.map(({ kind, raisedAt }) => ({ kind, raisedAt: instantOrNull(raisedAt) })),
    reportsUnread: status.reportsUnread,
    patientList: {
      kind: patientList.kind,
      patients: patientList.patients,
      readAt: instantOrNull(patientList.readAt),
    },
    folders: status.folders.map((folder) => redactFolder(folder, redactor)),
  }
}

/** Only the kind of failure: its sentence may name a folder, and the service's own text may name a patient. */
function redactFailure(failure: Failure | null): Readonly<Record<string, unknown>> | null {
  if (failure === null) return null
  const { kind, status, requestBytes, notBefore, endedBy } = failure
  return { kind, status, requestBytes, notBefore: instantOrNull(notBefore ?? null), endedBy }
}

function redactFolder(folder: FolderStatus, redactor: Redactor): Readonly<Record<string, unknown>> {
  return {
    path: redactor.path(folder.path),
    health: folder.health,
    since: instantOrNull(folder.since),
    lastSweepAt: instantOrNull(folder.lastSweepAt),
    lastImageAt: instantOrNull(folder.lastImageAt),
    guard: folder.guard,
    existingCount: folder.existingCount,
    failure: redactFailure(folder.failure),
    filesLeftAside: folder.noteCounts,
    latestLeftAside: folder.notes.map(
      ({ kind, fileName, at }) => `${kind} ${redactor.file(fileName)} ${String(instantOrNull(at))}`,
    ),
  }
}

/** The administrator's files with their results, then the name of every value that is not built in; no text of a clinic. */
function redactSources({ items, files, secretsKept }: SettingsSources, redactor: Redactor): string[] {
  const stated = items
    .filter(({ source }) => source !== 'builtIn')
    .map(({ name, source, isLocked }) => `${generalName(name)}: ${source}${isLocked ? ', locked' : ''}`)
  return [
    `secrets are kept: ${secretsKept}`,
    ...files.map(({ kind, path, state, inForce, unknownNames }) =>
      JSON.stringify({ kind, path: redactor.path(path), state, inForce, unknownNames: unknownNames.length }),
    ),
    ...new Set(stated),
    'all else is built in',
  ]
}

/** The headings of a clinic's data files are names within the settings, but belong to the clinic. */
function generalName(name: string): string {
  return name.replace(/^((?:patientList|folders\.\d+)\.columns)\..*$/s, '$1')
}

/** The settings without secrets and without text that a person wrote; addresses as hosts, folders as pseudonyms. */
function redactSettings(
  settings: Settings,
  shown: Pick<ShownSettings, 'managed' | 'service'>,
  redactor: Redactor,
): Readonly<Record<string, unknown>> {
  const { service, patientList, reports } = settings
  return {
    managed: shown.managed,
    setup: settings.setup,
    service: service
      ? {
          host: hostOfAddress(service.baseUrl),
          hasClientId: service.clientId !== '',
          hasClientSecret: shown.service?.hasClientSecret ?? false,
          callbackHost: service.callbackUrl === null ? null : hostOfAddress(service.callbackUrl),
          referenceField: service.referenceField,
        }
      : null,
    center: settings.centerId === null ? null : redactor.pseudonym(settings.centerId),
    folders: settings.folders.map(({ path, confirmedProfiles, columns, leaveAlone, eyeWords, ...rest }) => ({
      path: redactor.path(path),
      profiles: confirmedProfiles.length,
      namedColumns: Object.keys(columns).length,
      ignoredTerms: leaveAlone.length,
      eyeWords: eyeWords.right.length + eyeWords.left.length,
      ...plainValues(rest),
    })),
    requiredFields: settings.requiredFields,
    requireBothEyes: settings.requireBothEyes,
    patientList: patientList && {
      path: redactor.path(patientList.path),
      dateOrder: patientList.dateOrder,
      namedColumns: Object.keys(patientList.columns).length,
    },
    delivery: plainValues(settings.delivery),
    reports: {
      checkSeconds: reports.checkSeconds,
      saveTo: reports.saveTo === null ? null : redactor.path(reports.saveTo),
    },
    storage: plainValues(settings.storage),
    clinical: plainValues(settings.clinical),
    notifications: plainValues({ ...settings.notifications, quiet: settings.notifications.quiet !== null }),
    screens: plainValues(settings.screens),
    desktop: plainValues(settings.desktop),
    updates: {
      feedHost: settings.updates.feed === null ? null : hostOfAddress(settings.updates.feed),
      install: settings.updates.install,
    },
  }
}

/** Numbers, choices and days. A text setting stays covered until it is allowed here explicitly. */
function plainValues(section: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(section).map(([name, value]) => [
      name,
      typeof value === 'string' && !isProgramTerm(value) && !/^\d{4}-\d\d-\d\d$/.test(value)
        ? 'left out'
        : value,
    ]),
  )
}
