/**
 * A naming convention: how a clinic draws its own spelling of it, and how it then writes a visit.
 *
 * *Plain* means that any person who reads the folder knows patient, day and eye of every picture; a picture for which
 * that is not so (one eye only, with a letter) says so in its facts, and asking about it is right. A *trap* is a
 * convention in which a hasty reader errs, or in which nothing can be known: a question is always right there, a wrong
 * answer never.
 */
import { Draw } from './draw.ts'
import { drawPerson } from './people.ts'
import { plainNumbers, type Numbering } from './ids.ts'
import { uid } from './sources.ts'
import type {
  DataFile,
  DicomHeader,
  Eye,
  Facts,
  FileEvent,
  Person,
  PictureFormat,
  PictureTruth,
  Shot,
  TextEncoding,
  Visit,
} from './world.ts'

export type Kind = 'plain' | 'trap'

/** What has to leave unseen: with no profile at all, or with the one that the station offers; null asks for nothing. */
export type HandsFree = 'without profile' | 'with profile' | null

export type Convention = {
  readonly name: string
  readonly kind: Kind
  /** A public text that shows its use; null for one that only a clinic's habits suggest. */
  readonly source: string | null
  readonly handsFree: HandsFree
  /** Draws one clinic's spelling. */
  readonly style: (draw: Draw) => Style
}

/** One clinic's spelling of a convention. */
export type Style = {
  /** What a reader knows of each picture, unless a picture says otherwise. */
  readonly facts: Facts
  /** The clinic's numbers; by default six to eight digits. */
  readonly numbering?: Numbering
  /** Who comes next; by default a person with a plain name, now and then one who was here on another day. */
  readonly person?: (draw: Draw, index: number, earlier: readonly Visit[]) => Person
  /** Minutes from the end of a visit to the start of the next, lowest and highest; negative ones overlap. */
  readonly minutesBetween?: readonly [number, number]
  /** How many photographs of an eye, lowest and highest. */
  readonly perEye?: readonly [number, number]
  /** How many visits show one eye only, 0 to 1. */
  readonly oneEyed?: number
  /** Seconds between two photographs, lowest and highest. */
  readonly secondsBetween?: readonly [number, number]
  /** The day of the photographs, if it is not that of the files: an older visit that is exported now. */
  readonly examDay?: (draw: Draw, day: string) => string
  /** No person comes twice: names without a day would mean two visits. */
  readonly isEachOnce?: boolean
  /** All visits of the clinic on one day. */
  readonly isOneDay?: boolean
  readonly write: (visit: Visit, folder: Folder) => void
}

/** x. */
export type PictureOptions = {
  readonly format?: PictureFormat
  readonly dicom?: DicomHeader | null
  readonly facts?: Partial<Facts>
  readonly atMs?: number
  readonly mtimeMs?: number
  /** For a second file of the same photograph, or of the same bytes. */
  readonly photograph?: string
  readonly bytes?: string
  readonly isDamaged?: boolean
}

/** The watched folder that a convention writes into. */
export class Folder {
  readonly draw: Draw
  readonly events: FileEvent[] = []
  readonly pictures = new Map<string, PictureTruth>()
  readonly contradicted = new Set<number>()
  readonly #facts: Facts
  #files = 0

  constructor(draw: Draw, facts: Facts) {
    this.draw = draw
    this.#facts = facts
  }

  /** Writes a picture, and answers with the id of its bytes, which is also that of a new photograph. */
  picture(visit: Visit, shot: Shot, path: string, options: PictureOptions = {}): string {
    const { format = formatOf(path), dicom = null, isDamaged = false, atMs = shot.atMs } = options
    this.#files += 1
    const bytes = options.bytes ?? `p${this.#files}`
    const photograph = options.photograph ?? bytes
    const facts = options.facts === undefined ? this.#facts : { ...this.#facts, ...options.facts }
    const content = { kind: 'picture', bytes, photograph, format, dicom, isDamaged } as const
    this.events.push({ atMs, path, mtimeMs: options.mtimeMs ?? atMs, content })
    if (!this.pictures.has(bytes)) {
      const truth = { path, bytes, photograph, visit: visit.index, eye: shot.eye, facts, isDamaged }
      this.pictures.set(bytes, truth)
    }
    return bytes
  }

