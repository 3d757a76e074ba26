/**
 * The same clinics, written as real files into the folders of a headless station: what the station then shows is scored
 * as in process, and what arrived at the service is compared with what was shown.
 *
 * The clock of a clinic is compressed. What lies within the quiet time of another file is written at once; a longer
 * pause is one quiet time of the station. All clinics of a round write and wait together.
 */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CallOutput } from '../../src-shared/contract.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { writeAsCamera } from '../camera/write-as-camera.ts'
import { openPracticeService, type PracticeService } from '../practice-service/practice-service.ts'
import { type StationProcess, startStation } from '../station-process/start-station.ts'
import { allConventions } from './all-conventions.ts'
import { conventionOf, drawClinic, VISITS_PER_CLINIC } from './clinic.ts'
import type { Convention, VisitsOptions } from './convention.ts'
import { attend, beginExamination, conclude, type Examination, observe } from './examine.ts'
import { archiveEntry, archiveOf, bytesOf } from './file-bytes.ts'
import { Scores } from './score.ts'
import { alarmNote, fieldsOf, shownCase } from './shown-case.ts'
import type { Corrections, ExaminedCase, ExaminedNote, ExaminedStation } from './station.ts'
import { type Clinic, type FileEvent, QUIET_MS } from './world.ts'

const [SETTLE_SECONDS, QUIET_SECONDS] = [0.2, 4]
/** Files that are about to be written over are in cases within a second, but for the first ones after a start. */
const MOST_READ_MS = 20_000
const REST_WITHIN_MS = 60_000
const CLINICS_AT_A_TIME = 24
const HOUR_MS = 3_600_000
const HOURS_BACK_MS = 11 * HOUR_MS
/**
 * The clinics have a zone in which it is evening now, or as near to it as zones are: retinas are photographed by day, and the
 * time of a picture at night is a number like others.
 */
const EVENING = 20
const ZONE_HOURS = Math.min(14, EVENING - new Date().getUTCHours())
const ZONE_MS = ZONE_HOURS * HOUR_MS
const PAGE = 1_000

export type ViaStationResult = {
  readonly scores: Scores
  /** Cases that the service holds, and those of them whose fields or eyes are not those that the station showed. */
  readonly arrived: number
  readonly otherwise: readonly string[]
  /** Rounds in which the station did not come to rest in time. */
  readonly restless: number
}

export type ViaStationOptions = {
  readonly seed: number
  readonly visits: number
  readonly isIncluded: (convention: Convention) => boolean
  /** These and no others, by their numbers. */
  readonly clinics?: readonly number[] | undefined
  readonly onRound: (line: string) => void
}

/** Examines so many visits through stations, a number of clinics at a time. */
export async function runViaStation(options: ViaStationOptions): Promise<ViaStationResult> {
  const { seed, onRound } = options
  const scores = new Scores(seed)
  const result = { arrived: 0, otherwise: [] as string[], restless: 0 }
  const numbers = options.clinics ?? clinicNumbers(options)
  for (let first = 0; first < numbers.length; first += CLINICS_AT_A_TIME) {
    const part = numbers.slice(first, first + CLINICS_AT_A_TIME)
    const found = await examineTogether(seed, part, scores)
    result.arrived += found.arrived
    result.otherwise.push(...found.otherwise)
    result.restless += found.restless
    onRound(`${first + part.length} of ${numbers.length} clinics, ${found.arrived} cases arrived`)
  }
  return { scores, ...result }
}

/** The clinics of a run; a short one does not always have the same conventions. */
function clinicNumbers({ seed, visits, isIncluded }: ViaStationOptions): number[] {
  const count = Math.ceil(visits / VISITS_PER_CLINIC)
  const included = allConventions.flatMap((convention, index) => (isIncluded(convention) ? [index] : []))
  if (included.length === 0) return []
  const start = seed % included.length
  return Array.from({ length: count }, (_, at) => {
    const position = start + at
    const turn = Math.floor(position / included.length)
    return turn * allConventions.length + included[position % included.length]!
  })
}

