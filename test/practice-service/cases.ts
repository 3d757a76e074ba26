import { randomUUID } from 'node:crypto'
import type { ReceivedImage } from './journal.ts'

/** The forms in which an id may come; a number is one in JSON, too. */
export type IdForm = 'number' | 'numberText' | 'text' | 'uuid'
export type CaseId = string | number

export type StoredCase = {
  readonly id: CaseId
  readonly centerId: string
  readonly fields: Readonly<Record<string, string>>
  readonly images: readonly ReceivedImage[]
  /** Instants, epoch milliseconds. */
  readonly storedAt: number
  /** From then on `GET /cases` shows it. */
  readonly listedAt: number
  readonly reportReadyAt: number
  /** Counts the versions of its report, from 1. */
  readonly reportVersion: number
}

/** The cases of all centers. An id is found by its text, as it stands in a path. */
export class Cases {
  readonly #cases = new Map<string, StoredCase>()
  #lastNumber = 4_000

  #nextId(form: IdForm): CaseId {
    this.#lastNumber += 1
    switch (form) {
      case 'number':
        return this.#lastNumber
      case 'numberText':
        return String(this.#lastNumber)
      case 'text':
        return `C-${this.#lastNumber}`
      case 'uuid':
        return randomUUID()
    }
  }

  add(idForm: IdForm, facts: Omit<StoredCase, 'id' | 'reportVersion'>): StoredCase {
    const stored = { ...facts, id: this.#nextId(idForm), reportVersion: 1 }
    this.#cases.set(String(stored.id), stored)
    return stored
  }

  /** Only a case of the given center is there to be seen. */
  find(id: string, centerId: string): StoredCase | null {
    const stored = this.#cases.get(id)
    return stored?.centerId === centerId ? stored : null
  }

  listed(centerId: string, now: number): readonly StoredCase[] {
    return this.all().filter((stored) => stored.centerId === centerId && stored.listedAt <= now)
  }

  all(): readonly StoredCase[] {
    return [...this.#cases.values()]
  }

  change(id: string, changes: Partial<Pick<StoredCase, 'reportReadyAt' | 'reportVersion'>>): void {
    this.#cases.set(id, { ...this.#get(id), ...changes })
  }

  revise(id: string): void {
    this.change(id, { reportVersion: this.#get(id).reportVersion + 1 })
  }

  #get(id: string): StoredCase {
    const stored = this.#cases.get(id)
    if (!stored) throw new Error('The practice service holds no such case.')
    return stored
  }
}
