/** What the service does wrong, or another client of it. */
import { setTimeout as pause } from 'node:timers/promises'
import { jsonAnswer } from '../../practice-service/answers.ts'
import { answerStatus, askToWait, expireTokens, type Fault } from '../../practice-service/faults.ts'
import { CENTERS, type ChaosScene } from '../chaos-scene.ts'
import type { FaultClass } from '../fault-class.ts'

/** How many requests bear the mark of a fault in the journal. */
function struckIn(scene: ChaosScene): number {
  return scene.service.journal.entries().filter((entry) => entry.fault !== null).length
}

/** Lies in the dialect's own words: it says that the center was changed, and has not changed it. */
function lieAboutCenter(): Fault {
  return {
    name: 'center not changed, and said to be',
    moment: 'read',
    act: { kind: 'answer', answer: jsonAnswer(200, { success: true, content: 'Center changed.' }) },
  }
}

const TWO_CENTERS = { visits: ['small', 'small', 'small', 'small'], centers: 2 } as const

function otherCenter(scene: ChaosScene): string {
  return CENTERS.find((id) => id !== scene.service.currentCenterId()) ?? CENTERS[0]
}

export const atTheService: readonly FaultClass[] = [
  {
    name: 'service: tokens end after a few requests',
    runs: { short: 0, full: 8 },
    scene: TWO_CENTERS,
    break: async (scene) => {
      await scene.queueAll()
      for (let index = 0; index < 10; index += 1)
        scene.service.faults.add('any', expireTokens(), { skip: Math.floor(scene.random() * 4) })
      await scene.letGo()
      await scene.until(() => struckIn(scene) >= 3, 8_000)
      return struckIn(scene)
    },
  },
  {
    name: 'service: tokens end amid a case',
    runs: { short: 0, full: 6 },
    scene: TWO_CENTERS,
    break: async (scene) => {
      await scene.queueAll()
      scene.service.faults.add('POST /cases', expireTokens(), { times: 3 })
      await scene.letGo()
      await scene.until(() => struckIn(scene) >= 3, 8_000)
      return struckIn(scene)
    },
  },
  {
    name: 'service: asks to wait (429)',
    runs: { short: 1, full: 4 },
    tells: { failures: ['throttled'], states: ['waiting'] },
    break: async (scene) => {
      await scene.queueAll()
      scene.service.faults.add('POST /cases', askToWait(429, 2))
      await scene.letGo()
      await scene.until(() => scene.keeper.told.failures.has('throttled'), 6_000)
      return struckIn(scene)
    },
  },
  {
    name: 'service: does not accept the client',
    runs: { short: 1, full: 4 },
    tells: { failures: ['signedOut'], states: ['waiting'] },
    break: async (scene) => {
      await scene.queueAll()
      scene.service.faults.add('POST /authorize', answerStatus(401, 'json'), { times: 'always' })
      scene.service.expireTokens()
      await scene.letGo()
      await scene.until(() => scene.keeper.told.failures.has('signedOut'), 8_000)
      return struckIn(scene)
    },
  },
  {
    name: 'service: change-center fails',
    runs: { short: 1, full: 6 },
    scene: TWO_CENTERS,
    tells: { failures: ['centerNotChanged'], states: ['waiting'] },
    break: async (scene) => {
      await scene.queueAll()
      const status = scene.random() < 0.5 ? 422 : 403
      scene.service.faults.add('POST /change-center', answerStatus(status, 'json'), { times: 'always' })
      await scene.letGo()
      await scene.until(() => scene.keeper.told.failures.has('centerNotChanged'), 8_000)
      await pause(scene.random() * 500)
      return struckIn(scene)
    },
  },
  {
    name: 'service: change-center answers 500',
    runs: { short: 0, full: 6 },
    scene: TWO_CENTERS,
    tells: { failures: ['centerNotChanged', 'notAnswering'], states: ['waiting'] },
    break: async (scene) => {
      await scene.queueAll()
      scene.service.faults.add('POST /change-center', answerStatus(500, 'html'), { times: 'always' })
      await scene.letGo()
      await pause(1_500)
      return struckIn(scene)
    },
  },
  {
    name: 'service: change-center lies, and the list of centers tells',
    runs: { short: 0, full: 6 },
    scene: { ...TWO_CENTERS, isEchoing: true },
    break: async (scene) => {
      await scene.queueAll()
      scene.service.faults.add('POST /change-center', lieAboutCenter(), { times: 'always' })
      await scene.letGo()
      await pause(2_500)
      return struckIn(scene)
    },
  },
  {
    name: 'another client switches the center, and the list of centers tells',
    runs: { short: 1, full: 8 },
    scene: { ...TWO_CENTERS, isEchoing: true },
    break: async (scene) => {
      await scene.queueAll()
      let switches = 0
      const end = scene.service.journal.onEnded(({ endpoint }) => {
        // Between two calls of ours, whichever they are; not each time, or nothing would ever go.
        if (endpoint === 'POST /authorize' || scene.random() > 0.4 || switches >= 6) return
        scene.service.switchCenter(otherCenter(scene))
        switches += 1
      })
      scene.onHeal(end)
      await scene.letGo()
      await scene.until(() => switches >= 6, 6_000)
      return switches
    },
  },
  {
    name: 'another client switches the center, and nothing tells',
    runs: { short: 0, full: 6 },
    scene: { ...TWO_CENTERS, isEchoing: false },
    break: async (scene) => {
      await scene.queueAll()
      let switches = 0
      const end = scene.service.journal.onEnded(({ endpoint }) => {
        if (endpoint !== 'POST /change-center' || switches >= 2) return
        scene.service.switchCenter(otherCenter(scene))
        switches += 1
      })
      scene.onHeal(end)
      await scene.letGo()
      await scene.until(() => switches >= 2, 6_000)
      await pause(500)
      return switches
    },
  },
]
