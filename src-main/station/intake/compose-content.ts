/** Which value each field of a submission has, and where it came from. Pure. */
import { FIELD_NAMES, type FieldName, type Fields } from '../../../src-shared/fields.ts'
import type { Source, Submission } from '../../../src-shared/submission.ts'
import type { StoredIdentity } from '../outbox/submission-store.ts'
import type { Sidecar } from './recognition.ts'

export type ComposedContent = { readonly fields: Fields; readonly sources: Submission['sources'] }

export type ContentStatements = {
  /** What the submission holds now: what a person stated, also that a field is empty, is never overwritten. */
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly identity: StoredIdentity
  readonly sidecar: Sidecar | null
}

function valueOf(
  name: FieldName,
  statements: ContentStatements,
): { readonly value: Fields[FieldName]; readonly source: Source } | null {
  const { identity, sidecar } = statements
  if (statements.sources[name] === 'person') return { value: statements.fields[name], source: 'person' }
  const stated = sidecar?.fields[name]
  if (stated !== undefined) return { value: stated, source: 'sidecar' }
  if (name === 'history_number' && identity.historyNumber && identity.historyNumberSource) {
    return { value: identity.historyNumber, source: identity.historyNumberSource }
  }
  // A sidecar that is silent about the date is a statement, too: then the time of a file is not taken for one.
  const isFromFileTime = identity.visitDateSource === 'fileTime'
  if (
    name === 'visit_date' &&
    identity.visitDate &&
    identity.visitDateSource &&
    !(isFromFileTime && sidecar)
  ) {
    return { value: identity.visitDate, source: identity.visitDateSource }
  }
  return null
}

/** A person's word first, then the sidecar's, then what the names of folders and files say. */
export function composeContent(statements: ContentStatements): ComposedContent {
  const fields: Partial<Record<FieldName, Fields[FieldName]>> = {}
  const sources: Submission['sources'] = {}
  for (const name of FIELD_NAMES) {
    const found = valueOf(name, statements)
    if (!found) continue
    sources[name] = found.source
    if (found.value !== undefined) fields[name] = found.value
  }
  return { fields: fields as Fields, sources }
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}

/** The day of an instant on this workstation's calendar, `YYYY-MM-DD`. */
export function localDate(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