/** One clinic with its folder; `shown` is what the station showed of it last. */
type LiveClinic = {
  readonly number: number
  readonly clinic: Clinic
  readonly folder: string
  readonly examination: Examination
  /** Those that are not written yet. */
  readonly bursts: Burst[]
  readonly actions: ((station: StationProcess) => Promise<void>)[]
  /** The images of the last burst. */
  written: readonly string[]
  shown: readonly ExaminedCase[]
  notes: readonly ExaminedNote[]
}

/** Files that are written one after another; the person looks at the screen before the next burst unless it only waits for a file to be read. */
type Burst = { readonly events: readonly FileEvent[]; readonly before: 'quiet' | 'rewrite' }

function burstsOf(events: readonly FileEvent[]): Burst[] {
  const bursts: { events: FileEvent[]; before: Burst['before'] }[] = []
  let lastMs = Number.NEGATIVE_INFINITY
  let paths = new Set<string>()
  for (const event of events) {
    const isPause = event.atMs - lastMs > QUIET_MS + 20_000
    if (isPause || (paths.has(event.path) && archiveEntry(event.path) === null)) {
      bursts.push({ events: [], before: isPause ? 'quiet' : 'rewrite' })
      paths = new Set()
    }
    bursts.at(-1)!.events.push(event)
    paths.add(event.path)
    lastMs = event.atMs
  }
  return bursts
}

