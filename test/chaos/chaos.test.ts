/** The short run: one of each fault that matters most, always broken in the same way. `npm run chaos` does all. */
import { beforeAll, describe, expect, it } from 'vitest'
import { allFaults, isBad, type Row, runClass } from './run-class.ts'

const SEED = 20_261_120
const LANES = 2
const shortFaults = allFaults.filter(({ runs }) => runs.short > 0)

describe('a station that is broken on purpose', () => {
  const rows = new Map<string, Row>()

  beforeAll(async () => {
    const waiting = shortFaults.values()
    const lane = async (): Promise<void> => {
      for (const fault of waiting)
        rows.set(fault.name, await runClass(fault, { seed: SEED, runs: fault.runs.short, lanes: 1 }))
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }, 900_000)

  it.each(shortFaults.map(({ name }) => name))('%s: strikes, costs nothing and is reported', (name) => {
    const row = rows.get(name)
    const { notTried, faults, unreported } = row ?? {}
    expect({ notTried, faults, unreported }).toEqual({ notTried: null, faults: [], unreported: [] })
    expect(row?.struck).toBeGreaterThan(0)
    expect(row && isBad(row)).toBe(false)
  })

  it('is broken in each of these ways, each with what it reports', () => {
    expect(shortFaults).toHaveLength(22)
    expect(shortFaults.filter(({ reports }) => reports === undefined)).toEqual([])
  })
})
