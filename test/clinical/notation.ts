/** How cameras and clinics spell what they state: eyes, days, times, counters, separators. Each clinic chooses once. */
import type { Draw } from './draw.ts'
import type { Certainty, Eye, Shot, Visit } from './world.ts'

/** The terms of one language or habit for the two eyes. */
export type EyeTerms = {
  readonly right: string
  readonly left: string
  /** How sure a reader is of one of them without the other: these may be surnames, or letters of anything. */
  readonly single: Extract<Certainty, 'read' | 'alone'>
}

const terms = (right: string, left: string, single: EyeTerms['single'] = 'alone'): EyeTerms => ({
  right,
  left,
  single,
})

/** Oculus dexter and sinister: the one notation that every clinic of the world reads. */
export const LATIN = terms('OD', 'OS', 'read')
export const LETTERS = terms('R', 'L')
export const ENGLISH_CODES = terms('RE', 'LE')

export const ENGLISH = [
  terms('right', 'left', 'read'),
  terms('Right', 'Left', 'read'),
  terms('RIGHT', 'LEFT'),
]
export const SPANISH = [
  terms('derecho', 'izquierdo'),
  terms('ojo derecho', 'ojo izquierdo'),
  terms('OJO_DERECHO', 'OJO_IZQUIERDO'),
  terms('OD', 'OI'),
]
export const GERMAN = [
  terms('rechts', 'links'),
  terms('rechtes Auge', 'linkes Auge'),
  terms('Rechts', 'Links'),
  terms('RA', 'LA'),
]
export const FRENCH = [
  terms('droit', 'gauche'),
  terms('oeil droit', 'oeil gauche'),
  terms('oeil_droit', 'oeil_gauche'),
  terms('OD', 'OG'),
]
export const PORTUGUESE = [
  terms('direito', 'esquerdo'),
  terms('olho direito', 'olho esquerdo'),
  terms('Olho_Direito', 'Olho_Esquerdo'),
  terms('OD', 'OE'),
]
export const ITALIAN = [
  terms('destro', 'sinistro'),
  terms('occhio destro', 'occhio sinistro'),
  terms('Occhio_Destro', 'Occhio_Sinistro'),
]

/** Short forms of one country, which a stranger may not read: asking is right. */
export const SHORT_FORMS = [terms('dx', 'sx'), terms('der', 'izq'), terms('re', 'li'), terms('dir', 'esq')]
/** Letters of Spanish, French, Italian and Portuguese clinics. */
export const FOREIGN_LETTERS = [terms('D', 'I'), terms('D', 'G'), terms('D', 'S'), terms('D', 'E')]

/** What a reader is sure of when this visit is written in these terms. */
export function eyeCertainty(terms: EyeTerms, visit: Visit): Certainty {
  return visit.isOneEyed ? terms.single : 'read'
}

export const SEPARATORS = ['_', '-', ' '] as const

export type DayFormat = (day: string) => string

export const compactDay: DayFormat = (day) => day.slice(0, 4) + day.slice(5, 7) + day.slice(8)
export const isoDay: DayFormat = (day) => day
export const DAY_FORMATS: readonly DayFormat[] = [
  compactDay,
  isoDay,
  (day) => day.replaceAll('-', '.'),
  (day) => day.replaceAll('-', '_'),
]
/** Day first, with separators; read as a date by anyone, but the first two groups may be taken for one another. */
export const DAY_FIRST: readonly DayFormat[] = [
  (day) => `${day.slice(8)}-${day.slice(5, 7)}-${day.slice(0, 4)}`,
  (day) => `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`,
  (day) => day.slice(8) + day.slice(5, 7) + day.slice(0, 4),
]

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** `091502` */
export function clock(atMs: number, separator = ''): string {
  const seconds = Math.floor(atMs / 1_000) % 86_400
  return (
    two(Math.floor(seconds / 3_600)) +
    separator +
    two(Math.floor(seconds / 60) % 60) +
    separator +
    two(seconds % 60)
  )
}

/** `3.00.05.120_PM` */
export function twelveHourClock(atMs: number): string {
  const [hours = '', minutes = '', seconds = ''] = clock(atMs, '.').split('.')
  const hour = Number(hours)
  const milliseconds = String(Math.floor(atMs) % 1_000).padStart(3, '0')
  return `${hour % 12 === 0 ? 12 : hour % 12}.${minutes}.${seconds}.${milliseconds}_${hour < 12 ? 'AM' : 'PM'}`
}

export type Counter = (shot: Shot) => string

export const COUNTERS: readonly Counter[] = [
  (shot) => String(shot.ofEye),
  (shot) => two(shot.ofEye),
  (shot) => String(shot.number).padStart(3, '0'),
  (shot) => (shot.ofEye === 1 ? 'macula' : `disc${shot.ofEye === 2 ? '' : shot.ofEye - 1}`),
]

export const EXTENSIONS = ['.jpg', '.JPG', '.jpeg', '.png', '.tif', '.bmp'] as const

/** The spelling of one clinic's names. */
export type Notation = {
  readonly separator: string
  readonly day: DayFormat
  readonly terms: EyeTerms
  readonly counter: Counter
  readonly extension: string
  /** `OD` or its like. */
  eye(eye: Eye): string
}

export function drawNotation(draw: Draw, choices: readonly EyeTerms[] = [LATIN]): Notation {
  const separator = draw.style(SEPARATORS)
  const day = draw.style(DAY_FORMATS.slice(0, 2))
  const terms = draw.style(choices)
  return {
    separator,
    day,
    terms,
    counter: draw.style(COUNTERS),
    extension: draw.style(EXTENSIONS),
    eye: (eye) => terms[eye],
  }
}
