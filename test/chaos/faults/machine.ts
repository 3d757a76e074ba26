/** Faults of the machine and the people around it: clocks, sleep, second stations, a camera folder that vanishes. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DAY, MINUTE } from '../../../src-shared/durations.ts'
import type { ChaosFixture, FaultClass } from '../fixture.ts'
import { isCaseUpload } from '../proxy.ts'
import { superviseStation } from '../supervised-station.ts'

const CLOCK = new URL('../preload/shift-clock.mjs', import.meta.url).href

/** Gives the station a clock that can be set; returns what sets its difference in milliseconds. */
function settableClock(fixture: ChaosFixture): (offsetMs: number) => Promise<void> {
  const path = join(fixture.root, 'clock')
  fixture.supervisor.setStart({ environment: { NODE_OPTIONS: `--import ${CLOCK}`, CHAOS_CLOCK: path } })
  return (offsetMs) => writeFile(path, String(offsetMs))
}

function clockRow(name: string, offsets: readonly number[]): FaultClass {
  return {
    name: `clock: ${name}`,
    runs: { short: 0, full: 6 },
    fixture: { visits: ['small', 'small', 'small'] },
    break: async (fixture) => {
      const setClock = settableClock(fixture)
      await setClock(0)
      await fixture.queueAll()
      let swallowed = 0
      fixture.proxy.setFaults((request) => {
        if (!isCaseUpload(request)) return { kind: 'delay', ms: fixture.random() * 150 }
        swallowed += 1
        return swallowed === 1 ? { kind: 'swallow' } : { kind: 'delay', ms: fixture.random() * 400 }
      })
      await fixture.resume()
      let jumps = 0
      for (const offset of offsets) {
        await pause(200 + fixture.random() * 900)
        await setClock(offset)
        jumps += 1
      }
      await pause(600)
      // In one half of the runs the clock stays wrong.
      if (fixture.random() < 0.5) fixture.onHeal(() => setClock(0))
      return jumps
    },
  }
}

/** In one half of the runs the connections are gone after the sleep. */
function sleepRow(): FaultClass {
  return {
    name: 'sleep: amid a transfer',
    runs: { short: 2, full: 12 },
    fixture: { visits: ['large', 'small'] },
    reports: { states: ['sending'] },
    break: async (fixture) => {
      await fixture.queueAll()
      const moments = ['head', 'amid', 'body', 'answer'] as const
      const wanted = moments[Math.floor(fixture.random() * moments.length)]
      const { promise: come, resolve } = Promise.withResolvers<void>()
      fixture.proxy.setFaults(() => ({ kind: 'throttle', bytesPerSecond: 16_000_000 }))
      fixture.proxy.onMoment((moment, request) => {
        if (moment === wanted && isCaseUpload(request)) resolve()
      })
      await fixture.resume()
      await Promise.race([come, pause(8_000)])
      const pid = fixture.supervisor.pid()
      if (pid === null) return 0
      process.kill(pid, 'SIGSTOP')
      try {
        await pause(1_000 + fixture.random() * 2_000)
        if (fixture.share < 0.5) {
          await fixture.proxy.goAway()
          await fixture.proxy.comeBack()
        }
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      await pause(300)
      return 1
    },
  }
}

export const machine: readonly FaultClass[] = [
  clockRow('jumps to and fro', [2 * DAY, -2 * DAY, 20 * MINUTE, -400 * DAY]),
  {
    name: 'clock: jumps over the proof of absence, and the list lags behind',
    runs: { short: 0, full: 4 },
    fixture: {
      visits: ['small', 'small', 'small', 'small', 'small'],
      isEchoing: true,
      resendWhenProvenAbsent: true,
      listDelayMs: 1_500,
    },
    break: async (fixture) => {
      const setClock = settableClock(fixture)
      await setClock(0)
      await fixture.queueAll()
      let cases = 0
      // The list is found to be good by the first ones, and the last one is swallowed.
      fixture.proxy.setFaults((request) => {
        if (!isCaseUpload(request)) return { kind: 'pass' }
        cases += 1
        return cases === 5 ? { kind: 'swallow' } : { kind: 'pass' }
      })
      await fixture.resume()
      if (!(await fixture.until(() => cases === 5, 60_000))) return 0
      await pause(700)
      await setClock(40 * MINUTE)
      await pause(2_000)
      return 1
    },
  },
  sleepRow(),
  {
    name: 'two stations on one data folder',
    runs: { short: 1, full: 6 },
    fixture: { visits: ['small', 'small', 'small'] },
    reports: { text: /Another Fundus Courier uses this data folder/, states: ['sent'] },
    break: async (fixture) => {
      const second = superviseStation(fixture.dataFolder, fixture.configFor())
      fixture.heard.push(second.reported)
      fixture.onHeal(() => second.kill())
      await fixture.supervisor.start()
      await fixture.writeVisits()
      let tries = 0
      for (let index = 0; index < 3; index += 1) {
        await pause(fixture.random() * 500)
        await second.start()
        tries += 1
        // It may have started if the first had just ended.
        if (fixture.random() < 0.5) await fixture.supervisor.kill()
        await Promise.all([
          fixture.supervisor.station() ? null : fixture.supervisor.start(),
          second.station() ? null : second.start(),
        ])
      }
      return tries
    },
  },
  {
    name: 'two stations on one camera folder',
    runs: { short: 1, full: 6 },
    fixture: { visits: ['small', 'small', 'small'] },
    reports: { failures: ['folderTaken'], states: ['sent'] },
    break: async (fixture) => {
      await mkdir(join(fixture.root, 'two'))
      const second = superviseStation(join(fixture.root, 'two', 'station'), fixture.configFor())
      fixture.heard.push(second.reported)
      fixture.others.push(second)
      const areRunning = await Promise.all([fixture.supervisor.start(), second.start()])
      await pause(fixture.random() * 1_500)
      await fixture.writeVisits()
      await fixture.until(() => fixture.heard.some(({ failures }) => failures.has('folderTaken')), 10_000)
      const [first] = fixture.random() < 0.5 ? [fixture.supervisor] : [second]
      // It comes again at once: its lease is still its own.
      await first?.kill()
      await first?.start()
      return areRunning.every(Boolean) ? 1 : 0
    },
  },
  {
    name: 'the camera folder vanishes and comes back',
    runs: { short: 1, full: 6 },
    fixture: { visits: ['small', 'large'] },
    reports: { failures: ['folderUnreachable'] },
    break: async (fixture) => {
      await fixture.supervisor.start()
      await fixture.writeVisits()
      await pause(fixture.random() * 1_200)
      await rename(fixture.camera, `${fixture.camera}.away`)
      fixture.onHeal(() => rename(`${fixture.camera}.away`, fixture.camera))
      const isHeard = await fixture.until(
        () => fixture.supervisor.reported.failures.has('folderUnreachable'),
        60_000,
      )
      return isHeard ? 1 : 0
    },
  },
]
