/** The JSON texts of the outbox and their schemas. One that does not read is the trouble of its row alone. */
import { z } from 'zod'
import { type Failure, failureSchema } from '../../src-shared/failure.ts'
import { fieldNameSchema } from '../../src-shared/fields.ts'
import { eyeSchema } from '../../src-shared/measurement-ranges.ts'
import { reportDoneSchema } from '../../src-shared/report.ts'
import {
  knownWarning,
  noImageBecauseSchema,
  sentWronglySchema,
  storedWarningSchema,
  submissionSchema,
  type UnusableFile,
  unusableDecisionSchema,
  unusableWhySchema,
  verdictSchema,
  type Warning,
} from '../../src-shared/submission.ts'
import type { Verdict } from '../../src-shared/verdict.ts'
import { type Message, wordingSchema } from '../../src-shared/wording.ts'
import type { ContentFacts, Sidecar } from './cases/meaning/sources.ts'

export type JsonColumn<Value> = {
  /** Throws if the text is not what the column holds. */
  read(text: string): Value
  /** For rows that only describe. */
  readOr(text: string, otherwise: Value): Value
  canRead(text: string): boolean
}

/** So many texts are not parsed again: a row is checked and then read, and neighbours often hold the same. */
const MOST_REMEMBERED = 8

/** What is remembered is shared by all who read it: it cannot be changed. */
function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const part of Object.values(value)) frozen(part)
  }
  return value
}

/** Leaves out wordings that cannot be read: the message beside each says the same in English. */
function withoutUnreadableWording(name: string, value: unknown): unknown {
  return name === 'wording' && !wordingSchema.safeParse(value).success ? undefined : value
}

/** The value is the text's own, with its order and its parts; what a schema does not name is not checked. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema): JsonColumn<z.infer<Schema>> {
  type Value = z.infer<Schema>
  // A ring, because the table of a Map outlives its entries: then every list grows the heap.
  const recent: { readonly text: string; readonly value: Value }[] = []
  let next = 0
  const parse = (text: string): { readonly value: Value } | null => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return null
    }
    if (!schema.safeParse(value).success) return null
    const readable: unknown = text.includes('"wording"') ? JSON.parse(text, withoutUnreadableWording) : value
    return { value: frozen(readable) as Value }
  }
  const find = (text: string): { readonly value: Value } | null => {
    for (const known of recent) if (known.text === text) return known
    const found = parse(text)
    if (found === null) return null
    recent[next] = { text, ...found }
    next = (next + 1) % MOST_REMEMBERED
    return found
  }
  return {
    read: (text) => {
      const found = find(text)
      // No value: it may be of a patient.
      if (found === null) throw new Error('A text of the outbox cannot be read.')
      return found.value
    },
    readOr: (text, otherwise) => (find(text) ?? { value: otherwise }).value,
    canRead: (text) => find(text) !== null,
  }
}

const { sources, reasons, fields } = submissionSchema.shape

export const fieldsColumn = jsonColumn(fields)
export const sourcesColumn = jsonColumn(sources)
export const reasonsColumn = jsonColumn(reasons)
export const noImageBecauseColumn = jsonColumn(noImageBecauseSchema)
export const sentWronglyColumn = jsonColumn(sentWronglySchema)
export const reportDoneColumn = jsonColumn(reportDoneSchema)
export const failureColumn = jsonColumn(failureSchema)
/** Ids, names or statements. */
export const textsColumn = jsonColumn(z.array(z.string()))
const wordingColumn = jsonColumn(wordingSchema)
export const detailsColumn = jsonColumn(z.record(z.string(), z.unknown()))
const storedWarnings = jsonColumn(z.array(storedWarningSchema))

/** Oddities only describe: a kind that this program does not know reads as `unknown`. */
export const odditiesColumn: JsonColumn<Warning[]> = {
  read: (text) => storedWarnings.read(text).map(knownWarning),
  readOr: (text, otherwise) => (storedWarnings.canRead(text) ? odditiesColumn.read(text) : otherwise),
  canRead: (text) => storedWarnings.canRead(text),
}

const textsSchema = z.array(z.string()).readonly()

const answerSchema = z.object({
  /** What spoke of it then and was shown; undefined until the case is next read. */
  statements: textsSchema.optional(),
  /** Until then: the digests of what was shown; undefined if the caller showed nothing, as a script does. */
  shown: textsSchema.optional(),
  by: z.string().nullable(),
  /** Null if that was not recorded. */
  at: z.number().nullable(),
})
/** What a person has answered beside: who, if they signed, and when. */
export type Answer = Readonly<z.infer<typeof answerSchema>>
export const answerColumn = jsonColumn(answerSchema)

const namedOnlySchema = z.enum(['patient', 'visitDay'])
/** What nothing but names says, although something else proves it for the case. */
export type NamedOnly = z.infer<typeof namedOnlySchema>

