/**
 * What a report says of each eye, and how soon the patient is to be seen: in its own words, or nothing. The service does not
 * specify its reports: they are JSON or text, in English or Spanish, with names of their own. And which version is shown.
 */
import type { StatedEye } from '../../src-shared/measurement-ranges.ts'
import type { ReportVersion } from '../../src-shared/report.ts'
import { readUrgency, URGENCIES, type Urgency } from '../../src-shared/submission.ts'

/** Without accents and case. */
const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** `unclear`: what is around a value, or in it, states both eyes. */
type LeafEye = StatedEye | 'unclear' | null

const together = (one: LeafEye, other: LeafEye): LeafEye =>
  other === null || one === other ? one : one === null ? other : 'unclear'

const RIGHT = /^(?:od|right|derech[oa])$/
const LEFT = /^(?:os|oi|oe|left|izquierd[oa])$/
const EYE_NOUN = /^(?:eye|ojo)$/
/** Beside these, left and right are the edges of an area. */
const EDGE = /^(?:top|bottom|width|height)$/

function eyeIn(terms: readonly string[]): LeafEye {
  const eyes = terms.map((term): LeafEye => (RIGHT.test(term) ? 'right' : LEFT.test(term) ? 'left' : null))
  return eyes.reduce(together, null)
}

