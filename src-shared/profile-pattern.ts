/**
 * The language in which a profile describes the names that a camera writes.
 *
 * A pattern describes the end of a path inside the watched folder, starting at a folder's or file's name, without the
 * extension, with `/` between folders. Any folders may precede it.
 *
 * - `{historyNumber}`: letters, digits and dashes; also `_` and `.` unless the pattern contains them literally.
 * - `{lastName}` `{firstName}`: letters, spaces, apostrophes, dashes, dots. `{name}` holds both, also with `_` or a comma.
 * - `{date}` is the visit: year first, else in the profile's order. `{time}`, `{dateTime}`. Each may state its format:
 *   `{date:DDMMYYYY}`, `{time:H.MM.SS.mmm_AM}`, `{date:YYYY/MM/DD}`.
 * - `{eye}`: one word, also a single R or L or a word of the profile. `{view}`: letters, digits, spaces, dashes.
 * - `{number}`: digits. `{unique}`: letters, digits, dots, dashes. `{any}`: anything inside one name.
 * - `[…]` is optional, with the separators in it.
 *
 * Everything else is literal and case-insensitive. A part matches at least one character and never a `/`, except in a
 * date that spans folders. A repeated part must match the same text. If a name can be read in two ways that differ in
 * history number, date or eye, neither is used. The last name is matched as long as possible, and so is the first view.
 */
import { type Message, worded, wordingOf, type WordingValue } from './wording.ts'

/** The format that a pattern states for a date or a time: the `DDMMYYYY` of `{date:DDMMYYYY}`. Pure. */
export type MomentPart = 'date' | 'time' | 'dateTime'

export type MomentFormat = {
  /** Has the groups year, month, day, hour, minute, second and mark, and matches in a bounded number of steps. */
  readonly source: string
  readonly isFixedWidth: boolean
  /** Slashes in the format: years, months and days may be folders of their own. */
  readonly slashes: number
}

type Group = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'thousandth' | 'mark'

/** Longer spellings come first. `MM` means month or minute, depending on its neighbours. */
const SPELLINGS: readonly (readonly [RegExp, Group, string])[] = [
  [/yyyy/iy, 'year', String.raw`\d{4}`],
  [/yy/iy, 'year', String.raw`\d{2}`],
  [/dd/iy, 'day', String.raw`\d{2}`],
  [/d/iy, 'day', String.raw`\d{1,2}`],
  [/hh/iy, 'hour', String.raw`\d{2}`],
  [/h/iy, 'hour', String.raw`\d{1,2}`],
  [/ss/iy, 'second', String.raw`\d{2}`],
  [/mmm/iy, 'thousandth', String.raw`\d{3}`],
  [/mm/iy, 'month', String.raw`\d{2}`],
  [/m/iy, 'month', String.raw`\d{1,2}`],
  [/[ap]m/iy, 'mark', '[ap]m'],
]

const SEPARATOR = /[-._ ,:/t]/iy

const NEEDED: Readonly<Record<MomentPart, readonly Group[]>> = {
  date: ['year', 'month', 'day'],
  time: ['hour', 'minute'],
  dateTime: ['year', 'month', 'day', 'hour', 'minute'],
}

const EXAMPLES: Readonly<Record<MomentPart, WordingValue>> = {
  date: wordingOf('call:pattern.twoExamples', { first: '{date:DDMMYYYY}', second: '{date:YYYY-MM-DD}' }),
  time: wordingOf('call:pattern.twoExamples', { first: '{time:HHMMSS}', second: '{time:H.MM.SS.mmm_AM}' }),
  dateTime: '{dateTime:YYYYMMDDHHMMSS}',
}