const identitySchema = z.object({
  /** A person has taken late images as a case of their own. */
  isAddendumAccepted: z.boolean(),
  /** A person is at work on it and has not passed it on yet: no rule of a folder may send it. */
  isAtWork: z.literal(true).exactOptional(),
  /** Values that were written in another unit than the current one, until a person passes them on. */
  unitChanged: z.array(fieldNameSchema).readonly().exactOptional(),
  /** The cases from which a person has separated it, as of other people: their numbers must differ. */
  separatedFrom: textsSchema.exactOptional(),
  /** The number of which a person said that it is this one's and not that of the case that was sent with it. */
  ownNumber: z.string().exactOptional(),
  /** Facts that a person entered before some image joined; until an approval. */
  joinedAfterEntry: z.array(namedOnlySchema).readonly().exactOptional(),
  /**
   * The answers on the patient and the day, with what spoke of them then, and on the images of which a person said that
   * they belong together: only something else asks again.
   */
  settled: z
    .object({
      patient: answerSchema.exactOptional(),
      visitDay: answerSchema.exactOptional(),
      together: answerSchema.exactOptional(),
    })
    .exactOptional(),
})
/** What persons have decided on a submission beside its fields. */
export type StoredIdentity = Readonly<z.infer<typeof identitySchema>>
export const identityColumn = jsonColumn(identitySchema)

export const APPROVAL_COLUMNS = [
  'passed_digest',
  'passed_at',
  'approved_digest',
  'approved_verdict',
  'approved_by',
  'approved_via',
  'approved_at',
  'failure',
] as const

const beforeApprovalSchema = z.object({
  columns: z.record(z.enum(APPROVAL_COLUMNS), z.union([z.string(), z.number(), z.null()])),
  notes: identitySchema.pick({
    isAddendumAccepted: true,
    isAtWork: true,
    unitChanged: true,
    joinedAfterEntry: true,
  }),
})
/** What an approval writes over, beside the state: the columns of the case, and the notes that it settles. */
export type BeforeApproval = Readonly<z.infer<typeof beforeApprovalSchema>>
export const beforeApprovalColumn = jsonColumn(beforeApprovalSchema)

/** A stored verdict; null if there is none or it cannot be read. No two cases have the same: none is remembered. */
export function verdictFromText(text: string | null): Verdict | null {
  if (text === null) return null
  try {
    return verdictSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The message of a row and its wording; null in rows of earlier versions. */
export function messageOf({ message, wording }: { message: string; wording: string | null }): Message {
  const isWorded = wording !== null && wordingColumn.canRead(wording)
  return isWorded ? { message, wording: wordingColumn.read(wording) } : { message }
}

/** What of a file that cannot be used is shown. */
export type StoredUnusable = {
  readonly id: string
  readonly relative_path: string
  readonly why: string
  readonly eye: string
  readonly message: string
  readonly wording: string | null
  /** Null or `wait`: the case waits for a new export. */
  readonly decision: string | null
  readonly because: string | null
  /** The image in `replaced_by`, as long as it is in this case. */
  readonly new_export_id: string | null
}

/** A file that cannot be used in the form of the contract. A word of another version is the cautious one. */
export function unusableFromRow(row: StoredUnusable): UnusableFile {
  return {
    id: row.id,
    fileName: row.relative_path,
    eye: eyeSchema.catch('unknown').parse(row.eye),
    why: unusableWhySchema.catch('unreadable').parse(row.why),
    ...messageOf(row),
    decision: unusableDecisionSchema.nullable().catch(null).parse(row.decision),
    because: row.because,
    replacedBy: row.new_export_id,
  }
}

export function wordingToText({ wording }: Message): string | null {
  return wording === undefined ? null : JSON.stringify(wording)
}

export function failureFromText(text: string | null): Failure | null {
  return text === null ? null : failureColumn.read(text)
}

export function failureToText(failure: Failure | null): string | null {
  return failure === null ? null : JSON.stringify(failure)
}

const rejected = z.array(z.looseObject({ field: z.string(), message: z.string() }))
const factsSchema = z.looseObject({
  fields: z.record(z.string(), z.unknown()),
  rejected,
  view: z.string().nullable(),
  sopUid: z.string().nullish(),
})
export const factsColumn = jsonColumn(factsSchema as unknown as z.ZodType<ContentFacts>)
export const sidecarSchema = z.looseObject({
  fields: z.record(z.string(), z.unknown()),
  files: z.array(z.string()),
  rejected,
})
const sidecarColumn = jsonColumn(sidecarSchema as unknown as z.ZodType<Sidecar>)

const statedBeforeColumn = jsonColumn(z.array(sidecarSchema) as unknown as z.ZodType<Sidecar[]>)

/** The record of a data file; none if there is none, or if it cannot be read: the file is on the disk still. */
export function recordIn(content: string | null): Sidecar[] {
  return content !== null && sidecarColumn.canRead(content) ? [sidecarColumn.read(content)] : []
}

/** What a data file stated before, and does not now; nothing if that cannot be read. */
export function statedBeforeIn(text: string | null): readonly Sidecar[] {
  return text === null ? [] : statedBeforeColumn.readOr(text, [])
}

/** As the index has them: a text that is no JSON any more has neither, and no statement fails for it. */
export const HISTORY_NUMBER = "CASE WHEN json_valid(fields) THEN fields ->> 'history_number' END"
export const VISIT_DATE = "CASE WHEN json_valid(fields) THEN fields ->> 'visit_date' END"
