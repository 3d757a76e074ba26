/** What a proxy between the station and the service does to the transfers. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ChaosScene } from '../chaos-scene.ts'
import type { FaultClass } from '../fault-class.ts'
import { anyProxyFault, nameOf, type ProxyFault } from '../proxy-fault.ts'

/** A fault that has not struck by then does not strike; a busy machine takes its time. */
const STRIKES_WITHIN_MS = 60_000

function isCase(request: { readonly method: string; readonly path: string }): boolean {
  return request.method === 'POST' && request.path.endsWith('/cases')
}

export function firedIn(scene: ChaosScene): number {
  return [...scene.proxy.fired.values()].reduce((sum, count) => sum + count, 0)
}

/** Lets the cases go against a fault of their transfers, a few times over, and stays until it has struck. */
function struckBy(fault: (scene: ChaosScene) => ProxyFault, times = 2): FaultClass['break'] {
  return async (scene) => {
    await scene.queueAll()
    scene.proxy.setFaults((request) =>
      isCase(request) && firedIn(scene) < times ? fault(scene) : { kind: 'pass' },
    )
    await scene.letGo()
    await scene.until(() => firedIn(scene) > 0, STRIKES_WITHIN_MS)
    await scene.until(() => firedIn(scene) >= times, 6_000)
    // Time for the station to hear of it and to say so.
    await pause(400)
    return firedIn(scene)
  }
}

function row(fault: ProxyFault, rest: Partial<FaultClass> & { readonly times?: number } = {}): FaultClass {
  const { times, ...changes } = rest
  return {
    name: `proxy: ${nameOf(fault)}`,
    runs: { short: 0, full: 6 },
    break: struckBy(() => fault, times),
    ...changes,
  }
}