/** `od_diagnosis`, `diagnosisOD` and `Od diagnosis` have the same two terms. `rest`: those that state no eye. */
function splitName(name: string) {
  const spaced = name.replaceAll(/([\p{Ll}\d])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
  const parts = spaced.split(/[\s_.()-]+/).filter(Boolean)
  const terms = parts.map((term) => (/^\p{Lu}{2,}$/u.test(term) ? term : term.toLowerCase()))
  const folded = terms.map(fold)
  const eye = eyeIn(folded)
  const isOfEye = (term: string): boolean => eyeIn([term]) !== null || EYE_NOUN.test(term)
  return {
    eye: eye === 'unclear' ? null : eye,
    hasNoun: folded.some((term) => EYE_NOUN.test(term)),
    text: terms.join(' '),
    rest: terms.filter((term) => !isOfEye(fold(term))).join(' '),
  }
}

/**
 * The eyes that the names of one object state, and the names without these. An abbreviation may be chance: `os_version`
 * states an eye only beside `od_version`, or if `isCertain` knows what is left of it.
 */
export function namesOf(names: readonly string[], isCertain: (rest: string) => boolean = () => false) {
  const all = names.map(splitName)
  const shapes = new Set(all.map(({ eye, rest }) => `${eye}/${rest}`))
  const areEdges = all.some(({ text }) => EDGE.test(text))
  return all.map(({ eye, hasNoun, text, rest }) => {
    const isPaired = shapes.has(`${eye === 'right' ? 'left' : 'right'}/${rest}`) && !areEdges
    const isEye = eye !== null && (hasNoun || isPaired || /\bod\b/i.test(text) || isCertain(rest))
    return isEye ? { eye, term: rest } : { eye: null, term: text }
  })
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Deeper than any readable report; a hostile answer must not overflow the stack. */
export const MAX_REPORT_DEPTH = 12

/** A value, the way to it as it is written and in words, without those that state its eye. */
type Leaf = Branch & { readonly value: unknown }
type Branch = { readonly path: string | null; readonly names: readonly string[]; readonly eye: LeafEye }

/** Values by what they are of: one, or all of a name. */
type Facts = Readonly<Record<string, unknown>>

type EyeReading = { readonly finding: string | null; readonly facts: Facts }

export type ReportReading = {
  /** A sentence, or a value with its name. */
  readonly urgency: string | null
  readonly level: Urgency
  /** Until when, in days after the report; infinite if it does not say. */
  readonly days: number
  readonly eyes: Readonly<Record<StatedEye, EyeReading>>
  /** Of both eyes or of none in particular. */
  readonly finding: string | null
  readonly ids: Facts
  /** All of a JSON report that is in none of the others; undefined if nothing is. */
  readonly rest: unknown
}

const EYE_FIELD = /^(?:eye|ojo|laterality|lateralidad|side|lado)$/
const CONTAINER = /^(?:reports?|informes?|data|content|eyes|ojos)$/
/** The text, or the measure, of what is named above it. */
const TEXT_OF = /^(?:text|name|description|value|label|needed|interval|texto|nombre|descripcion|valor|plazo)$/
/** What the patient had before, what was asked and how good an image is are no findings. */
const ELSEWHERE =
  /\b(?:patient|paciente|previous|prior|past|anterior|history|historia|antecedentes?|request|reason|motivo|quality|calidad|iop|pio|va|acuity|agudeza|pressure|presion|camera|camara)\b/
const CONCLUSION = /^(?:conclusion(?:e?s)?|impression|impresion|assessment|summary|resumen)$/
/** The first of these that a report has is taken. They are whole names: `diagnosis_date` is none. */
const FINDINGS = [
  /^(?:(?:main|primary|final|clinical|dr|rd) )?(?:diagnos[ie]s|dx|diagnosticos?)(?: principal)?$/,
  CONCLUSION,
  /^(?:(?:main )?findings?|hallazgos?)$/,
  /^(?:(?:dr|rd|amd|dmae|retinopathy|retinopatia) )?(?:results?|resultados?|grad(?:e|ing|o)|classification|clasificacion|severity|severidad|stage|estadio)$/,
]
const ADVICES = [
  /^(?:urgency|urgencia|urgent|urgente|triage|triaje)$/,
  /^(?:priority|prioridad)$/,
  /^(?:referral|refer|derivacion|derivar|remision)(?: (?:urgency|advice|recommend(?:ed|ation)|time))?$/,
  /^(?:recommend(?:ation|ed)s?|recommended action|recomendacion(?:es)?|advice|action|plan|conducta|management)$/,
  /^(?:follow ?up|seguimiento|recall|revision|control|(?:next|proxim[ao]) (?:check|visit|exam|review|visita|revision|control))(?: (?:in|months|weeks|days))?$/,
]
/** A sentence that advises, in a text; those of the second kind only with a time. */
const ADVISES = /^(?:urgent|immediate|inmediat|refer\b|derivar|remitir)/
const SCHEDULES = /^(?:referral|derivacion|recall|review|repeat|next|follow[- ]?up|revis|control|proxim)/
const SPAN = /(\d+)(?:\s*[-\u2013]\s*\d+)?\s*(h\b|hour|hora|d\b|day|dia|week|semana|month|mes|year|ano)/
const UNIT_DAYS: Readonly<Record<string, number>> = { h: 1 / 24, w: 7, s: 7, m: 30, y: 365, a: 365 }
const URGENT =
  /\b(?:urgent(?:ly|e|emente)?|(?:con|de) urgencia|immediate(?:ly)?|inmediat[ao]|emergency|same day)\b/
const NOT_URGENT =
  /\b(?:no|not|non|sin)[\s-]+(?:\w+\s+)?(?:urgen|immediat|inmediat|emergen)|\burgente?: (?:no|false)\b/
/** What stands without a name, or under that of an eye alone, is a finding. */
const UNNAMED = 'findings'
/** No finding: a state of the answer, an address, a file. */
const NO_FINDING = /^(?:ok|success|true|false|done|complet\p{L}*|https?:\S*|\S+\.\w{3,4})?$/iu

/** The eye that a value states, if it is of a field for that: letters mean an eye only there. */
function eyeStated(field: string, value: unknown): LeafEye {
  if (typeof value !== 'string' || !EYE_FIELD.test(fold(field))) return null
  const terms = fold(value).split(/[^a-z]+/)
  return eyeIn(terms.map((term) => (/^[rd]$/.test(term) ? 'right' : /^[li]$/.test(term) ? 'left' : term)))
}

/** The eye that a sentence mentions: a value of one eye that mentions the other is of neither. */
function eyeMentioned(value: unknown): LeafEye {
  const mentions =
    String(value).match(/\bO[DSIE]\b|\b(?:right|left) eye\b|\bojo (?:derecho|izquierdo)\b/gi) ?? []
  return eyeIn(mentions.flatMap((one) => one.toLowerCase().split(' ')))
}

/** The place in a list of the last name, or of that whose text it is; null if it is in none. */
function rankIn(list: readonly RegExp[], names: readonly string[]): number | null {
  const folded = names.map(fold)
  const last = folded.findLast((name) => !TEXT_OF.test(name)) ?? UNNAMED
  const rank = list.findIndex((one) => one.test(last))
  return rank === -1 || folded.some((name) => ELSEWHERE.test(name)) ? null : rank
}

const step = (path: string, key: string): string => path + JSON.stringify(key)
const UNNAMED_RANK = rankIn(FINDINGS, [])
const isGroup = (value: unknown, depth: number): value is object =>
  typeof value === 'object' && value !== null && depth < MAX_REPORT_DEPTH && Object.keys(value).length > 0

function leavesOf(value: unknown, at: Branch, depth = 0): Leaf[] {
  if (!isGroup(value, depth)) return [{ ...at, value, eye: together(at.eye, at.eye && eyeMentioned(value)) }]
  const entries: [string, unknown][] = Object.entries(value)
  const isCertain = (rest: string): boolean =>
    rest + at.names.join('') !== '' && rankIn(FINDINGS, rest === '' ? at.names : [rest]) !== null
  const names = Array.isArray(value) ? [] : namesOf(Object.keys(value), isCertain)
  const stated = names.map(({ term }, index) => eyeStated(term, entries[index]?.[1]))
  const eye = stated.reduce(together, at.eye)
  return entries.flatMap(([key, inner], index) => {
    const { eye: own = null, term = '' } = names[index] ?? {}
    const isNamed = term !== '' && !CONTAINER.test(fold(term))
    const path = at.path === null ? null : step(at.path, key)
    const deeper = { path, names: isNamed ? [...at.names, term] : at.names, eye: together(eye, own) }
    return leavesOf(inner, deeper, depth + 1)
  })
}

/** What of a value is not at these paths; undefined if that is nothing. */
function without(value: unknown, taken: ReadonlySet<string | null>, path = '', depth = 0): unknown {
  if (taken.has(path)) return undefined
  if (!isGroup(value, depth)) return value
  const left = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const rest = without(inner, taken, step(path, key), depth + 1)
    return rest === undefined ? [] : [[key, rest]]
  })
  if (left.length === 0) return undefined
  return Array.isArray(value) ? left.map(([, inner]) => inner) : Object.fromEntries(left)
}

