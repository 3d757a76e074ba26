/** Which value each field of a submission has, where it came from, and where sources disagree. Pure. */
import { FIELD_NAMES, type FieldName, type Fields } from '../../../src-shared/fields.ts'
import type { Source, Submission } from '../../../src-shared/submission.ts'
import type { FieldStatement, Statements } from './visits/statements-of.ts'

export type Disagreement = { readonly field: FieldName; readonly statements: readonly FieldStatement[] }

export type ComposedContent = {
  readonly fields: Fields
  readonly sources: Submission['sources']
  /** Fields of which two sources say different things, and no person has settled it. */
  readonly disagreements: readonly Disagreement[]
}

export type ContentInput = {
  /** What the submission holds now: what a person stated, also that a field is empty, is never overwritten. */
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly statements: Statements
  /** The day of the oldest file, where nothing states the day of the visit. */
  readonly dayOfFiles: string | null
}

/** Texts that people write at length: two of them rarely agree, and neither is wrong. */
const NEVER_DISAGREE: readonly FieldName[] = [
  'visit_reason',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'retinologist_notes',
  // Ids are judged by their shapes, elsewhere.
  'history_number',
]

/** `Ana-María` and `ANA MARIA` are one name. */
function normalizedName(text: string): string {
  const terms = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return terms
    .filter((word) => word !== '')
    .toSorted()
    .join(' ')
}

function isAlike(name: FieldName, one: FieldStatement['value'], other: FieldStatement['value']): boolean {
  // Stated ages are rounded in all directions, and birthdays lie between.
  if (name === 'age') return Math.abs(Number(one) - Number(other)) <= 1
  if (typeof one === 'string' && typeof other === 'string' && name !== 'visit_date')
    return normalizedName(one) === normalizedName(other)
  return one === other
}

/** The words of the first source hold; they are shown with what the others say until a person has settled it. */
export function composeContent(input: ContentInput): ComposedContent {
  const fields: Partial<Record<FieldName, Fields[FieldName]>> = {}
  const sources: Submission['sources'] = {}
  const disagreements: Disagreement[] = []
  for (const name of FIELD_NAMES) {
    const found = valueOf(name, input)
    if (!found) continue
    sources[name] = found.source
    if (found.value !== undefined) fields[name] = found.value
    const statements = input.statements[name] ?? []
    const [first] = statements
    const isDisputed =
      first !== undefined && statements.some(({ value }) => !isAlike(name, value, first.value))
    if (isDisputed && found.source !== 'person' && !NEVER_DISAGREE.includes(name))
      disagreements.push({ field: name, statements })
  }
  return { fields: fields as Fields, sources, disagreements }
}

function valueOf(
  name: FieldName,
  input: ContentInput,
): { readonly value: Fields[FieldName]; readonly source: Source } | null {
  if (input.sources[name] === 'person') return { value: input.fields[name], source: 'person' }
  const [first] = input.statements[name] ?? []
  if (first) return first
  if (name === 'visit_date' && input.dayOfFiles !== null)
    return { value: input.dayOfFiles, source: 'fileTime' }
  return null
}
