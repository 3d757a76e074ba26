/** New formats of numbers, and new words, that a confirmed profile would need to read what persons approved. Pure. */
import {
  type ConfirmedProfile,
  confirmedProfileSchema,
  patternTextOf,
  type StrictPart,
} from '../../../../src-shared/confirmed-profile.ts'
import type { Approval } from './align.ts'
import { formatsOf, idEnds, MIN_VISITS_OF_FORM } from './id-formats.ts'
import { cutByStrict, readByConfirmed } from './strict.ts'
import { type Pattern, reproductionOf } from './reproduction.ts'

export type Extension = {
  readonly of: ConfirmedProfile
  /** Wider and unconfirmed. The old one stays: what was seen before the wider one is confirmed goes by it. */
  readonly profile: Pattern
  readonly adds: string[]
}

/** One extension at most for each profile, with all that enough visits show. Eyes are never added. */
export function extensionsOf(
  confirmed: readonly ConfirmedProfile[],
  approvals: readonly Approval[],
): readonly Extension[] {
  const unread = approvals.flatMap((approval) => {
    const files = approval.files.filter(({ path }) => readByConfirmed(confirmed, path).kind === 'none')
    return files.length === 0 ? [] : [{ ...approval, files }]
  })
  return confirmed
    .filter((profile) => !confirmed.some((other) => other !== profile && isCoveredBy(profile, other)))
    .flatMap((profile) => extensionOf(profile, unread) ?? [])
}

/** Was this profile extended already? */
function isCoveredBy(profile: ConfirmedProfile, wider: ConfirmedProfile): boolean {
  return (
    patternTextOf(profile) === patternTextOf(wider) &&
    profile.parts.every((part, index) => {
      const listed = new Set(listOf(wider.parts[index]))
      return listOf(part).every((one) => listed.has(one))
    })
  )
}

function listOf(part: StrictPart | undefined): readonly string[] {
  if (part?.kind === 'id') return part.formats.map(({ shape }) => shape)
  if (part?.kind === 'view') return part.terms.map((term) => term.toLowerCase())
  if (part?.kind === 'unique') return part.lengths.map(String)
  if (part?.kind !== 'eye') return []
  return [...part.right.map((term) => `right ${term}`), ...part.left.map((term) => `left ${term}`)]
}

function extensionOf(profile: ConfirmedProfile, unread: readonly Approval[]): Extension | null {
  const adds: string[] = []
  const parts = profile.parts.map((part, index) => {
    const wide = widened(part, unread)
    if (wide === null) return part
    const needed = neededIn(
      wide.part,
      { ...profile, parts: profile.parts.map(orWide(part, wide.part)) },
      index,
      unread,
    )
    const news = wide.news.filter((one) => needed.has(one))
    adds.push(...news)
    return wide.only(new Set(news))
  })
  if (adds.length === 0) return null
  const parsed = confirmedProfileSchema.safeParse({ ...profile, parts, confirmed: null })
  if (!parsed.success) return null
  const { extensions } = profile
  return { of: profile, profile: { parts: parsed.data.parts, extensions }, adds: [...new Set(adds)] }
}

/** A number in the folder and in the file gets its new format in both. */
function orWide(part: StrictPart, wide: StrictPart): (other: StrictPart) => StrictPart {
  return (other) => (other === part || (other.kind === 'id' && wide.kind === 'id') ? wide : other)
}

type Widened = {
  /** With everything that could be new. */
  readonly part: StrictPart
  /** What is new, as `shownAs` shows it. */
  readonly news: readonly string[]
  /** The part with only these of it. */
  readonly only: (needed: ReadonlySet<string>) => StrictPart
}

/** What a cell shows of its list: the shape of a number, the word, as many nines as a number has digits. */
function shownAs(part: StrictPart, text: string): string {
  if (part.kind === 'id') {
    const format = part.formats.find((one) => idEnds([one], text, 0).includes(text.length))
    return format?.shape ?? text
  }
  return part.kind === 'unique' ? '9'.repeat(text.length) : text.toLowerCase()
}

/** What this part shows in enough visits that are read as approved. */
function neededIn(
  part: StrictPart,
  wide: Pattern,
  index: number,
  unread: readonly Approval[],
): ReadonlySet<string> {
  const casesOf = new Map<string, Set<string>>()
  const { visits, paths } = reproductionOf(wide, unread)
  for (const { caseId, files } of visits)
    for (const { path } of files) {
      const cut = paths.has(path) ? cutByStrict(wide, path) : null
      const cell = cut?.kind === 'one' ? cut.cells.find((other) => other.index === index) : undefined
      if (cell === undefined) continue
      const shown = shownAs(part, cell.text)
      casesOf.set(shown, (casesOf.get(shown) ?? new Set()).add(caseId))
    }
  return new Set([...casesOf].flatMap(([shown, cases]) => (cases.size >= MIN_VISITS_OF_FORM ? [shown] : [])))
}

function widened(part: StrictPart, unread: readonly Approval[]): Widened | null {
  if (part.kind === 'id') {
    const news = formatsOf(unread.map(({ historyNumber }) => historyNumber.trim())).filter(
      ({ shape }) => !part.formats.some((known) => known.shape === shape),
    )
    const withNews = (some: typeof news): StrictPart => ({ ...part, formats: [...part.formats, ...some] })
    const only = (needed: ReadonlySet<string>) => withNews(news.filter(({ shape }) => needed.has(shape)))
    return { part: withNews(news), news: news.map(({ shape }) => shape), only }
  }
  if (part.kind === 'view') {
    const known = new Set(part.terms.map((term) => term.toLowerCase()))
    const news = termsIn(unread).filter((term) => !known.has(term.toLowerCase()))
    const withNews = (some: readonly string[]): StrictPart => ({ ...part, terms: [...part.terms, ...some] })
    const only = (needed: ReadonlySet<string>) =>
      withNews(news.filter((term) => needed.has(term.toLowerCase())))
    return { part: withNews(news), news: news.map((term) => term.toLowerCase()), only }
  }
  if (part.kind === 'unique' && part.form === 'digits') {
    const news = [...new Set(numbersIn(unread).map(({ length }) => length))].filter(
      (length) => length <= 64 && !part.lengths.includes(length),
    )
    const withNews = (some: readonly number[]): StrictPart => ({
      ...part,
      lengths: [...part.lengths, ...some],
    })
    const only = (needed: ReadonlySet<string>) =>
      withNews(news.filter((length) => needed.has('9'.repeat(length))))
    return { part: withNews(news), news: news.map((length) => '9'.repeat(length)), only }
  }
  return null
}

/** Each spelling once: whether a word is a view, only its place in the pattern shows. */
function termsIn(approvals: readonly Approval[]): readonly string[] {
  const terms = approvals.flatMap(({ files }) =>
    files.flatMap(({ path }) => path.normalize('NFC').match(/[\p{L}\p{M}]{1,64}/gu) ?? []),
  )
  return [...new Map(terms.map((term) => [term.toLowerCase(), term])).values()]
}

function numbersIn(approvals: readonly Approval[]): readonly string[] {
  return approvals.flatMap(({ files }) => files.flatMap(({ path }) => path.match(/\d+/g) ?? []))
}
