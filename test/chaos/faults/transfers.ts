/** What a proxy between the station and the service does to the transfers. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ChaosFixture, FaultClass } from '../fixture.ts'
import { anyProxyFault, isCaseUpload, nameOf, type ProxyFault } from '../proxy.ts'

/** A fault that has not struck by then does not strike; a busy machine takes its time. */
const STRIKES_WITHIN_MS = 60_000

function firedIn(fixture: ChaosFixture): number {
  return [...fixture.proxy.fired.values()].reduce((sum, count) => sum + count, 0)
}

/** Sends the cases against a fault of their uploads, a few times, and waits until it has struck. */
function struckBy(fault: (fixture: ChaosFixture) => ProxyFault, times = 2): FaultClass['break'] {
  return async (fixture) => {
    await fixture.queueAll()
    fixture.proxy.setFaults((request) =>
      isCaseUpload(request) && firedIn(fixture) < times ? fault(fixture) : { kind: 'pass' },
    )
    await fixture.resume()
    await fixture.until(() => firedIn(fixture) > 0, STRIKES_WITHIN_MS)
    await fixture.until(() => firedIn(fixture) >= times, 6_000)
    // Time for the station to notice and report it.
    await pause(400)
    return firedIn(fixture)
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

export const transfers: readonly FaultClass[] = [
  {
    name: 'proxy: connections refused',
    runs: { short: 1, full: 6 },
    reports: { failures: ['notAnswering'], states: ['waiting'] },
    break: async (fixture) => {
      await fixture.queueAll()
      await fixture.proxy.goAway()
      await fixture.resume()
      const isHeard = await fixture.until(
        () => fixture.supervisor.reported.failures.has('notAnswering'),
        STRIKES_WITHIN_MS,
      )
      return isHeard ? 1 : 0
    },
  },
  {
    name: 'proxy: goes away amid a large body and comes back',
    runs: { short: 0, full: 6 },
    fixture: { visits: ['large'] },
    reports: { failures: ['interrupted', 'offline', 'notAnswering'] },
    break: async (fixture) => {
      await fixture.queueAll()
      let struck = 0
      fixture.proxy.onMoment((moment, request) => {
        if (moment !== 'amid' || !isCaseUpload(request) || struck > 0) return
        struck += 1
        void fixture.proxy.goAway()
      })
      await fixture.resume()
      await fixture.until(() => struck > 0, STRIKES_WITHIN_MS)
      await pause(800)
      return struck
    },
  },
  row(
    { kind: 'resetBefore' },
    { reports: { failures: ['interrupted', 'offline', 'notAnswering', 'outcomeUnknown'] } },
  ),
  {
    name: 'proxy: resetAmid, large body',
    runs: { short: 1, full: 8 },
    fixture: { visits: ['large'] },
    reports: { failures: ['interrupted'], states: ['waiting'] },
    // What socket buffers took is handed over as well: only an early end is provably one.
    break: struckBy((fixture) => ({ kind: 'resetAmid', share: 0.02 + fixture.random() * 0.25 }), 1),
  },
  {
    name: 'proxy: resetAmid, small body',
    runs: { short: 0, full: 8 },
    reports: { states: ['waiting', 'unconfirmed'] },
    break: struckBy((fixture) => ({ kind: 'resetAmid', share: fixture.random() })),
  },
  row({ kind: 'resetAfter' }, { reports: { failures: ['outcomeUnknown'], states: ['unconfirmed'] } }),
  {
    // Nothing is left to be sent, so that only the lookups meet the trouble, and only they can find it over.
    name: 'proxy: gone while a lost answer is looked for',
    runs: { short: 1, full: 4 },
    fixture: { visits: ['small'], isEchoing: true, listDelayMs: 20_000 },
    reports: { failures: ['outcomeUnknown'], states: ['unconfirmed'] },
    break: async (fixture) => {
      await fixture.queueAll()
      fixture.proxy.setFaults((request) =>
        isCaseUpload(request) && firedIn(fixture) === 0 ? { kind: 'swallow' } : { kind: 'pass' },
      )
      await fixture.resume()
      const health = async (): Promise<string | undefined> =>
        (await fixture.supervisor.station()?.value('station.status'))?.service.health
      const isCalm = async (): Promise<boolean> => firedIn(fixture) > 0 && (await health()) === 'reachable'
      if (!(await fixture.until(isCalm, STRIKES_WITHIN_MS))) return 0
      await pause(300)
      await fixture.proxy.goAway()
      const hasMetTrouble = await fixture.until(async () => (await health()) === 'trouble', STRIKES_WITHIN_MS)
      await pause(300)
      return hasMetTrouble ? 1 : 0
    },
  },
  row(
    { kind: 'swallow' },
    { runs: { short: 1, full: 8 }, reports: { failures: ['outcomeUnknown'], states: ['unconfirmed'] } },
  ),
  {
    ...row({ kind: 'swallow' }, { runs: { short: 0, full: 6 }, fixture: { visits: ['large'] }, times: 1 }),
    name: 'proxy: swallow, large body',
    reports: { failures: ['outcomeUnknown'], states: ['unconfirmed'] },
  },
  {
    ...row({ kind: 'hang', share: 1 }, { fixture: { answerTimeoutSeconds: 1 } }),
    name: 'proxy: hang after the body',
    reports: { failures: ['outcomeUnknown'], states: ['unconfirmed'] },
  },
  {
    ...row(
      { kind: 'hang', share: 0.5 },
      { fixture: { visits: ['large'], answerTimeoutSeconds: 1 }, times: 1 },
    ),
    name: 'proxy: hang amid a large body',
    reports: { states: ['sending'] },
  },
  row({ kind: 'delay', ms: 1_500 }, { reports: { states: ['sending'] } }),
  row(
    { kind: 'throttle', bytesPerSecond: 6_000_000 },
    { fixture: { visits: ['large'] }, times: 1, reports: { states: ['sending'] } },
  ),
  row({ kind: 'cutAnswer' }, { reports: { failures: ['outcomeUnknown'], states: ['unconfirmed'] } }),
  ...(['400', '413'] as const).map((name) =>
    row(
      { kind: 'replace', name, isStored: false },
      {
        runs: { short: name === '413' ? 1 : 0, full: 6 },
        reports: { failures: [name === '413' ? 'tooLarge' : 'serviceRefused'], states: ['refused'] },
      },
    ),
  ),
  row(
    { kind: 'replace', name: '403', isStored: false },
    { reports: { failures: ['signedOut', 'serviceRefused'] } },
  ),
  row(
    { kind: 'replace', name: '403', isStored: true },
    // If the list shows it, it is looked up; else a person is asked to check before it goes again.
    { reports: { failures: ['outcomeUnknown', 'serviceRefused'] } },
  ),
  ...(['500', '502', '302', '200 HTML', 'garbage'] as const).flatMap((name) =>
    [true, false].map((isStored) =>
      row(
        { kind: 'replace', name, isStored },
        {
          runs: { short: name === '500' && isStored ? 1 : 0, full: 6 },
          reports: { failures: ['outcomeUnknown'], states: ['unconfirmed'] },
        },
      ),
    ),
  ),
  row(
    { kind: 'replace', name: '200 without id', isStored: true },
    { runs: { short: 1, full: 6 }, reports: { failures: ['outcomeUnknown'], states: ['unconfirmed'] } },
  ),
  {
    name: 'proxy: any faults in any order, all requests',
    runs: { short: 0, full: 20 },
    fixture: { visits: ['small', 'small', 'small', 'large'], centers: 2 },
    break: async (fixture) => {
      await fixture.queueAll()
      fixture.proxy.setFaults(() => anyProxyFault(fixture.random))
      await fixture.resume()
      await pause(2_500 + fixture.random() * 2_500)
      return firedIn(fixture)
    },
  },
]
