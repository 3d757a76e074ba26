/**
 * What lies beside the spooled images for each submission: all that its rows say, so that a lost outbox can be built
 * anew, and an older copy of one is known by what it does not know. Pure.
 *
 * The rows are kept under the names of their columns: a column that is added later is kept without anything being done
 * here, and one that is gone is passed by.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { referenceSchema } from '../../../src-shared/reference.ts'
import { submissionStateSchema } from '../../../src-shared/states.ts'
import { outcomeSchema } from '../../../src-shared/submission.ts'

const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))

const destinationShape = { base_url: z.string(), client_id: z.string(), center_id: z.string().nullable() }

const contentSchema = z.object({
  format: z.literal(1),
  /** Of a count common to all submissions of a station; see `migration-0002.ts`. */
  revision: z.number().int().positive(),
  submission: rowSchema.and(
    z.object({
      id: z.uuid(),
      reference: referenceSchema,
      state: submissionStateSchema,
      attempts: z.number().int().min(0),
      case_id: z.string().nullable(),
      changed_at: z.number().int(),
    }),
  ),
  keys: z.array(z.object({ folder_path: z.string(), group_key: z.string() })),
  /** In the order in which they were added. */
  images: z.array(rowSchema.and(z.object({ id: z.string(), spool_name: z.string() }))),
  copies: z.array(rowSchema.and(z.object({ image_id: z.string() }))),
  /** Without the service's answers and without what was known before each. */
  attempts: z.array(
    rowSchema.and(
      z.object({ ...destinationShape, number: z.number().int(), outcome: outcomeSchema.nullable() }),
    ),
  ),
  /** An attempt that may begin from the moment at which this stands on the disk. */
  announced: z
    .object({ ...destinationShape, number: z.number().int(), request_bytes: z.number(), at: z.number() })
    .nullable(),
})

export type Manifest = z.infer<typeof contentSchema>
export type ManifestRow = z.infer<typeof rowSchema>
export type AnnouncedAttempt = NonNullable<Manifest['announced']>

const fileSchema = z.object({ digest: z.string(), manifest: z.unknown() })

function digestOf(manifest: unknown): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}

/** The text of a manifest, with a digest of itself. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ digest: digestOf(manifest), manifest })}\n`
}

/** Reads the text of a manifest; null where a byte of it is not as it was written, or a newer program wrote it. */
export function readManifestText(text: string): Manifest | null {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return null
  }
  const outer = fileSchema.safeParse(file)
  if (!outer.success || digestOf(outer.data.manifest) !== outer.data.digest) return null
  const inner = contentSchema.safeParse(outer.data.manifest)
  return inner.success ? inner.data : null
}

/** What a row tells of how far its submission has come. */
export type RowProgress = {
  readonly revision: number
  readonly state: Manifest['submission']['state']
  readonly attempts: number
}

/**
 * Does a manifest know of something that its row does not? Then the outbox is an older copy.
 *
 * An attempt that was only announced proves nothing: a kill may have come before it began. The announcement raised the
 * revision of the row, so that a copy from before it is known all the same.
 */
export function knowsMore(manifest: Manifest, row: RowProgress): boolean {
  if (manifest.revision > row.revision || manifest.submission.attempts > row.attempts) return true
  return manifest.submission.state === 'sent' && row.state !== 'sent'
}

/** How many attempts a manifest knows of, one that was only announced with them. */
export function attemptsKnown(manifest: Manifest): number {
  const numbers = manifest.attempts.map(({ number }) => number)
  return Math.max(manifest.submission.attempts, manifest.announced?.number ?? 0, ...numbers)
}
