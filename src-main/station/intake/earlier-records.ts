/** Which record of a data file takes the place of which earlier one, when the file is read once more. */
import { recordIn } from '../json-columns.ts'
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

type EarlierRecord = { readonly row: SidecarRecordRow; readonly record: Sidecar | null }

/** What one data file has said so far, found by the visit: a table of years has a row for each. */
export class EarlierRecords {
  readonly #form: Form
  readonly #all: readonly EarlierRecord[]
  readonly #byVisit = new Map<string, EarlierRecord[]>()
  /** Rows whose place is taken: two records of one file never take the place of one. */
  readonly #replaced = new Set<number>()
  #uncommitted: number[] = []

  constructor(form: Form, rows: readonly SidecarRecordRow[]) {
    this.#form = form
    this.#all = rows.map((row) => ({
      row,
      record: recordIn(row.content)[0] ?? null,
    }))
    for (const one of this.#all) {
      if (one.record === null) continue
      const key = visitKey(one.record)
      this.#byVisit.set(key, [...(this.#byVisit.get(key) ?? []), one])
    }
  }

  /** What this record stands for now: the very same, or one of the same visit, or where nothing could be read so far. */
  findReplaced(record: Sidecar): SidecarRecordRow | null {
    const all = this.#form === 'table' ? (this.#byVisit.get(visitKey(record)) ?? []) : this.#all
    const free = all.filter(({ row }) => !this.#replaced.has(row.id))
    const content = JSON.stringify(record)
    const found =
      free.find(({ row }) => row.content === content) ??
      free.findLast(
        (one) => one.record !== null && visitKey(one.record) === visitKey(record) && this.#fits(one, record),
      ) ??
      free.findLast((one) => this.#fits(one, record))
    if (found) {
      this.#replaced.add(found.row.id)
      this.#uncommitted.push(found.row.id)
    }
    return found?.row ?? null
  }

  /** What was replaced since is committed. */
  commit(): void {
    this.#uncommitted = []
  }

  /** What was replaced since `keep` was undone, and is done again. */
  rollback(): void {
    for (const id of this.#uncommitted) this.#replaced.delete(id)
    this.#uncommitted = []
  }

  #fits({ record: before }: EarlierRecord, record: Sidecar): boolean {
    return before === null || isSameVisit(this.#form, before, record)
  }

  hasReadable(): boolean {
    return this.#all.some(({ record }) => record !== null)
  }

  first(): SidecarRecordRow | null {
    return this.#all[0]?.row ?? null
  }
}

function visitKey({ fields }: Sidecar): string {
  return JSON.stringify([fields.history_number ?? null, fields.visit_date ?? null])
}
