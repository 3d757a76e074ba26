import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { evidenceSchema, imageSchema, submissionSchema } from '../../../../src-shared/submission.ts'
import { SCHEMA_VERSION } from '../../../../src-main/station/outbox/migrate.ts'

/** By the version of the schema, what the texts of an outbox may say. */
const PINNED: Readonly<Record<number, string>> = { 3: '8aede23ca2f2d2e6' }

it('what texts may say belongs to the version of the schema: an earlier program would call a new word damage', () => {
  const { sources, reasons, oddities, noImageBecause, failure, fields } = submissionSchema.shape
  const { eyeSource, contentType } = imageSchema.shape
  const found = evidenceSchema.shape.kind
  const texts = z.object({
    sources,
    reasons,
    oddities,
    noImageBecause,
    failure,
    fields,
    eyeSource,
    contentType,
    found,
  })
  const shape = JSON.stringify(z.toJSONSchema(texts, { unrepresentable: 'any' }))
  // Where this differs and a version with the old words is with clinics: a new SCHEMA_VERSION, and its line here.
  expect({ [SCHEMA_VERSION]: createHash('sha256').update(shape).digest('hex').slice(0, 16) }).toEqual(PINNED)
})
