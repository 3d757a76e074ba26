/** What must hold of any files in any order: nothing lost, nothing doubled, nothing given to a wrong patient or eye. */
import { createHash } from 'node:crypto'
import type { Outbox } from '../../../../../src-main/station/outbox/outbox.ts'
import type { ImageRow } from '../../../../../src-main/station/outbox/rows.ts'
import type { PlannedFile, Said } from './scenarios.ts'
import { pictureOf } from './what-became.ts'

/** The picture that a file shows, as a row of the outbox would tell it. */
function shownBy(file: PlannedFile): string | null {
  if (file.picture === null) return null
  return file.path.endsWith('.dcm') ? file.picture : createHash('sha256').update(file.bytes).digest('hex')
}

/** Sentences about what is wrong; none where all is well. */
export function wrongs(outbox: Outbox, files: readonly PlannedFile[]): readonly string[] {
  const found: string[] = []
  const said = new Map<string, Said[]>()
  for (const file of files) {
    const picture = shownBy(file)
    if (picture !== null) said.set(picture, [...(said.get(picture) ?? []), ...file.said])
  }
  const open = outbox.submissions.list({ limit: 200 }).items.filter(({ state }) => state !== 'discarded')
  const rows = open.flatMap(({ id }) => outbox.images.rows(id))
  for (const picture of said.keys()) {
    const times = rows.filter((row) => pictureOf(row) === picture).length
    if (times !== 1) found.push(`the picture ${picture} is in ${times} cases`)
  }
  for (const row of rows) if (!said.has(pictureOf(row))) found.push(`nobody took ${row.file_name}`)
  for (const submission of open) {
    if (submission.reasons.length > 0) continue
    const own = outbox.images.rows(submission.id)
    for (const row of own) {
      const shown: ImageRow = own.find((other) => other.id === row.twin_of) ?? row
      for (const { patient, eye } of said.get(pictureOf(row)) ?? []) {
        if (patient !== null && patient !== submission.fields.history_number)
          found.push(
            `${row.file_name} of ${patient} would go as ${submission.fields.history_number ?? 'nobody'}`,
          )
        if (eye !== null && eye !== shown.eye)
          found.push(`${row.file_name} of the ${eye} eye would go as ${shown.eye}`)
      }
    }
  }
  return found
}