const LINE_ENDS = /\r?\n|(?<=[.;|])[ \t]+(?=(?:o[dsie]|(?:right|left) eye|ojo (?:derecho|izquierdo))\s*:)/i
const NAMED_LINE = /^[\s*\u2022-]*(\p{L}[\p{L}\p{M}() -]{1,40}?)\s*(?:(?:[:=]|\s[-\u2013]\s)(.*)|$)/u
/** A line that is indented, or does not begin with a capital, goes on with the one before. */
const GOES_ON = /^(?:[ \t]+\S|\p{Ll})/u
type Line = { readonly below: string; readonly name: string; value: string }

/**
 * The named lines of a text, those below a heading such as `Right eye`, and the sentences that advise: as fields of JSON, so
 * that both are read by the same rules.
 */
function fieldsOf(text: string): object[] {
  const lines: Line[] = []
  const advice: Line[] = []
  let heading = ''
  let last: Line | null = null
  for (const line of text.split(LINE_ENDS)) {
    const [, name = '', value] = NAMED_LINE.exec(line) ?? []
    const isGeneral = CONCLUSION.test(fold(name)) || rankIn(ADVICES, [name]) !== null
    const { eye, rest } = splitName(name)
    const advising = isGeneral ? [] : line.split(/(?<=[.;!])\s+/).filter(advises)
    const isHeading = value === undefined ? eye !== null && rest === '' : value.trim() === ''
    const isKnown =
      isGeneral || eye !== null || ELSEWHERE.test(fold(name)) || rankIn(FINDINGS, [name]) !== null
    if (isHeading) heading = isKnown ? name : ''
    else if (line.trim() === '' && last !== null) heading = ''
    if (value === undefined && last !== null && GOES_ON.test(line)) last.value += ` ${line.trim()}`
    else if (isHeading || line.trim() === '') last = null
    else if (value !== undefined) last = { below: isGeneral ? '' : heading, name, value: value.trim() }
    else if (advising.length === 0 && heading !== '')
      last = { below: heading, name: 'text', value: line.trim() }
    if (last !== null && lines.at(-1) !== last) lines.push(last)
    for (const value of advising) advice.push({ below: '', name: 'recommendation', value })
  }
  return [...lines, ...advice].map(({ below, name, value }) =>
    below === '' ? { [name]: value } : { [below]: { [name]: value } },
  )
}