  /** The files written so far were sent with good reason, and what follows says otherwise. */
  contradict(visit: Visit): void {
    this.contradicted.add(visit.index)
  }

  data(path: string, text: string, atMs: number, encoding: TextEncoding = 'utf8'): void {
    const content: DataFile = { kind: 'data', text, encoding }
    this.events.push({ atMs, path, mtimeMs: atMs, content })
  }
}

const FORMATS: Readonly<Record<string, PictureFormat>> = {
  jpg: 'jpeg',
  jpeg: 'jpeg',
  png: 'png',
  tif: 'tiff',
  tiff: 'tiff',
  bmp: 'bmp',
}

function formatOf(path: string): PictureFormat {
  return FORMATS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'dicom'
}

/** Every fact read from names: the most common plain case. */
export const READ: Facts = { who: 'read', day: 'read', eye: 'read' }
/** Every fact stated by DICOM attributes or bound records. */
export const PROOF: Facts = { who: 'proof', day: 'proof', eye: 'proof' }
/** Numbers and eyes are read, the day is the file's. */
export const NO_DAY: Facts = { who: 'read', day: 'weak', eye: 'read' }

type Description = Omit<Convention, 'name' | 'kind' | 'source' | 'handsFree' | 'style'> & {
  readonly source?: string
  readonly handsFree?: HandsFree
}

export function plain(name: string, style: Convention['style'], description: Description = {}): Convention {
  return { name, kind: 'plain', source: null, handsFree: null, ...description, style }
}

export function trap(name: string, style: Convention['style'], description: Description = {}): Convention {
  return { name, kind: 'trap', source: null, handsFree: null, ...description, style }
}

/** Writes a visit shot by shot. */
export const eachShot =
  (write: (visit: Visit, shot: Shot, folder: Folder) => void): Style['write'] =>
  (visit, folder) => {
    for (const shot of visit.shots) write(visit, shot, folder)
  }

/** The same with the UID of a study, which is drawn for each visit. */
export const eachShotOfStudy =
  (write: (visit: Visit, shot: Shot, folder: Folder, study: string) => void): Style['write'] =>
  (visit, folder) => {
    const study = uid(folder.draw)
    for (const shot of visit.shots) write(visit, shot, folder, study)
  }

/** A shot for a file that no eye belongs to in particular: the eye is that of the truth. */
export const other = (eye: Eye): Eye => (eye === 'right' ? 'left' : 'right')

const MONDAYS_2026 = Array.from({ length: 46 }, (_, week) => Date.UTC(2026, 0, 5 + week * 7))
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Clinics open at 8:00 and see the last patient before 16:30 (UTC, so that no time zone of Europe moves a day). */
const [OPENS_MS, CLOSES_MS] = [8 * 60 * MINUTE_MS, 16.5 * 60 * MINUTE_MS]
/** No one is photographed sooner after the last patient. */
const NEXT_MS = 4_000
const MOST_NUMBERS = 1_000
const RETURNS = 0.06
const DAY_ENDS = 0.2

/** The day so many days later, or earlier. */
export function shiftDay(day: string, days: number): string {
  return dayText(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS)
}

const dayTexts = new Map<number, string>()

function dayText(dayMs: number): string {
  const known = dayTexts.get(dayMs)
  if (known !== undefined) return known
  const text = new Date(dayMs).toISOString().slice(0, 10)
  dayTexts.set(dayMs, text)
  return text
}

/**
 * `today`: all visits are on one day and begin at this instant, for a station that reads real files by a real clock. Whatever
 * is drawn is local time; `zoneHours` ahead of UTC.
 */
