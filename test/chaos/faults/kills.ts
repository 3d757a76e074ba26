/** kill -9 at any moment, again and again, while all else is well or is not. */
import { setTimeout as pause } from 'node:timers/promises'
import { expireTokens } from '../../practice-service/faults.ts'
import type { ChaosFixture, FaultClass, FixtureOptions } from '../fixture.ts'
import { anyProxyFault, isCaseUpload, type ProxyFault, type ProxyMoment } from '../proxy.ts'

const KILLS = 8
/** A start takes about 0.6 s, the way of a small case about two more. */
const LATEST_MS = 2_600
const MOMENTS: readonly ProxyMoment[] = ['head', 'amid', 'body', 'answer']

/** Kills the current process, ready or still starting. */
function killNow(fixture: ChaosFixture): boolean {
  const pid = fixture.supervisor.pid()
  if (pid === null) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

/** Half of the kills by the clock, half by the progress of a case. */
async function killOnce(fixture: ChaosFixture): Promise<boolean> {
  const { random } = fixture
  const started = fixture.supervisor.start()
  const byMoment = random() < 0.5 ? MOMENTS[Math.floor(random() * MOMENTS.length)] : undefined
  const afterMs = byMoment === undefined ? random() * LATEST_MS : random() * random() * 40
  if (byMoment !== undefined) {
    const { promise: come, resolve } = Promise.withResolvers<void>()
    fixture.proxy.onMoment((moment, request) => {
      if (moment === byMoment && isCaseUpload(request)) resolve()
    })
    // If all cases are through already, the moment never comes.
    await Promise.race([come, pause(LATEST_MS + 800)])
  }
  await pause(afterMs)
  const isKilled = killNow(fixture)
  await started
  await fixture.supervisor.kill()
  return isKilled
}

function killRow(
  name: string,
  full: number,
  options: FixtureOptions,
  rest: {
    readonly fault?: (fixture: ChaosFixture) => ProxyFault
    readonly prepare?: (fixture: ChaosFixture) => void
    readonly short?: number
  } = {},
): FaultClass {
  return {
    name: `kill -9: ${name}`,
    runs: { short: rest.short ?? 0, full },
    fixture: options,
    reports: { states: ['sent'] },
    break: async (fixture) => {
      let kills = 0
      const { fault, prepare } = rest
      if (fault) fixture.proxy.setFaults(() => fault(fixture))
      prepare?.(fixture)
      // The camera goes on meanwhile: some visits come before the first kill, some between two.
      const written = pause(fixture.random() * 3_000).then(() => fixture.writeVisits())
      while (kills < KILLS) if (await killOnce(fixture)) kills += 1
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
    { fault: (fixture) => ({ kind: 'delay', ms: fixture.random() * 900 }) },
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
    { fault: (fixture) => anyProxyFault(fixture.random) },
  ),
  killRow(
    'large bodies, any faults of the proxy',
    10,
    { visits: ['large', 'small'] },
    { fault: (fixture) => anyProxyFault(fixture.random) },
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
    name: 'kill -9: two centers in the queue',
    runs: { short: 0, full: 12 },
    fixture: { visits: ['small', 'small', 'small', 'small'], centers: 2 },
    break: async (fixture) => {
      await fixture.queueAll()
      fixture.proxy.setFaults(() => ({ kind: 'delay', ms: fixture.random() * 300 }))
      await fixture.resume()
      await pause(fixture.random() * 600)
      await fixture.supervisor.kill()
      let kills = 1
      while (kills < KILLS) if (await killOnce(fixture)) kills += 1
      return kills
    },
  },
]
