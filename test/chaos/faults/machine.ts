/** What the machine and the people around it do: clocks, sleep, second stations, a camera's folder that goes. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DAY, HOUR, MINUTE } from '../../../src-shared/durations.ts'
import type { ChaosScene } from '../chaos-scene.ts'
import type { FaultClass } from '../fault-class.ts'
import { keepStation } from '../station-keeper.ts'

const CLOCK = new URL('../preload/shift-clock.mjs', import.meta.url).href

/** Gives the station a clock that can be set; answers what sets it, to so many milliseconds off. */
function settableClock(scene: ChaosScene): (offsetMs: number) => Promise<void> {
  const path = join(scene.root, 'clock')
  scene.keeper.setStart({ environment: { NODE_OPTIONS: `--import ${CLOCK}`, CHAOS_CLOCK: path } })
  return (offsetMs) => writeFile(path, String(offsetMs))
}

function clockRow(name: string, offsets: readonly number[]): FaultClass {
  return {
    name: `clock: ${name}`,
    runs: { short: 0, full: 6 },
    scene: { visits: ['small', 'small', 'small'] },
    break: async (scene) => {
      const setClock = settableClock(scene)
      await setClock(0)
      await scene.queueAll()
      let swallowed = 0
      scene.proxy.setFaults(({ method, path }) => {
        const isCase = method === 'POST' && path.endsWith('/cases')
        if (!isCase) return { kind: 'delay', ms: scene.random() * 150 }
        swallowed += 1
        return swallowed === 1 ? { kind: 'swallow' } : { kind: 'delay', ms: scene.random() * 400 }
      })
      await scene.letGo()
      let jumps = 0
      for (const offset of offsets) {
        await pause(200 + scene.random() * 900)
        await setClock(offset)
        jumps += 1
      }
      await pause(600)
      // In one half of the runs the clock stays wrong.
      if (scene.random() < 0.5) scene.onHeal(() => setClock(0))
      return jumps
    },
  }
}

function sleepRow(name: string, isCut: boolean): FaultClass {
  return {
    name: `sleep: ${name}`,
    runs: { short: isCut ? 1 : 0, full: 6 },
    scene: { visits: ['large', 'small'] },
    break: async (scene) => {
      await scene.queueAll()
      const moments = ['head', 'amid', 'body', 'answer'] as const
      const wanted = moments[Math.floor(scene.random() * moments.length)]
      const { promise: come, resolve } = Promise.withResolvers<void>()
      scene.proxy.setFaults(() => ({ kind: 'throttle', bytesPerSecond: 16_000_000 }))
      scene.proxy.onMoment((moment, { method, path }) => {
        if (moment === wanted && method === 'POST' && path.endsWith('/cases')) resolve()
      })
      await scene.letGo()
      await Promise.race([come, pause(8_000)])
      const pid = scene.keeper.pid()
      if (pid === null) return 0
      process.kill(pid, 'SIGSTOP')
      try {
        await pause(1_000 + scene.random() * 2_000)
        if (isCut) {
          await scene.proxy.goAway()
          await scene.proxy.comeBack()
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
  clockRow('jumps forward', [3 * HOUR]),
  clockRow('jumps back', [-3 * HOUR]),
  clockRow('jumps to and fro', [2 * DAY, -2 * DAY, 20 * MINUTE, -400 * DAY]),
  {
    name: 'clock: jumps over the proof of absence, and the list lags behind',
    runs: { short: 0, full: 4 },
    scene: {
      visits: ['small', 'small', 'small', 'small', 'small'],
      isEchoing: true,
      resendWhenProvenAbsent: true,
      listDelayMs: 1_500,
    },
    break: async (scene) => {
      const setClock = settableClock(scene)
      await setClock(0)
      await scene.queueAll()
      let cases = 0
      // The list is found to be good by the first ones, and the last one is swallowed.
      scene.proxy.setFaults(({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/cases')) return { kind: 'pass' }
        cases += 1
        return cases === 5 ? { kind: 'swallow' } : { kind: 'pass' }
      })
      await scene.letGo()
      if (!(await scene.until(() => cases === 5, 60_000))) return 0
      await pause(700)
      await setClock(40 * MINUTE)
      await pause(2_000)
      return 1
    },
  },
  sleepRow('amid a transfer', false),
  sleepRow('amid a transfer, and the connections are gone', true),
  {
    name: 'two stations on one data folder',
    runs: { short: 1, full: 6 },
    scene: { visits: ['small', 'small', 'small'] },
    tells: { refusal: /Another Fundus Courier already works with this data folder/ },
    break: async (scene) => {
      const second = keepStation(scene.dataFolder, scene.configFor())
      scene.heard.push(second.told)
      scene.onHeal(() => second.kill())
      await scene.keeper.start()
      await scene.writeVisits()
      let tries = 0
      for (let index = 0; index < 3; index += 1) {
        await pause(scene.random() * 500)
        await second.start()
        tries += 1
        // It may have come in where the first was just gone.
        if (scene.random() < 0.5) await scene.keeper.kill()
        await Promise.all([
          scene.keeper.station() ? null : scene.keeper.start(),
          second.station() ? null : second.start(),
        ])
      }
      return tries
    },
  },
  {
    name: 'two stations on one camera folder',
    runs: { short: 1, full: 6 },
    scene: { visits: ['small', 'small', 'small'] },
    tells: { failures: ['folderTaken'] },
    break: async (scene) => {
      await mkdir(join(scene.root, 'two'))
      const second = keepStation(join(scene.root, 'two', 'station'), scene.configFor())
      scene.heard.push(second.told)
      scene.others.push(second)
      const areRunning = await Promise.all([scene.keeper.start(), second.start()])
      await pause(scene.random() * 1_500)
      await scene.writeVisits()
      await scene.until(() => scene.heard.some((told) => told.failures.has('folderTaken')), 10_000)
      const [first] = scene.random() < 0.5 ? [scene.keeper] : [second]
      // It comes again at once: its lease is still its own.
      await first?.kill()
      await first?.start()
      return areRunning.every(Boolean) ? 1 : 0
    },
  },
  {
    name: 'the camera folder vanishes and comes back',
    runs: { short: 1, full: 6 },
    scene: { visits: ['small', 'large'] },
    tells: { failures: ['folderUnreachable'] },
    break: async (scene) => {
      await scene.keeper.start()
      const written = scene.writeVisits()
      await written
      await pause(scene.random() * 1_200)
      await rename(scene.camera, `${scene.camera}.away`)
      scene.onHeal(() => rename(`${scene.camera}.away`, scene.camera))
      const isHeard = await scene.until(() => scene.keeper.told.failures.has('folderUnreachable'), 60_000)
      return isHeard ? 1 : 0
    },
  },
]