/** The format, or what is wrong with it. */
function parseFormat(part: MomentPart, text: string): MomentFormat | Message {
  const groups: Group[] = []
  let source = ''
  let isFixedWidth = true
  let position = 0
  while (position < text.length) {
    const separator = matchAt(SEPARATOR, text, position)
    if (separator !== null) {
      source += separator.replace(/[.\-/]/, String.raw`\$&`)
      position += separator.length
      continue
    }
    const found = spellingAt(text, position, groups.includes('hour'))
    if (found === null || groups.includes(found.group)) return notUnderstood(part, text)
    groups.push(found.group)
    source += `(?<${found.group}>${found.source})`
    isFixedWidth &&= !found.source.includes(',')
    position += found.length
  }
  const needed = NEEDED[part]
  const isOther = groups.some((group) => isOfDay(group) && !needed.includes(group))
  const isTimeInDate = part === 'date' && groups.some((group) => !isOfDay(group))
  const isWhole = needed.every((group) => groups.includes(group))
  if (!isWhole || isOther || isTimeInDate) return notUnderstood(part, text)
  return { source, isFixedWidth, slashes: text.split('/').length - 1 }
}

function isOfDay(group: Group): boolean {
  return group === 'year' || group === 'month' || group === 'day'
}

function spellingAt(
  text: string,
  position: number,
  isBehindHour: boolean,
): { readonly group: Group; readonly source: string; readonly length: number } | null {
  for (const [spelling, group, source] of SPELLINGS) {
    const found = matchAt(spelling, text, position)
    if (found === null) continue
    const isMinute = group === 'month' && isBehindHour
    return { group: isMinute ? 'minute' : group, source, length: found.length }
  }
  return null
}

function notUnderstood(part: MomentPart, format: string): Message {
  const key = part === 'time' ? 'call:pattern.timeFormat' : 'call:pattern.dateFormat'
  return worded(key, { format, example: EXAMPLES[part] })
}

function matchAt(pattern: RegExp, text: string, position: number): string | null {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0] ?? null
}

/** The parts of a pattern, and what they are made of. */
const ALPHABETS = {
  historyNumber: 'both',
  lastName: 'letters',
  firstName: 'letters',
  name: 'letters',
  date: 'digits',
  time: 'digits',
  dateTime: 'digits',
  eye: 'letters',
  view: 'both',
  number: 'digits',
  unique: 'both',
  any: 'both',
} as const

export type PatternPartName = keyof typeof ALPHABETS

export const PATTERN_PARTS = Object.keys(ALPHABETS) as readonly PatternPartName[]

export type PatternPart = {
  readonly kind: 'part'
  readonly name: PatternPartName
  readonly format: MomentFormat | null
}

export type PatternStep =
  | PatternPart
  | { readonly kind: 'literal'; readonly text: string }
  /** Continue, or skip everything before the step `until`. */
  | { readonly kind: 'maybe'; readonly until: number }

export type Pattern = {
  /** In sequence; no step leads back. */
  readonly steps: readonly PatternStep[]
  /** The most folder and file names that it can describe. */
  readonly maxNames: number
}

type ParsedPattern =
  | { readonly kind: 'pattern'; readonly pattern: Pattern }
  | { readonly kind: 'problem'; readonly problem: Message }

const TOKEN = /\{([^{}]*)\}|\[|\]|[^{}[\]]+|[{}]/gu

/** The parsed pattern, or what is wrong with it. */
export function parsePattern(text: string): ParsedPattern {
  const early = textProblem(text)
  if (early !== null) return invalid(early)
  const steps: PatternStep[] = []
  const open: number[] = []
  for (const [token, content] of text.normalize('NFC').matchAll(TOKEN)) {
    if (token === '{') return invalid(worded('call:pattern.braceOpen'))
    if (token === '}') return invalid(worded('call:pattern.braceClose'))
    if (token === '[') {
      open.push(steps.length)
      steps.push({ kind: 'maybe', until: 0 })
    } else if (token === ']') {
      const start = open.pop()
      if (start === undefined) return invalid(worded('call:pattern.bracketClose'))
      if (start === steps.length - 1) return invalid(worded('call:pattern.bracketsEmpty'))
      steps[start] = { kind: 'maybe', until: steps.length }
    } else if (content === undefined) {
      steps.push({ kind: 'literal', text: token })
    } else {
      const part = parsePart(content)
      if ('message' in part) return invalid(part)
      steps.push(part)
    }
  }
  if (open.length > 0) return invalid(worded('call:pattern.bracketOpen'))
  const pattern = { steps, maxNames: 1 + steps.reduce((sum, step) => sum + slashesIn(step), 0) }
  const late = stepsProblem(steps)
  return late === null ? { kind: 'pattern', pattern } : invalid(late)
}

