/**
 * The diagnostics bundle: one text for support that a person can read first. Nothing in it identifies a patient.
 *
 * Only values that are recognisably safe pass, so that one forgotten rule does not leak a name. Within one bundle the
 * same text gets the same pseudonym, so that lines can be correlated. Two bundles do not match, and names cannot be found
 * by guessing, because the salt is discarded.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { arch, availableParallelism, freemem, totalmem } from 'node:os'
import type { AuditEntry } from '../../../src-shared/alarms.ts'
import type { About } from '../../../src-shared/desktop.ts'
import { succeed } from '../../../src-shared/failure.ts'
import type { SettingsSources } from '../../../src-shared/setting-sources.ts'
import { SUBMISSION_STATES } from '../../../src-shared/states.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import type { LogLine } from '../ports.ts'
import { askFreeBytes } from '../lib/files.ts'
import { isoWithOffset } from './oversight.ts'
import { settingsSources } from './settings.ts'

type Section = {
  readonly title: string
  readonly lines: readonly string[]
}

type Values = Readonly<Record<string, unknown>>

const OMISSIONS: readonly string[] = [
  'Values of patient fields, history numbers and ids of cases at the service.',
  'Names of files and folders: each is replaced by a mark such as #3fa2c1, the same for the same name in this text only.',
  "Initials (replaced by person-1 and so on) and reasons in a person's own words.",
  'What the service said in words, and everything it answered.',
  'Client id, client secret, tokens, and the name of this computer and its account.',
]

const namesOf = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Facts of the log whose values are terms of the program; here a `why` is one. */
const LOG_TERMS = namesOf('error code kind failure why reason outcome call phase at')

/** The same of the status and the settings. */
const STATE_TERMS = namesOf(
  'kind why host health guard endedBy state inForce setup requiredFields referenceField dateOrder nameOrder firstReviews ' +
    'watching existing dicom lease vaUnit prismBase needsPerson folderUnreachable sendingStopped reports ' +
    'urgentInQuiet startAtLogin install',
)

/** The same of the trail, and names of fields; all other details may hold a person's text. */
const TRAIL_TERMS = namesOf(
  'what failure outcome reasons fields sections existing decision alarm noImageBecause',
)

/** Service ids are not names, but a service may build them from anything, also as we build ours. */
const SERVICE_IDS = namesOf('caseId caseIds centerId clientId from to')
const PATHS = namesOf('path saveTo')
const ADDRESSES = namesOf('baseUrl callbackUrl feed')

/** Lists of the clinic's own words: only how many there are. */
const COUNTED = namesOf('columns leaveAlone right left confirmedProfiles unknownNames')

/** Sentences, which may quote a file or a patient. */
const SENTENCES = namesOf('message wording serviceSaid')
const INSTANT = /(?:^at|At|^since|^until|^now|^notBefore)$/

/** `from` and `to` are states, or centers if the case was moved. */
const STATE_NAMES: readonly string[] = SUBMISSION_STATES

/** Sentences of the program contain no path, quotation or file name. */
const PLAIN_SENTENCE = /^[a-z][\w ,;:'()-]{0,150}$/i

/** Extensions that only state a file type; any other may be part of a name. */
const FILE_EXTENSIONS = namesOf(
  'jpg jpeg png tif tiff bmp jp2 dcm dicom zip pdf json csv xml txt html log tmp part',
)

export type Redactor = ReturnType<typeof createRedactor>

/** Replaces text that may name a person by pseudonyms. */
export function createRedactor(salt: Buffer = randomBytes(16)) {
  const people = new Map<string, string>()
  /** `#3fa2c1`, the same for the same text. */
  const pseudonym = (text: string): string =>
    `#${createHmac('sha256', salt).update(text).digest('hex').slice(0, 6)}`
  const leftOut = (text: string): string => `left out ${pseudonym(text)}`
  /** `jpg #3fa2c1`. */
  const file = (name: string): string => {
    const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
    return `${FILE_EXTENSIONS.has(extension) ? extension : 'file'} ${pseudonym(name)}`
  }
  /** `drive C, 3 levels, #3fa2c1`: enough to distinguish folders and to see what kind of path it is. */
  const path = (whole: string): string => {
    const levels = whole.split(/[\\/]+/).filter((part) => part !== '' && !/^[a-z]:$/i.test(part)).length
    return `${describeRoot(whole)}, ${levels} ${levels === 1 ? 'level' : 'levels'}, ${pseudonym(whole)}`
  }
  /** `person-1` for the first person. */
  const person = (initials: string): string => {
    const key = initials.trim().toLowerCase()
    const pseudonymOfPerson = people.get(key) ?? `person-${people.size + 1}`
    people.set(key, pseudonymOfPerson)
    return pseudonymOfPerson
  }
  const redactText = (name: string, text: string, terms: ReadonlySet<string>): string => {
    if (text === '' || STATE_NAMES.includes(text)) return text
    if (SERVICE_IDS.has(name)) return pseudonym(text)
    if (PATHS.has(name)) return path(text)
    if (ADDRESSES.has(name)) return hostOfAddress(text)
    if (name === 'fileName') return file(text)
    if (name === 'by') return person(text)
    if (name === 'existingSince') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : leftOut(text)
    return isOwnId(text) || (terms.has(name) && isProgramTerm(text)) ? text : leftOut(text)
  }
  /** The value of this name; whatever has no rule is left out. */
  const redact = (name: string, value: unknown, terms: ReadonlySet<string>): unknown => {
    if (typeof value === 'boolean' || value === null) return value
    if (typeof value === 'number') return INSTANT.test(name) ? instantOr(value) : value
    if (SENTENCES.has(name)) return undefined
    if (typeof value === 'string') return redactText(name, value, terms)
    if (COUNTED.has(name)) return Object.keys(value ?? {}).length
    if (Array.isArray(value)) return value.map((one: unknown) => redact(name, one, terms))
    return typeof value === 'object' ? redactAll(value, terms) : undefined
  }
  const redactAll = (values: object, terms: ReadonlySet<string>): Values =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]: [string, unknown]) => [name, redact(name, value, terms)]),
    )
  return { path, leftOut, redactAll }
}

