/** Openings and endings that are cut off anywhere, and copies that are put back: only the latter are another outbox. */
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { readFact } from '../../../../src-main/station/outbox/database.ts'
import { migrate } from '../../../../src-main/station/outbox/migrations/migrate.ts'
import {
  beginSession,
  endSession,
  type StationMarker,
} from '../../../../src-main/station/outbox/restored-copy.ts'
import { createSubmission } from '../../../../src-main/station/outbox/submissions.ts'
import { createStore, type Store } from '../../../../src-main/station/outbox/database.ts'
import { newSubmission } from '../../../tools/outbox-with.ts'
import { fc, runs } from '../../../tools/property.ts'

const STEPS = ['open', 'cutOpening', 'end', 'cutEnd', 'kill', 'add', 'copy'] as const
type Step = (typeof STEPS)[number]
const steps = fc.array(fc.constantFrom(...STEPS), { maxLength: 25 })

type Copy = {
  readonly bytes: Buffer
  readonly writes: number
}

/** An outbox and the marker beside it, in which a commit and the marker that follows it are two steps. */
class Folder {
  sql = new Database(':memory:')
  store: Store
  marker: StationMarker | null = null
  /** How often the marker was written. */
  writes = 0
  session: StationMarker | null = null
  readonly copies: Copy[] = []

  constructor() {
    migrate(this.sql, ':memory:')
    this.store = this.#bound()
  }

  run(step: Step): void {
    switch (step) {
      case 'open':
      case 'cutOpening': {
        const begun = beginSession(this.store, this.marker)
        // No one works with one whose opening was cut off.
        this.session = step === 'open' ? begun : null
        if (step === 'open') this.#mark(begun)
        return
      }
      case 'end':
      case 'cutEnd': {
        if (this.session === null) return
        const ended = endSession(this.store, this.session)
        this.session = null
        if (step === 'end') this.#mark(ended)
        return
      }
      case 'kill':
        this.session = null
        return
      case 'add':
        if (this.session !== null) createSubmission(this.store, newSubmission())
        return
      case 'copy':
        this.copies.push({ bytes: this.sql.serialize(), writes: this.writes })
    }
  }

  putBack({ bytes }: Copy): void {
    this.sql = new Database(bytes)
    this.store = this.#bound()
    this.session = null
  }

  restored(): string | null {
    return readFact(this.store, 'restored')
  }

  #bound(): Store {
    return createStore(this.sql, () => undefined)
  }

  #mark(marker: StationMarker): void {
    this.marker = marker
    this.writes += 1
  }
}

describe('an outbox', () => {
  it('that was never copied is never another one, however often an opening or an end is cut off', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const folder = new Folder()
        for (const step of [...all, 'cutOpening', 'cutOpening', 'open'] as const) {
          folder.run(step)
          expect(folder.restored()).not.toBe('otherCopy')
        }
      }),
      { numRuns: runs(100) },
    )
  })

  it('that is an older copy is always another one, and stays so until that was dealt with', () => {
    fc.assert(
      fc.property(steps, steps, fc.array(fc.constantFrom('cutOpening', 'kill')), (before, after, cut) => {
        const folder = new Folder()
        for (const step of [...before, 'open', 'add', 'copy', ...after] as const) folder.run(step)
        const [copy] = folder.copies.filter(({ writes }) => writes < folder.writes)
        if (copy === undefined) return
        folder.putBack(copy)
        for (const step of [...cut, 'open'] as const) {
          folder.run(step)
          if (step !== 'kill') expect(folder.restored()).toBe('otherCopy')
        }
      }),
      { numRuns: runs(100) },
    )
  })
})