export type VisitsOptions = {
  readonly count: number
  readonly today?: { readonly beginsMs: number; readonly zoneHours: number } | undefined
}

/** A clinic's visits in a folder: who came when, what was photographed, and every file that came of it. */
export function drawVisits(convention: Convention, seed: number, { count, today }: VisitsOptions) {
  const draw = new Draw(seed)
  const style = convention.style(draw)
  const numbering = style.numbering ?? plainNumbers(draw)
  const { variant } = draw
  const folder = new Folder(draw, style.facts)
  const visits: Visit[] = []
  const [fewest, most] = style.minutesBetween ?? [5, 40]
  let dayMs = draw.pick(MONDAYS_2026) + draw.int(0, 4) * DAY_MS
  let nowMs = dayMs + OPENS_MS + draw.int(0, 30 * 60) * 1_000
  if (today !== undefined) {
    nowMs = today.beginsMs
    dayMs = nowMs - (nowMs % DAY_MS)
  }
  const isOneDay = style.isOneDay === true || today !== undefined
  let ofDay = 0
  for (let index = 0; index < count; index += 1) {
    if (index > 0 && !isOneDay && (draw.chance(DAY_ENDS) || nowMs - dayMs > CLOSES_MS)) {
      dayMs += DAY_MS
      nowMs = dayMs + OPENS_MS + draw.int(0, 30 * 60) * 1_000
      ofDay = 0
    }
    ofDay += 1
    const day = dayText(dayMs)
    const person =
      style.person?.(draw, index, visits) ??
      nextPerson(draw, numbering, style.isEachOnce === true ? null : day, visits)
    const { shots, isOneEyed } = drawShots(draw, style, nowMs)
    const examDay = style.examDay?.(draw, day) ?? day
    const visit: Visit = {
      index,
      person,
      day: examDay,
      isOfToday: examDay === day,
      startMs: nowMs,
      zoneHours: today?.zoneHours ?? 0,
      shots,
      isOneEyed,
      ofDay,
    }
    visits.push(visit)
    style.write(visit, folder)
    nowMs = shots.at(-1)!.atMs + draw.int(fewest * 60, most * 60) * 1_000 + NEXT_MS
  }
  folder.events.sort((a, b) => a.atMs - b.atMs)
  const { events, pictures, contradicted } = folder
  return { variant, visits, events, pictures, contradicted }
}

/** `day` is null if no one returns. */
function nextPerson(draw: Draw, numbering: Numbering, day: string | null, visits: readonly Visit[]): Person {
  const earlier = day !== null && visits.length > 0 && draw.chance(RETURNS) ? draw.pick(visits) : null
  if (earlier !== null && !visits.some((visit) => visit.person === earlier.person && visit.day === day))
    return earlier.person
  for (let attempts = 0; attempts < MOST_NUMBERS; attempts += 1) {
    const { id, aliases } = numbering(draw)
    if (!visits.some((visit) => visit.person.id === id)) return drawPerson(draw, id, aliases)
  }
  throw new Error('This numbering has fewer numbers than the clinic has patients.')
}

const ONE_EYED = 0.1

function drawShots(draw: Draw, style: Style, startMs: number): { shots: Shot[]; isOneEyed: boolean } {
  const isOneEyed = draw.chance(style.oneEyed ?? ONE_EYED)
  const first: Eye = draw.chance(0.8) ? 'right' : 'left'
  const eyes = isOneEyed ? [first] : [first, other(first)]
  const [fewest, most] = style.perEye ?? [1, 3]
  const [shortest, longest] = style.secondsBetween ?? [6, 45]
  const shots: Shot[] = []
  let atMs = startMs
  for (const eye of eyes) {
    const photographs = draw.int(fewest, most)
    for (let ofEye = 1; ofEye <= photographs; ofEye += 1) {
      shots.push({ eye, atMs, number: shots.length + 1, ofEye })
      atMs += draw.int(shortest, longest) * 1_000 + draw.int(0, 999)
    }
  }
  return { shots, isOneEyed }
}