export const onTheWay: readonly FaultClass[] = [
  {
    name: 'proxy: connections refused',
    runs: { short: 1, full: 6 },
    tells: { failures: ['notAnswering'], states: ['waiting'] },
    break: async (scene) => {
      await scene.queueAll()
      await scene.proxy.goAway()
      await scene.letGo()
      const isHeard = await scene.until(
        () => scene.keeper.told.failures.has('notAnswering'),
        STRIKES_WITHIN_MS,
      )
      return isHeard ? 1 : 0
    },
  },
  {
    name: 'proxy: goes away amid a large body and comes back',
    runs: { short: 0, full: 6 },
    scene: { visits: ['large'] },
    tells: { failures: ['interrupted', 'offline', 'notAnswering'] },
    break: async (scene) => {
      await scene.queueAll()
      let struck = 0
      scene.proxy.onMoment((moment, request) => {
        if (moment !== 'amid' || !isCase(request) || struck > 0) return
        struck += 1
        void scene.proxy.goAway()
      })
      await scene.letGo()
      await scene.until(() => struck > 0, STRIKES_WITHIN_MS)
      await pause(800)
      return struck
    },
  },
  row(
    { kind: 'resetBefore' },
    { tells: { failures: ['interrupted', 'offline', 'notAnswering', 'outcomeUnknown'] } },
  ),
  {
    name: 'proxy: resetAmid, large body',
    runs: { short: 1, full: 8 },
    scene: { visits: ['large'] },
    tells: { failures: ['interrupted', 'notAnswering'], states: ['waiting'] },
    // What socket buffers took is handed over as well: only an early end is provably one.
    break: struckBy((scene) => ({ kind: 'resetAmid', share: 0.02 + scene.random() * 0.25 }), 1),
  },
  {
    name: 'proxy: resetAmid, small body',
    runs: { short: 0, full: 8 },
    tells: { states: ['waiting', 'unconfirmed'] },
    break: struckBy((scene) => ({ kind: 'resetAmid', share: scene.random() })),
  },
  row({ kind: 'resetAfter' }, { tells: { failures: ['outcomeUnknown'], states: ['unconfirmed'] } }),
  {
    // Nothing is left to be sent, so that only the looks meet the trouble, and only they can find it over.
    name: 'proxy: gone while a lost answer is looked for',
    runs: { short: 1, full: 4 },
    scene: { visits: ['small'], isEchoing: true, listDelayMs: 20_000 },
    tells: { failures: ['outcomeUnknown'], states: ['unconfirmed'] },
    break: async (scene) => {
      await scene.queueAll()
      scene.proxy.setFaults((request) =>
        isCase(request) && firedIn(scene) === 0 ? { kind: 'swallow' } : { kind: 'pass' },
      )
      await scene.letGo()
      const health = async (): Promise<string | undefined> =>
        (await scene.keeper.station()?.value('station.status'))?.service.health
      const isCalm = async (): Promise<boolean> => firedIn(scene) > 0 && (await health()) === 'reachable'
      if (!(await scene.until(isCalm, STRIKES_WITHIN_MS))) return 0
      await pause(300)
      await scene.proxy.goAway()
      const hasMetTrouble = await scene.until(async () => (await health()) === 'trouble', STRIKES_WITHIN_MS)
      await pause(300)
      return hasMetTrouble ? 1 : 0
    },
  },
  row(
    { kind: 'swallow' },
    { runs: { short: 1, full: 8 }, tells: { failures: ['outcomeUnknown'], states: ['unconfirmed'] } },
  ),
  {
    ...row({ kind: 'swallow' }, { runs: { short: 0, full: 6 }, scene: { visits: ['large'] }, times: 1 }),
    name: 'proxy: swallow, large body',
    tells: { failures: ['outcomeUnknown'], states: ['unconfirmed'] },
  },
  {
    ...row({ kind: 'hang', share: 1 }, { scene: { answerTimeoutSeconds: 1 } }),
    name: 'proxy: hang after the body',
    tells: { failures: ['outcomeUnknown'], states: ['unconfirmed'] },
  },
  {
    ...row({ kind: 'hang', share: 0.5 }, { scene: { visits: ['large'], answerTimeoutSeconds: 1 }, times: 1 }),
    name: 'proxy: hang amid a large body',
    tells: { states: ['sending'] },
  },
  row({ kind: 'delay', ms: 1_500 }, { tells: { states: ['sending'] } }),
  row(
    { kind: 'throttle', bytesPerSecond: 6_000_000 },
    { scene: { visits: ['large'] }, times: 1, tells: { states: ['sending'] } },
  ),
  row({ kind: 'cutAnswer' }, { tells: { failures: ['outcomeUnknown'], states: ['unconfirmed'] } }),
  ...(['400', '413'] as const).map((name) =>
    row(
      { kind: 'replace', name, isStored: false },
      {
        runs: { short: name === '413' ? 1 : 0, full: 6 },
        tells: { failures: ['serviceRefused', 'tooLarge'], states: ['refused'] },
      },
    ),
  ),
  row(
    { kind: 'replace', name: '403', isStored: false },
    { tells: { failures: ['signedOut', 'serviceRefused'] } },
  ),
  row(
    { kind: 'replace', name: '403', isStored: true },
    // Where the list shows it, it is looked for; else a person is asked to check before it goes again.
    { tells: { failures: ['outcomeUnknown', 'serviceRefused'] } },
  ),
  ...(['500', '502', '302', '200 HTML', 'garbage'] as const).flatMap((name) =>
    [true, false].map((isStored) =>
      row(
        { kind: 'replace', name, isStored },
        {
          runs: { short: name === '500' && isStored ? 1 : 0, full: 6 },
          tells: { failures: ['outcomeUnknown'], states: ['unconfirmed'] },
        },
      ),
    ),
  ),
  row(
    { kind: 'replace', name: '200 without id', isStored: true },
    { runs: { short: 1, full: 6 }, tells: { failures: ['outcomeUnknown'], states: ['unconfirmed'] } },
  ),
  {
    name: 'proxy: any faults in any order, all requests',
    runs: { short: 0, full: 20 },
    scene: { visits: ['small', 'small', 'small', 'large'], centers: 2 },
    break: async (scene) => {
      await scene.queueAll()
      scene.proxy.setFaults(() => anyProxyFault(scene.random))
      await scene.letGo()
      await pause(2_500 + scene.random() * 2_500)
      return firedIn(scene)
    },
  },
]
