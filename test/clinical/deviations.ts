/**
 * What goes wrong in a clinic that has confirmed a profile: its names look as always, or nearly so, and a strict reading
 * notices. Such visits are not counted as ones that could have left unseen; what leaves unseen of them wrongly is.
 */
import { other, shiftDay } from './convention.ts'
import type { Draw } from './draw.ts'
import { drawDocumentStyle, jsonText, statementsOf } from './sources.ts'
import type { Clinic, Facts, FileEvent, Person, PictureTruth, Visit } from './world.ts'

/** The visit as it is now, and how its paths and facts change; null if its names do not allow this one. */
type Change = {
  readonly person?: Person
  readonly path: (path: string) => string
  readonly facts: Partial<Facts>
  /** A document for each picture, beside it. */
  readonly sidecar?: (truth: PictureTruth) => string
}

type Deviation = (
  draw: Draw,
  visit: Visit,
  paths: readonly string[],
  earlier: readonly Visit[],
  /** Does this text stand in the names of other people, too, as that of a doctor does? */
  isOfOthers: (text: string) => boolean,
) => Change | null

const ALL_WEAK: Facts = { who: 'weak', day: 'weak', eye: 'weak' }

const replaced =
  (from: string, to: string) =>
  (path: string): string =>
    path.replaceAll(from, to)

/** The same length, and no patient's. */
const placeholder: Deviation = (_draw, { person: { id } }) =>
  /^\d{6,}$/.test(id) ? { path: replaced(id, '0'.repeat(id.length)), facts: { who: 'hidden' } } : null

/** A number of another length: of a new series, or mistyped. */
const otherLength: Deviation = (draw, { person }) => {
  if (!/^\d+$/.test(person.id)) return null
  const id = draw.chance(0.5) ? person.id.slice(1) : `${person.id}${draw.int(0, 9)}`
  return { person: { ...person, id }, path: replaced(person.id, id), facts: { who: 'weak' } }
}

/** The camera's clock has lost its day. */
const lostClock: Deviation = (_draw, { day }, paths) => {
  const compact = day.replaceAll('-', '')
  const wrong = shiftDay(day, -400)
  const from = paths.every((path) => path.includes(compact))
    ? compact
    : paths.every((path) => path.includes(day))
      ? day
      : null
  if (from === null) return null
  return {
    path: replaced(from, from === compact ? wrong.replaceAll('-', '') : wrong),
    facts: { day: 'disputed' },
  }
}

/** The number of an earlier patient, and this one's name. */
const lastNumber: Deviation = (draw, { person }, paths, earlier, isOfOthers) => {
  const { person: last } = earlier[draw.int(Math.max(0, earlier.length - 5), earlier.length - 1)]!
  if (last.last === person.last || !paths.every((path) => path.includes(person.last))) return null
  if (isOfOthers(person.last)) return null
  return { path: replaced(person.id, last.id), facts: { who: 'disputed' } }
}

/** A document beside each image that names another patient, or the other eye. */
const falseSidecar: Deviation = (draw, visit) => {
  const style = drawDocumentStyle(draw)
  const isEye = draw.chance(0.5)
  const id = draw.digits(7)
  return {
    path: (path) => path,
    facts: isEye ? { eye: 'disputed' } : { who: 'disputed' },
    sidecar: ({ eye }) =>
      jsonText(style, isEye ? statementsOf(visit, other(eye)) : { ...statementsOf(visit, eye), id }),
  }
}

/** One more word in the name, which the profile never saw. */
const newText: Deviation = (draw) => {
  const text = draw.pick(['retake', 'ICG', 'ext', 'Left', 'v2'])
  return { path: (path) => path.replace(/\.[^.]+$/, `_${text}$&`), facts: ALL_WEAK }
}

/** The same names in a folder that the profile does not have. */
const otherFolder: Deviation = (draw) => {
  const above = draw.pick(['old', 'Dr Weber', 'OS', '20250101', '4711'])
  return { path: (path) => `${above}/${path}`, facts: ALL_WEAK }
}

const DEVIATIONS: readonly Deviation[] = [
  placeholder,
  otherLength,
  lostClock,
  lastNumber,
  falseSidecar,
  newText,
  otherFolder,
]

/** The first that these names allow, from a drawn one on; the last three are always possible. */
function drawChange(
  draw: Draw,
  ...of: [Visit, readonly string[], readonly Visit[], (text: string) => boolean]
): Change {
  for (let at = draw.int(0, DEVIATIONS.length - 1); ; at += 1) {
    const change = DEVIATIONS[at % DEVIATIONS.length]!(draw, ...of)
    if (change !== null) return change
  }
}

export type DeviatingClinic = {
  readonly clinic: Clinic
  readonly deviating: ReadonlySet<number>
  /** Of these only the number's length is another. */
  readonly ofOtherLength: ReadonlySet<number>
}

/** The clinic with a share of the visits from `first` on gone wrong. */
export function withDeviations(clinic: Clinic, draw: Draw, first: number, share: number): DeviatingClinic {
  const visits = [...clinic.visits]
  const pictures = new Map(clinic.pictures)
  const deviating = new Map<number, Change>()
  for (const visit of clinic.visits.slice(first)) {
    if (!draw.chance(share)) continue
    const paths = [...clinic.pictures.values()].filter((truth) => truth.visit === visit.index)
    const change = drawChange(
      draw,
      visit,
      paths.map(({ path }) => path),
      visits.slice(0, visit.index),
      (text) =>
        [...clinic.pictures.values()].some(
          (truth) => clinic.visits[truth.visit]?.person.last !== text && truth.path.includes(text),
        ),
    )
    deviating.set(visit.index, change)
    if (change.person !== undefined) visits[visit.index] = { ...visit, person: change.person }
    for (const truth of paths)
      pictures.set(truth.bytes, {
        ...truth,
        path: change.path(truth.path),
        facts: { ...truth.facts, ...change.facts },
      })
  }
  const events = clinic.events.flatMap((event): FileEvent[] => {
    if (event.content.kind === 'data') return [event]
    const truth = clinic.pictures.get(event.content.bytes)!
    const change = deviating.get(truth.visit)
    if (change === undefined) return [event]
    const path = change.path(event.path)
    const changed = { ...event, path }
    if (change.sidecar === undefined) return [changed]
    const text = change.sidecar(truth)
    const atMs = event.atMs + 900
    const sidecar: FileEvent = {
      atMs,
      path: path.replace(/\.[^.]+$/, '.json'),
      mtimeMs: atMs,
      content: { kind: 'data', text, encoding: 'utf8' },
    }
    return [changed, sidecar]
  })
  events.sort((a, b) => a.atMs - b.atMs)
  return {
    clinic: { ...clinic, visits, events, pictures },
    deviating: new Set(deviating.keys()),
    ofOtherLength: new Set([...deviating].flatMap(([visit, { person }]) => (person ? visit : []))),
  }
}
