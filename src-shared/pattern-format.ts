/** How a date or a time is spelled where a pattern says so itself: the `DDMMYYYY` of `{date:DDMMYYYY}`. Pure. */

export type MomentPart = 'date' | 'time' | 'dateTime'

export type MomentFormat = {
  /** Of a regular expression with the groups year, month, day, hour, minute, second and mark; a bounded number of steps. */
  readonly source: string
  readonly isFixedWidth: boolean
  /** Years, months and days may be folders of their own. */
  readonly slashes: number
}

type Group = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'thousandth' | 'mark'

/** In this order, so that the longer spelling is seen first. `MM` is read by where it stands. */
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
const EXAMPLES: Readonly<Record<MomentPart, string>> = {
  date: '{date:DDMMYYYY} or {date:YYYY-MM-DD}',
  time: '{time:HHMMSS} or {time:H.MM.SS.mmm_AM}',
  dateTime: '{dateTime:YYYYMMDDHHMMSS}',
}

/** The format, or a sentence for the person who types it. */
export function parseFormat(part: MomentPart, text: string): MomentFormat | string {
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

function notUnderstood(part: MomentPart, text: string): string {
  return `“${text}” does not say how the ${part === 'time' ? 'time' : 'date'} is written. Write for example ${EXAMPLES[part]}.`
}

function matchAt(pattern: RegExp, text: string, position: number): string | null {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0] ?? null
}
