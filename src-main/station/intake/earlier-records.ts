/** Which record of a data file takes the place of which earlier one, when the file is read once more. */
import type { SidecarRecordRow } from '../outbox/sidecar-store.ts'
import type { DataFileForm as Form } from './data-files/read-data-file.ts'
import type { Sidecar } from './recognition.ts'

function agree(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

/** Do two records speak of one visit? Of a table a row is told by patient, day and files; one visit a file otherwise. */
function isSameVisit(form: Form, before: Sidecar, after: Sidecar): boolean {
  const [one, other] = [before.fields, after.fields]
  if (form !== 'table')
    return agree(one.history_number, other.history_number) && agree(one.visit_date, other.visit_date)
  const isSamePatient = one.history_number === other.history_number && one.visit_date === other.visit_date
  const named = other.history_number !== undefined
  return isSamePatient && (named || before.files.some((file) => after.files.includes(file)))
}

/** What one data file has said so far, found by the visit: a table of years has a row for each. */
export class EarlierRecords {
  readonly #form: Form
  readonly #all: { readonly row: SidecarRecordRow; readonly record: Sidecar | null }[]
  readonly #byVisit = new Map<string, { readonly row: SidecarRecordRow; readonly record: Sidecar | null }[]>()

  constructor(form: Form, rows: readonly SidecarRecordRow[]) {
    this.#form = form
    this.#all = rows.map((row) => ({
      row,
      record: row.content === null ? null : (JSON.parse(row.content) as Sidecar),
    }))
    for (const one of this.#all) {
      const key = one.record === null ? '' : visitKey(one.record)
      this.#byVisit.set(key, [...(this.#byVisit.get(key) ?? []), one])
    }
  }

  /** Nothing could be read of it so far, or this of the same visit; the newest. */
  replacedBy(record: Sidecar): SidecarRecordRow | null {
    const candidates =
      this.#form === 'table'
        ? [...(this.#byVisit.get('') ?? []), ...(this.#byVisit.get(visitKey(record)) ?? [])]
        : this.#all
    const found = candidates.findLast(
      ({ record: before }) => before === null || isSameVisit(this.#form, before, record),
    )
    return found?.row ?? null
  }

  hasGood(): boolean {
    return this.#all.some(({ record }) => record !== null)
  }

  first(): SidecarRecordRow | null {
    return this.#all[0]?.row ?? null
  }
}

function visitKey({ fields }: Sidecar): string {
  return JSON.stringify([fields.history_number ?? null, fields.visit_date ?? null])
}
