/** Faults of the processes that open foreign files: they crash, are killed, and stand still, while visits arrive. */
import { setTimeout as pause } from 'node:timers/promises'
import { childrenOf, signal } from '../../tools/process-table.ts'
import type { ChaosFixture, FaultClass } from '../fixture.ts'

const VISITS = { visits: ['small', 'small', 'small', 'small'] } as const
const LAST_MS = 7_000

/** One of them at random gets it; false if there is none. */
function signalOne(fixture: ChaosFixture, name: NodeJS.Signals): number | null {
  const station = fixture.supervisor.pid()
  const children = station === null ? [] : childrenOf(station)
  const chosen = children[Math.floor(fixture.random() * children.length)]
  return chosen !== undefined && signal(chosen, name) ? chosen : null
}

/** Why it cannot be tried here; null if it can. */
function whyNot(): string | null {
  return process.platform === 'linux' ? null : 'only Linux has a table of the processes'
}

/** A row of faults that strike while visits arrive; `strike` answers how often it struck. */
function readersRow(
  name: string,
  runs: FaultClass['runs'],
  strike: (fixture: ChaosFixture) => Promise<number>,
): FaultClass {
  return {
    name: `readers: ${name}`,
    runs,
    fixture: VISITS,
    unavailable: whyNot,
    reports: { states: ['sent'] },
    break: async (fixture) => {
      if (!(await fixture.supervisor.start())) return 0
      const written = fixture.writeVisits()
      const struck = await strike(fixture)
      await written
      // The station itself has gone on through all of them.
      return fixture.supervisor.station() === null ? 0 : struck
    },
  }
}

const endOneAfterAnother =
  (by: NodeJS.Signals) =>
  async (fixture: ChaosFixture): Promise<number> => {
    const until = performance.now() + LAST_MS
    let struck = 0
    while (performance.now() < until) {
      await pause(50 + fixture.random() * 900)
      if (signalOne(fixture, by) !== null) struck += 1
    }
    return struck
  }

export const readers: readonly FaultClass[] = [
  readersRow('crash again and again', { short: 1, full: 10 }, endOneAfterAnother('SIGSEGV')),
  readersRow('are killed again and again', { short: 0, full: 10 }, endOneAfterAnother('SIGKILL')),
  readersRow('stand still for a while', { short: 0, full: 6 }, async (fixture) => {
    let struck = 0
    for (let time = 0; time < 6; time += 1) {
      await pause(100 + fixture.random() * 600)
      const stopped = signalOne(fixture, 'SIGSTOP')
      if (stopped === null) continue
      struck += 1
      await pause(300 + fixture.random() * 1_500)
      signal(stopped, 'SIGCONT')
    }
    return struck
  }),
  readersRow('one stands still for good', { short: 0, full: 4 }, async (fixture) => {
    await pause(200 + fixture.random() * 1_500)
    return signalOne(fixture, 'SIGSTOP') === null ? 0 : 1
  }),
]