function advises(sentence: string): boolean {
  const plain = fold(sentence.trim())
  return ADVISES.test(plain) || (SCHEDULES.test(plain) && SPAN.test(plain))
}

function labelOf(names: readonly string[]): string {
  const last = names.at(-1)
  const naming = names.filter((name) => name === last || rankIn(FINDINGS, [name]) !== UNNAMED_RANK)
  return capitalised(naming.join(' '))
}

function factsOf(leaves: readonly Leaf[]): Facts {
  const named = Map.groupBy(leaves, ({ names }) => labelOf(names))
  const facts = [...named].map(([name, same]) => [name, same.map(({ value }) => value)] as const)
  return Object.fromEntries(facts.map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

/** A longer text is no headline, and stays in the rest. */
const LONGEST_HEADLINE = 300

/** Empty if the value is no finding. */
function findingText({ names, value }: Leaf): string {
  if (typeof value === 'number') return names.length === 0 ? '' : `${labelOf(names)} ${value}`
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '') : ''
  // Without the name of a diagnosis or a grade, numbers are measurements.
  const isMeasured = rankIn(FINDINGS, names) === UNNAMED_RANK && !/^\P{N}*\p{L}{2}/u.test(text)
  return text.length > LONGEST_HEADLINE || NO_FINDING.test(text) || isMeasured ? '' : text
}

/** Empty if the value advises nothing; a lone word is shown with its name. */
function adviceText({ names, value }: Leaf): string {
  const name = capitalised(names.findLast((one) => !TEXT_OF.test(fold(one))) ?? '')
  if (value === true) return name
  if (typeof value !== 'string') return typeof value === 'number' ? `${name}: ${value}` : ''
  const text = value.trim().replace(/[.;]$/, '')
  if (text.length > LONGEST_HEADLINE) return ''
  return text === '' || /\s/.test(text) || isTerm(text) ? text : `${name}: ${text}`
}

function levelOf(text: string): Urgency {
  const plain = fold(text)
  if (NOT_URGENT.test(plain)) return 'routine'
  return URGENT.test(plain) ? 'urgent' : readUrgency(plain.replace(/^.*: /, ''))
}

export function mostUrgent(levels: readonly Urgency[]): Urgency {
  return URGENCIES.find((one) => levels.includes(one)) ?? 'routine'
}

/** A term such as `urgent` alone is what the level is for. */
const isTerm = (advice: string): boolean => readUrgency(advice) !== 'routine'

function daysIn(text: string): number {
  const [, count, unit = ''] = SPAN.exec(fold(text)) ?? []
  return count === undefined ? Infinity : Number(count) * (UNIT_DAYS[unit.charAt(0)] ?? 1)
}

/** The leaves with a text whose names come first in a list; one without a name is a finding. */
function firstOf(
  list: readonly RegExp[],
  leaves: readonly Leaf[],
  textOf: (leaf: Leaf) => string,
): Set<Leaf> {
  const ranks = leaves.map((leaf) => (textOf(leaf) === '' ? null : rankIn(list, leaf.names)))
  const first = list.findIndex((_one, rank) => ranks.includes(rank))
  return new Set(leaves.filter((_leaf, index) => ranks[index] === first))
}

const joined = (texts: readonly string[]): string | null => [...new Set(texts)].join('; ') || null

function readingOf(leaves: readonly Leaf[], json: unknown): ReportReading {
  const of = (...eyes: readonly LeafEye[]): Leaf[] => leaves.filter(({ eye }) => eyes.includes(eye))
  const general = of(null)
  const found = firstOf(FINDINGS, general, findingText)
  const sentence = (leaf: Leaf): string => (isTerm(adviceText(leaf)) ? '' : adviceText(leaf))
  const urgent = firstOf(ADVICES, general, sentence)
  const shown = urgent.size > 0 ? urgent : firstOf(ADVICES, of('right', 'left'), sentence)
  // What is urgent is shown, whatever comes first.
  const isUrgent = (leaf: Leaf): boolean =>
    rankIn(ADVICES, leaf.names) !== null && levelOf(adviceText(leaf)) !== 'routine'
  const advice = of('right', 'left', null)
    .filter((leaf) => shown.has(leaf) || isUrgent(leaf))
    .map(adviceText)
  const isId = ({ names: [name = '', inner], value }: Leaf): boolean =>
    inner === undefined && /\b(?:uu)?id$/i.test(name) && !isGroup(value, 0)
  const ids = general.filter(isId)
  const taken = [...found, ...urgent, ...ids, ...of('right', 'left')].map(({ path }) => path)
  const eyeReading = (eye: StatedEye): EyeReading => {
    const first = firstOf(FINDINGS, of(eye), findingText)
    const others = of(eye).filter((leaf) => leaf.path !== null && !first.has(leaf))
    return { finding: joined([...first].map(findingText)), facts: factsOf(others) }
  }
  return {
    urgency: joined(advice.filter((text) => !isTerm(text))),
    level: mostUrgent(advice.map(levelOf)),
    days: advice.map(daysIn).reduce((one, other) => Math.min(one, other), Infinity),
    eyes: { right: eyeReading('right'), left: eyeReading('left') },
    finding: joined([...found].map(findingText)),
    ids: factsOf(ids),
    rest: without(json, new Set(taken)),
  }
}

/** What a JSON value says, or the lines of a text; of a document, nothing. */
export function readReport(version: Pick<ReportVersion, 'kind' | 'json' | 'text'>): ReportReading {
  const { kind, json, text = '' } = version
  const read = (lines: string): Leaf[] =>
    leavesOf(fieldsOf(lines), { path: null, names: [UNNAMED], eye: null })
  if (kind !== 'json') return readingOf(kind === 'text' ? read(text) : [], undefined)
  const leaves = leavesOf(json, { path: '', names: [], eye: null })
  // Its findings may be lines of a text, which stays in the rest.
  const hasEyes = leaves.some(({ eye }) => eye !== null)
  const inTexts = leaves.flatMap(({ value }) => (typeof value === 'string' && !hasEyes ? read(value) : []))
  return readingOf([...leaves, ...inTexts], json)
}

export type NumberedVersion = ReportVersion & { readonly number: number }

export function numberVersions(versions: readonly ReportVersion[]): NumberedVersion[] {
  return versions
    .toSorted((one, other) => other.fetchedAt - one.fetchedAt)
    .map((version, index) => ({ ...version, number: versions.length - index }))
}

export type ShownVersion = {
  readonly shown: NumberedVersion
  readonly newest: NumberedVersion
  /** Is there a newer version, and did it arrive during reading? */
  readonly isOlder: 'no' | 'chosen' | 'overtaken'
}

/**
 * The version to show. `chosenId` is a person's choice, `openedId` the newest when the report was opened: a version
 * that arrives meanwhile does not replace the one being read.
 */
export function shownVersionOf(
  versions: readonly ReportVersion[],
  openedId: string,
  chosenId: string | null,
): ShownVersion | null {
  const all = numberVersions(versions)
  const [newest] = all
  if (!newest) return null
  const shown = all.find(({ id }) => id === (chosenId ?? openedId)) ?? newest
  const isOlder = shown === newest ? 'no' : chosenId === null ? 'overtaken' : 'chosen'
  return { shown, newest, isOlder }
}
