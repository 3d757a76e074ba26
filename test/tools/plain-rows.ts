/** The rows of cases and images as plain values, found by what they are asked for. A changed row is another object. */
import type { ImageRow, SubmissionRow } from '../../src-main/station/outbox/rows.ts'

/** Values by a key, each once. */
export class Groups<Value> {
  readonly #byKey = new Map<string, Set<Value>>()

  add(key: string, value: Value): void {
    const group = this.#byKey.get(key)
    if (group === undefined) this.#byKey.set(key, new Set([value]))
    else group.add(value)
  }

  of(key: string): readonly Value[] {
    return [...(this.#byKey.get(key) ?? [])]
  }

  has(key: string, value: Value): boolean {
    return this.#byKey.get(key)?.has(value) === true
  }

  sizeOf(key: string): number {
    return this.#byKey.get(key)?.size ?? 0
  }

  remove(key: string, value: Value): void {
    this.#byKey.get(key)?.delete(value)
  }

  keysFrom(prefix: string): readonly string[] {
    return [...this.#byKey.keys()].filter((key) => key.startsWith(prefix))
  }
}

export class PlainRows {
  readonly cases = new Map<string, SubmissionRow>()
  readonly images = new Map<string, ImageRow>()
  readonly ofStem = new Groups<string>()
  readonly ofHash = new Groups<string>()
  /** The images of each directory and all below it. */
  readonly below = new Groups<string>()
  /** The cases of each patient's number, without regard to its letters' case. */
  readonly ofNumber = new Groups<string>()
  readonly #ofCase = new Groups<string>()
  readonly #byName = new Map<string, readonly ImageRow[]>()

  addCase(row: SubmissionRow): void {
    this.cases.set(row.id, row)
  }

  setCase(id: string, changes: Partial<SubmissionRow>): void {
    const row = this.cases.get(id)
    if (!row) return
    this.cases.set(id, { ...row, ...changes })
    if (changes.fields === undefined || changes.fields === row.fields) return
    this.ofNumber.remove(numberIn(row), id)
    this.ofNumber.add(numberIn(changes), id)
  }

  addImage(row: ImageRow): void {
    this.images.set(row.id, row)
    this.ofStem.add(row.stem_key, row.id)
    for (const hash of [row.sha256, row.picture_sha256]) if (hash !== null) this.ofHash.add(hash, row.id)
    for (let slash = 0; slash >= 0; slash = row.file_name.indexOf('/', slash + 1))
      this.below.add(row.file_name.slice(0, slash), row.id)
    this.#ofCase.add(row.submission_id, row.id)
    this.#byName.delete(row.submission_id)
  }

  setImage(id: string, changes: Partial<ImageRow>): void {
    const row = this.images.get(id)
    if (!row) return
    const now = { ...row, ...changes }
    this.images.set(id, now)
    if (now.submission_id !== row.submission_id) {
      this.#ofCase.remove(row.submission_id, id)
      this.#ofCase.add(now.submission_id, id)
      this.#byName.delete(row.submission_id)
    }
    this.#byName.delete(now.submission_id)
  }

  /** The images of a case, by name. */
  imagesOf(caseId: string): readonly ImageRow[] {
    const known = this.#byName.get(caseId)
    if (known) return known
    const rows = this.imagesIn(this.#ofCase.of(caseId)).toSorted((one, other) =>
      one.file_name === other.file_name ? 0 : one.file_name < other.file_name ? -1 : 1,
    )
    this.#byName.set(caseId, rows)
    return rows
  }

  imagesBelow(directory: string): ImageRow[] {
    return this.imagesIn(this.below.of(directory))
  }

  casesIn(ids: Iterable<string>): SubmissionRow[] {
    return inOrder(this.cases, ids)
  }

  imagesIn(ids: Iterable<string>): ImageRow[] {
    return inOrder(this.images, ids)
  }
}

function inOrder<Row extends { readonly position: number }>(
  rows: ReadonlyMap<string, Row>,
  ids: Iterable<string>,
): Row[] {
  const found = [...new Set(ids)].flatMap((id) => rows.get(id) ?? [])
  return found.toSorted((one, other) => one.position - other.position)
}

function numberIn({ fields = '{}' }: Partial<SubmissionRow>): string {
  const { history_number: number = '' } = JSON.parse(fields) as { history_number?: string }
  return number.toLowerCase()
}

/** Does this path lie in this directory or below? */
export function liesBelow(directory: string): (path: string) => boolean {
  const prefix = directory === '' ? '' : `${directory}/`
  return (path) => path.startsWith(prefix)
}
