/** The short run: one of each fault that matters most, always broken in the same way. `npm run chaos` does all. */
import { beforeAll, describe, expect, it } from 'vitest'
import { failureOf, type FailureKind } from '../../src-shared/failure.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import { allFaults } from './all-faults.ts'
import { COLUMNS, runClass, type Row } from './run-class.ts'

const SEED = 20_261_120
const LANES = 2
const shortFaults = allFaults.filter(({ runs }) => runs.short > 0)

type Told = { readonly says: FailureKind | RegExp | null; readonly state: SubmissionState | null }

/** What a person reads, and in which state the case stands, while each fault is there. */
const TOLD: Readonly<Record<string, Told>> = {
  'kill -9: small bodies': { says: null, state: 'sent' },
  'proxy: connections refused': { says: 'notAnswering', state: 'waiting' },
  'proxy: resetAmid, large body': { says: 'interrupted', state: 'waiting' },
  'proxy: gone while a lost answer is looked for': { says: 'outcomeUnknown', state: 'unconfirmed' },
  'proxy: swallow': { says: 'outcomeUnknown', state: 'unconfirmed' },
  'proxy: answer replaced by 413': { says: 'tooLarge', state: 'refused' },
  'proxy: answer replaced by 500, stored': { says: 'outcomeUnknown', state: 'unconfirmed' },
  'proxy: answer replaced by 200 without id, stored': { says: 'outcomeUnknown', state: 'unconfirmed' },
  'service: asks to wait (429)': { says: 'throttled', state: 'waiting' },
  'service: does not accept the client': { says: 'signedOut', state: 'waiting' },
  'service: change-center fails': { says: 'centerNotChanged', state: 'waiting' },
  'another client switches the center, and the list of centers tells': { says: null, state: 'sent' },
  'files: kill -9 at every open, write, fsync and rename': { says: null, state: 'sent' },
  'storage: database missing': { says: /outbox of this station is missing/i, state: null },
  'storage: an old copy of the database is put back': { says: null, state: 'sent' },
  'storage: bytes flipped in the spool': { says: 'imageDamaged', state: 'refused' },
  'sleep: amid a transfer, and the connections are gone': { says: null, state: 'sending' },
  'two stations on one data folder': {
    says: /Another Fundus Courier already works with this data folder/,
    state: 'sent',
  },
  'two stations on one camera folder': {
    says: /watches this folder, so nothing is taken from it here and no case is made twice/,
    state: 'sent',
  },
  'the camera folder vanishes and comes back': { says: 'folderUnreachable', state: null },
}

function saysOf(told: Told): RegExp | string {
  return typeof told.says === 'string' ? failureOf(told.says).message : (told.says ?? '')
}

describe('a station that is broken on purpose', () => {
  const rows = new Map<string, Row>()

  beforeAll(async () => {
    const waiting = [...shortFaults]
    const lane = async (): Promise<void> => {
      for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift())
        rows.set(fault.name, await runClass(fault, { seed: SEED, runs: fault.runs.short, lanes: 1 }))
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }, 900_000)

  it('is broken in every way of which it is written what it says', () => {
    expect([...rows.keys()].toSorted()).toEqual(Object.keys(TOLD).toSorted())
  })

  describe.each(shortFaults.map(({ name }) => name))('%s', (name) => {
    const row = (): Row => {
      const found = rows.get(name)
      if (!found) throw new Error('It was not run.')
      return found
    }

    it('strikes, and costs nothing', () => {
      const { struck, notTried, faults, untold } = row()
      expect({ notTried, faults, untold }).toEqual({ notTried: null, faults: [], untold: [] })
      expect(struck).toBeGreaterThan(0)
      expect(COLUMNS.map((column) => row()[column])).toEqual(COLUMNS.map(() => 0))
    })

    it('is told in words and by a state', () => {
      const told = TOLD[name] ?? { says: null, state: null }
      if (told.says !== null) expect(row().told.failures.join('\n')).toMatch(saysOf(told))
      if (told.state !== null) expect(row().told.states).toContain(told.state)
    })
  })
})