async function examineTogether(seed: number, numbers: readonly number[], scores: Scores) {
  const root = await mkdtemp(join(tmpdir(), 'fundus-courier-clinical-'))
  const service = await openPracticeService({ answerDelayMs: 5, reportDelayMs: 3_600_000 })
  const today = { beginsMs: Date.now() + ZONE_MS - HOURS_BACK_MS, zoneHours: ZONE_HOURS }
  const lives = numbers.map((number) => openLive(root, seed, number, today))
  let station: StationProcess | null = null
  let restless = 0
  try {
    await Promise.all(lives.map(({ folder }) => mkdir(folder, { recursive: true })))
    station = await startOn(root, service, lives)
    const ids = new Map<string, { readonly live: LiveClinic; readonly bytes: string }>()
    const checkAll = async (at: StationProcess): Promise<void> => {
      if (!(await rest(at))) restless += 1
      await show(at, lives, ids)
      for (const live of lives) await attendLive(live, at)
    }
    await Promise.all(lives.map((live) => writeBurst(live, ids)))
    while (lives.some(({ bursts }) => bursts.length > 0)) {
      // A clinic whose next burst only waits for a file to be read must not wait for the quiet time, and others must.
      const rewriting = lives.filter(({ bursts: [next] }) => next?.before === 'rewrite')
      if (rewriting.length > 0) await read(station, rewriting, ids)
      else await checkAll(station)
      await Promise.all((rewriting.length > 0 ? rewriting : lives).map((live) => writeBurst(live, ids)))
    }
    await checkAll(station)
    // What was approved last is on its way.
    if (!(await rest(station))) restless += 1
    const submissions = await show(station, lives, ids)
    for (const { clinic, examination, number } of lives) {
      conclude(examination)
      const convention = conventionOf(allConventions, number)
      scores.add(convention, clinic, number * VISITS_PER_CLINIC, examination.visits)
    }
    return { ...compareArrived(service, submissions), restless }
  } finally {
    await station?.stop()
    await service.close()
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

function openLive(root: string, seed: number, number: number, today: VisitsOptions['today']): LiveClinic {
  const clinic = drawClinic(conventionOf(allConventions, number), seed, number, { today })
  const live: { shown: readonly ExaminedCase[]; notes: readonly ExaminedNote[] } = { shown: [], notes: [] }
  const actions: LiveClinic['actions'] = []
  const facade: ExaminedStation = {
    arrive: () => {},
    advance: () => {},
    cases: () => live.shown,
    notes: () => live.notes,
    answer: (key, corrections) =>
      void actions.push((station) => update(station, live.shown, key, corrections, false)),
    approve: (key, corrections) =>
      void actions.push(async (station) => {
        if (corrections !== null) await update(station, live.shown, key, corrections, true)
        await station.ask('submissions.approve', { ids: [key], by: 'AB' })
      }),
    offers: () => [],
    confirm: () => {},
  }
  const examination = beginExamination(clinic, facade)
  const folder = join(root, 'folders', `c${number}`)
  return Object.assign(live, {
    number,
    clinic,
    folder,
    examination,
    bursts: burstsOf(clinic.events),
    actions,
    written: [],
  })
}

async function update(
  station: StationProcess,
  shown: readonly ExaminedCase[],
  key: string,
  corrections: Corrections,
  mayLeave: boolean,
): Promise<void> {
  const { images } = await station.value('submissions.get', { id: key })
  const pictures = shown.find((examined) => examined.key === key)?.pictures ?? []
  await station.ask('submissions.update', {
    id: key,
    by: 'AB',
    mayLeave,
    fields: fieldsOf(corrections),
    images: images.flatMap(({ id, fileName }) => {
      const picture = pictures.find(({ path }) => path === fileName)
      const eye = picture && corrections.eyes?.[picture.bytes]
      return eye === undefined ? [] : [{ id, eye }]
    }),
  })
}

function startOn(
  root: string,
  service: PracticeService,
  lives: readonly LiveClinic[],
): Promise<StationProcess> {
  return startStation({
    dataFolder: join(root, 'station'),
    // The signs of these zones are those of POSIX: 11 hours ahead of UTC are GMT-11.
    environment: { TZ: `Etc/GMT${ZONE_HOURS < 0 ? '+' : '-'}${Math.abs(ZONE_HOURS)}` },
    config: {
      service: service.account,
      centerId: '101',
      folders: lives.map(({ folder }) => ({
        path: folder,
        settleSeconds: SETTLE_SECONDS,
        quietSeconds: QUIET_SECONDS,
        sweepSeconds: 1,
        sendWithoutReview: true,
        existing: 'include' as const,
      })),
      storage: { lowWaterBytes: 0, ballastBytes: 0 },
    },
  })
}

type Ids = Map<string, { readonly live: LiveClinic; readonly bytes: string }>

async function writeBurst(live: LiveClinic, ids: Ids): Promise<void> {
  // Drawn first, so that drawing on a busy machine is no pause of the camera.
  const files: { readonly event: FileEvent; readonly bytes: Buffer }[] = []
  for (const event of live.bursts.shift()?.events ?? []) {
    const { content } = event
    const truth = content.kind === 'picture' ? live.clinic.pictures.get(content.bytes) : undefined
    const bytes = await bytesOf(event, truth?.eye ?? 'right', String(live.number))
    if (content.kind === 'picture')
      ids.set(createHash('sha256').update(bytes).digest('hex'), { live, bytes: content.bytes })
    files.push({ event, bytes })
  }
  live.written = files.flatMap(({ event: { content } }) =>
    content.kind === 'picture' ? [content.bytes] : [],
  )
  const archives = new Map<string, { readonly entry: string; readonly bytes: Buffer }[]>()
  const times = new Map<string, number>()
  for (const { event, bytes } of files) {
    const packed = archiveEntry(event.path)
    const path = packed?.archive ?? event.path
    times.set(path, Math.min(event.mtimeMs - ZONE_MS, Date.now()))
    if (packed === null)
      await writeAsCamera(join(live.folder, path), bytes, 'at once', new Date(times.get(path)!))
    else archives.set(path, [...(archives.get(path) ?? []), { entry: packed.entry, bytes }])
  }
  for (const [path, entries] of archives)
    await writeAsCamera(
      join(live.folder, path),
      await archiveOf(entries),
      'at once',
      new Date(times.get(path)!),
    )
}

/** Waits until the images that these clinics wrote last are in cases: what is written over before is lost. */
async function read(station: StationProcess, lives: readonly LiveClinic[], ids: Ids): Promise<void> {
  const end = performance.now() + MOST_READ_MS
  await pause(SETTLE_SECONDS * 1_000)
  while (performance.now() < end) {
    const { items } = await station.value('submissions.list', { limit: PAGE })
    const taken = items.flatMap(({ images }) => images.flatMap(({ sha256 }) => ids.get(sha256) ?? []))
    const isTaken = (live: LiveClinic, bytes: string): boolean =>
      taken.some((one) => one.live === live && one.bytes === bytes)
    if (lives.every((live) => live.written.every((bytes) => isTaken(live, bytes)))) return
    await pause(100)
  }
}

/** Waits until no file and no case is on its way; false if it takes too long. */
async function rest(station: StationProcess): Promise<boolean> {
  const end = performance.now() + REST_WITHIN_MS
  let before = ''
  await pause((SETTLE_SECONDS + QUIET_SECONDS) * 1_000)
  while (performance.now() < end) {
    await pause(1_000)
    const { counts, folders } = await station.value('station.status')
    const arriving = folders.flatMap(({ notes }) => notes.filter(({ kind }) => kind === 'arriving')).length
    const now = JSON.stringify([counts, arriving])
    const isBusy = counts.collecting > 0 || counts.waiting > 0 || counts.sending > 0
    if (!isBusy && now === before) return true
    before = now
  }
  return false
}

/** Reads every case and note, and gives each to its clinic. */
async function show(
  station: StationProcess,
  lives: readonly LiveClinic[],
  ids: Ids,
): Promise<readonly Submission[]> {
  const { items } = await station.value('submissions.list', { limit: PAGE })
  const { folders, alarms } = await station.value('station.status')
  const shown = new Map<LiveClinic, ExaminedCase[]>(lives.map((live) => [live, []]))
  for (const submission of items) {
    const live = submission.images.map(({ sha256 }) => ids.get(sha256)?.live).find(Boolean)
    if (live === undefined || submission.state === 'discarded') continue
    const before = live.shown.find(({ key }) => key === submission.id)
    const isApproved = live.examination.approved.has(submission.id)
    const examined = shownCase(submission, isApproved, ({ sha256 }) => ids.get(sha256)?.bytes)
    const isUnchanged = before !== undefined && JSON.stringify(before) === JSON.stringify(examined)
    shown.get(live)!.push(isUnchanged ? before : examined)
  }
  for (const live of lives) {
    live.shown = shown.get(live)!
    const raised = alarms.filter(({ submissionId }) => live.shown.some(({ key }) => key === submissionId))
    live.notes = [...notesOf(folders.find(({ path }) => path === live.folder)), ...raised.map(alarmNote)]
    observe(live.examination)
  }
  return items
}

function notesOf(folder: CallOutput<'station.status'>['folders'][number] | undefined): ExaminedNote[] {
  return (folder?.notes ?? []).map(({ fileName, message }) => ({
    text: message,
    path: fileName,
    bytes: null,
    caseKey: null,
  }))
}

async function attendLive(live: LiveClinic, station: StationProcess): Promise<void> {
  await attend(live.examination)
  for (const action of live.actions.splice(0)) await action(station)
}

/** What the service holds against what the station shows of the same case. */
function compareArrived(service: PracticeService, submissions: readonly Submission[]) {
  const cases = service.cases()
  const otherwise = cases.flatMap(({ id, fields, images }) => {
    const shown = submissions.find(({ caseId }) => caseId === String(id))
    if (shown === undefined) return [`case ${id} is of no submission`]
    const sent = shown.images.filter(
      ({ twinOf, excludedBecause }) => twinOf === null && excludedBecause === null,
    )
    const faults: string[] = []
    for (const name of ['history_number', 'last_name', 'first_name', 'visit_date'] as const)
      if ((fields[name] ?? '') !== (shown.fields[name] ?? ''))
        faults.push(`${shown.reference}: ${name} ${fields[name]} instead of ${shown.fields[name]}`)
    for (const image of sent) {
      const arrived = images.find(({ sha256 }) => sha256 === (image.sentAs ?? image).sha256)
      const code = { right: '_OD_', left: '_OS_', unknown: '_' }[image.eye]
      if (arrived === undefined || !arrived.fileName.includes(code))
        faults.push(`${shown.reference}: ${image.fileName} (${image.eye}) arrived as ${arrived?.fileName}`)
    }
    if (images.length !== sent.length) faults.push(`${shown.reference}: ${images.length} images arrived`)
    return faults
  })
  return { arrived: cases.length, otherwise }
}