/** What is wrong with a pattern, for the person who is typing it; null if it is valid. */
export function patternProblem(pattern: string): Message | null {
  const parsed = parsePattern(pattern)
  return parsed.kind === 'problem' ? parsed.problem : null
}

function invalid(problem: Message): ParsedPattern {
  return { kind: 'problem', problem }
}

function textProblem(text: string): Message | null {
  if (text.trim() === '') return worded('call:pattern.empty')
  if (text.includes('\\')) return worded('call:pattern.backslash')
  if (/[*?]/.test(text)) return worded('call:pattern.wildcard')
  if (text.startsWith('/')) return worded('call:pattern.leadingSlash')
  if (/\/\]*$/.test(text)) return worded('call:pattern.endsWithFolder')
  if (text.includes('//')) return worded('call:pattern.doubleSlash')
  const [, extension] = /\.(jpe?g|png|tiff?|bmp|dcm|dicom|zip|pdf)\]*$/i.exec(text) ?? []
  return extension === undefined ? null : worded('call:pattern.extension', { extension })
}

/** The part, or what is wrong with it. */
function parsePart(text: string): PatternPart | Message {
  const [, label = '', format] = /^([^:]*)(?::(.*))?$/su.exec(text) ?? []
  const name = PATTERN_PARTS.find((part) => part === label)
  if (name === undefined) {
    const alike = PATTERN_PARTS.find((part) => part.toLowerCase() === label.trim().toLowerCase())
    if (alike !== undefined)
      return worded('call:pattern.misspelt', { part: inBraces(label), alike: inBraces(alike) })
    const parts = PATTERN_PARTS.map(inBraces).join(' ')
    return worded('call:pattern.unknownPart', { part: inBraces(label), parts })
  }
  if (format === undefined) return { kind: 'part', name, format: null }
  if (!isMoment(name)) return worded('call:pattern.noFormat', { part: inBraces(name) })
  const parsed = parseFormat(name, format)
  return 'message' in parsed ? parsed : { kind: 'part', name, format: parsed }
}

function inBraces(name: string): string {
  return `{${name}}`
}

export function isMoment(name: PatternPartName): name is MomentPart {
  return name === 'date' || name === 'time' || name === 'dateTime'
}

function slashesIn(step: PatternStep): number {
  if (step.kind === 'literal') return step.text.split('/').length - 1
  return step.kind === 'part' ? (step.format?.slashes ?? 0) : 0
}

/** Parts that only make file names unique. */
const SILENT: readonly PatternPartName[] = ['number', 'unique', 'any']

function stepsProblem(steps: readonly PatternStep[]): Message | null {
  const parts = steps.filter((step) => step.kind === 'part')
  if (parts.every(({ name }) => SILENT.includes(name))) return worded('call:pattern.readsNothing')
  if (reachableFrom(steps, 0).has(steps.length)) return worded('call:pattern.allOptional')
  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'part') continue
    const behind = [...reachableFrom(steps, index + 1)].map((at) => steps[at])
    const next = behind.find((other) => other?.kind === 'part' && !canTouch(step, other))
    if (next?.kind === 'part')
      return worded('call:pattern.noSeparator', { part: inBraces(step.name), next: inBraces(next.name) })
  }
  return null
}

/** This step and the following ones that can be reached by skipping optional sections. */
function reachableFrom(steps: readonly PatternStep[], index: number): ReadonlySet<number> {
  const reached = new Set([index])
  // The set grows during the iteration; added steps are visited too.
  for (const at of reached) {
    const step = steps[at]
    if (step?.kind === 'maybe') reached.add(at + 1).add(step.until)
  }
  return reached
}

/** L1 and 20260602101502 need no separator: letters end where digits begin, and widths are fixed. */
function canTouch(one: PatternPart, other: PatternPart): boolean {
  const alphabets = [ALPHABETS[one.name], ALPHABETS[other.name]]
  // Digits without a fixed width extend to the last digit.
  if (alphabets.every((alphabet) => alphabet === 'digits')) return one.format?.isFixedWidth ?? false
  if (one.format?.isFixedWidth || other.format?.isFixedWidth) return true
  return alphabets.includes('letters') && alphabets.includes('digits')
}
