/** kill -9 at any moment, again and again, while all else is well or is not. */
import { setTimeout as pause } from 'node:timers/promises'
import { expireTokens } from '../../practice-service/faults.ts'
import type { ChaosScene } from '../chaos-scene.ts'
import type { ProxyMoment } from '../chaos-proxy.ts'
import type { FaultClass } from '../fault-class.ts'
import type { SceneWishes } from '../scene-wishes.ts'
import { anyProxyFault, type ProxyFault } from '../proxy-fault.ts'

const KILLS = 8
/** A start takes about 0.6 s, the way of a small case about two more. */
const LATEST_MS = 2_600
const MOMENTS: readonly ProxyMoment[] = ['head', 'amid', 'body', 'answer']

/** Kills the process that is there now, be it ready or still starting. */
function killNow(scene: ChaosScene): boolean {
  const pid = scene.keeper.pid()
  if (pid === null) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

/** Half of the kills by the clock, half by where a case is on its way. */
async function killOnce(scene: ChaosScene): Promise<boolean> {
  const { random } = scene
  const started = scene.keeper.start()
  const byMoment = random() < 0.5 ? MOMENTS[Math.floor(random() * MOMENTS.length)] : undefined
  const afterMs = byMoment === undefined ? random() * LATEST_MS : random() * random() * 40
  if (byMoment !== undefined) {
    const { promise: come, resolve } = Promise.withResolvers<void>()
    scene.proxy.onMoment((moment, request) => {
      if (moment === byMoment && request.method === 'POST' && request.path.endsWith('/cases')) resolve()
    })
    // Where all cases are through already, the moment never comes.
    await Promise.race([come, pause(LATEST_MS + 800)])
  }
  await pause(afterMs)
  const isKilled = killNow(scene)
  await started
  await scene.keeper.kill()
  return isKilled
}

function killRow(
  name: string,
  full: number,
  wishes: SceneWishes,
  rest: {
    readonly fault?: (scene: ChaosScene) => ProxyFault
    readonly prepare?: (scene: ChaosScene) => void
    readonly short?: number
  } = {},
): FaultClass {
  return {
    name: `kill -9: ${name}`,
    runs: { short: rest.short ?? 0, full },
    scene: wishes,
    break: async (scene) => {
      let kills = 0
      const { fault, prepare } = rest
      if (fault) scene.proxy.setFaults(() => fault(scene))
      prepare?.(scene)
      // The camera goes on meanwhile: some visits lie there before the first kill, some come between two.
      const written = pause(scene.random() * 3_000).then(() => scene.writeVisits())
      while (kills < KILLS) if (await killOnce(scene)) kills += 1
      await written
      return kills
    },
  }
}

export const kills: readonly FaultClass[] = [
  killRow('small bodies', 16, { visits: ['small', 'small', 'small'] }, { short: 1 }),
  killRow(
    'small bodies, answers that take their time',
    14,
    { visits: ['small', 'small', 'small'] },
    { fault: (scene) => ({ kind: 'delay', ms: scene.random() * 900 }) },
  ),
  killRow(
    'large bodies on a slow line',
    12,
    { visits: ['large', 'small'] },
    { fault: () => ({ kind: 'throttle', bytesPerSecond: 12_000_000 }) },
  ),
  killRow(
    'small bodies, any faults of the proxy',
    14,
    { visits: ['small', 'small', 'small', 'small'] },
    { fault: (scene) => anyProxyFault(scene.random) },
  ),
  killRow(
    'large bodies, any faults of the proxy',
    10,
    { visits: ['large', 'small'] },
    { fault: (scene) => anyProxyFault(scene.random) },
  ),
  killRow(
    'tokens that end amid all',
    10,
    { visits: ['small', 'small', 'small'] },
    {
      prepare: ({ service, random }) => {
        for (let index = 0; index < 6; index += 1)
          service.faults.add('any', expireTokens(), { skip: Math.floor(random() * 6) })
      },
    },
  ),
  {
    name: 'kill -9: two centers in the line',
    runs: { short: 0, full: 12 },
    scene: { visits: ['small', 'small', 'small', 'small'], centers: 2 },
    break: async (scene) => {
      await scene.queueAll()
      scene.proxy.setFaults(() => ({ kind: 'delay', ms: scene.random() * 300 }))
      await scene.letGo()
      await pause(scene.random() * 600)
      await scene.keeper.kill()
      let kills = 1
      while (kills < KILLS) if (await killOnce(scene)) kills += 1
      return kills
    },
  },
]