function instantOr(value: number): string | number {
  return value > 1e11 && value < 8e15 ? new Date(value).toISOString() : value
}

function describeRoot(path: string): string {
  if (/^[\\/]{2}[^\\/]/.test(path)) return 'network share'
  const drive = /^([a-z]):/i.exec(path)?.[1]
  if (drive !== undefined) return `drive ${drive.toUpperCase()}`
  return path.startsWith('/') ? 'path' : 'relative path'
}

/** The host and port of an address; the rest may contain a secret. */
function hostOfAddress(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'no address'
}

/** True for a term of the program, such as `notAnswering` or `ECONNRESET`: no sentence, path, day, or name with spaces. */
function isProgramTerm(text: string): boolean {
  return /^[a-z][\w.:-]{0,60}$/i.test(text)
}

/** True for an id made by a station: a UUID. */
function isOwnId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

export function diagnosticsCalls(parts: StationParts) {
  return {
    'station.about': async () => succeed(await aboutStation(parts)),
    'station.diagnostics': async () => succeed(await writeDiagnostics(parts)),
  } satisfies Partial<CallHandlers>
}

/** The address of a proxy without its credentials, even if the password contains a slash. Pure. */
export function stripCredentials(proxy: string): string {
  return proxy.replace(/^([a-z][\w+.-]*:\/\/)?(?:.*@)?([^/?#]*).*$/is, '$1$2')
}

async function aboutStation(
  parts: Pick<StationParts, 'ports' | 'settings' | 'stationId' | 'dataFolder' | 'protection'>,
): Promise<About> {
  const { host, version, system, runtime, proxies, startAtLogin } = parts.ports
  const address = parts.settings.current().service?.baseUrl
  // Plain http stays on this machine and never goes through a proxy.
  const proxy = address?.startsWith('https:') ? await proxies.proxyFor(address) : null
  return {
    version,
    host,
    stationId: parts.stationId,
    system,
    runtime,
    dataFolder: parts.dataFolder,
    protection: { ...parts.protection, disk: await parts.protection.disk },
    secretsKept: await parts.ports.secrets.storedIn(),
    proxy: proxy === null ? null : stripCredentials(proxy),
    startAtLogin: startAtLogin?.() ?? null,
  }
}

/** One log line. Its facts have a property of their own: one may share a name with another property. */
export function redactLogLine({ at, level, message, facts }: LogLine, redactor: Redactor): Values {
  return {
    at: new Date(at).toISOString(),
    level,
    message: PLAIN_SENTENCE.test(message) ? message : redactor.leftOut(message),
    ...(Object.keys(facts).length > 0 && { facts: redactor.redactAll(facts, LOG_TERMS) }),
  }
}

/** One audit entry without the person, their text and the patient. */
export function redactTrailEntry(
  { details, reference: _reference, ...entry }: AuditEntry,
  redactor: Redactor,
): Values {
  // The names inside a detail may be anything.
  const flat = Object.entries(details).filter(([, value]) =>
    Array.isArray(value) ? !value.some(isObject) : !isObject(value),
  )
  return redactor.redactAll({ ...entry, details: Object.fromEntries(flat) }, TRAIL_TERMS)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
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
  const { managed, ...shown } = await settings.shown()
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
    section('Station', redactor.redactAll(parts.status(), STATE_TERMS)),
    {
      title: 'Cases by state',
      lines: outbox.stateAges().map(({ state, count, oldestAddedAt, unchangedSince }) => {
        if (oldestAddedAt === null || unchangedSince === null) return `${state}: ${count}`
        return `${state}: ${count}, the oldest of ${instantOr(oldestAddedAt)}, longest unchanged since ${instantOr(unchangedSince)}`
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
        .map(({ lastAt, ...tally }) =>
          JSON.stringify({ ...tally, lastAt: lastAt === null ? null : instantOr(lastAt) }),
        ),
    },
    section('Settings', { managed, ...redactor.redactAll(shown, STATE_TERMS) }),
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
function section(title: string, values: Values): Section {
  return { title, lines: Object.entries(values).map(([name, value]) => `${name}: ${textOf(value)}`) }
}

/** The administrator's files with their results, then the name of every value that is not built in; no text of a clinic. */
function redactSources({ items, files, secretsKept }: SettingsSources, redactor: Redactor): string[] {
  const stated = items
    .filter(({ source }) => source !== 'builtIn')
    .map(({ name, source, isLocked }) => `${generalName(name)}: ${source}${isLocked ? ', locked' : ''}`)
  return [
    `secrets are kept: ${secretsKept}`,
    ...files.map((file) => JSON.stringify(redactor.redactAll(file, STATE_TERMS))),
    ...new Set(stated),
    'all else is built in',
  ]
}

/** The headings of a clinic's data files are names within the settings, but belong to the clinic. */
function generalName(name: string): string {
  return name.replace(/^((?:patientList|folders\.\d+)\.columns)\..*$/s, '$1')
}
