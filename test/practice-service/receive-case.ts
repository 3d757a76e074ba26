import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { JournalEntry } from './journal.ts'

/** Reads a multipart body into its line of the journal, part by part; file bytes are hashed and let go. */
export async function receiveCase(request: FastifyRequest, entry: JournalEntry): Promise<void> {
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      entry.fields.push({ name: part.fieldname, value: String(part.value) })
      continue
    }
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      hash.update(chunk)
      sizeBytes += chunk.length
    }
    entry.images.push({
      partName: part.fieldname,
      fileName: part.filename ?? '',
      contentType: part.mimetype,
      sizeBytes,
      sha256: hash.digest('hex'),
    })
  }
}
