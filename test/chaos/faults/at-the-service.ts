/** What the service does wrong, or another client of it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { FailureKind } from '../../../src-shared/failure.ts'
import { jsonAnswer } from '../../practice-service/answers.ts'
import { type Fault, answerStatus, askToWait, expireTokens } from '../../practice-service/faults.ts'
import { CENTERS, type ChaosFixture, type FaultClass } from '../fixture.ts'

/** How many requests bear the mark of a fault in the journal. */
function struckIn(fixture: ChaosFixture): number {
  return fixture.service.journal.entries().filter((entry) => entry.fault !== null).length
}

const TWO_CENTERS = { visits: ['small', 'small', 'small', 'small'], centers: 2 } as const

/** Says that the center was changed, in the dialect's own words, and has not changed it. */
const LIE_ABOUT_CENTER: Fault = {
  name: 'center not changed, and said to be',
  moment: 'read',
  act: { kind: 'answer', answer: jsonAnswer(200, { success: true, content: 'Center changed.' }) },
}

const hasFailure =
  (...kinds: FailureKind[]) =>
  ({ supervisor }: ChaosFixture): boolean =>
    kinds.some((kind) => supervisor.reported.failures.has(kind))

/** A fault that is added before the cases go, until it has been seen or so many milliseconds are over. */
function faultRow(
  name: string,
  add: (fixture: ChaosFixture) => void,
  isSeen: (fixture: ChaosFixture) => boolean,
  { withinMs = 8_000, ...rest }: Partial<FaultClass> & { readonly withinMs?: number } = {},
): FaultClass {
  return {
    name: `service: ${name}`,
    runs: { short: 0, full: 6 },
    ...rest,
    break: async (fixture) => {
      await fixture.queueAll()
      add(fixture)
      await fixture.resume()
      await fixture.until(() => isSeen(fixture), withinMs)
      await pause(fixture.random() * 500)
      return struckIn(fixture)
    },
  }
}

/** Another client that switches the center at some of our requests, so many times. */
function switchRow(
  name: string,
  most: number,
  isMoment: (endpoint: string, fixture: ChaosFixture) => boolean,
  rest: Partial<FaultClass>,
): FaultClass {
  return {
    name: `another client switches the center, and ${name}`,
    runs: { short: 0, full: 6 },
    ...rest,
    break: async (fixture) => {
      const { service } = fixture
      await fixture.queueAll()
      let switches = 0
      const end = service.journal.onEnded(({ endpoint }) => {
        if (switches >= most || !isMoment(endpoint ?? '', fixture)) return
        service.switchCenter(CENTERS.find((id) => id !== service.currentCenterId()) ?? CENTERS[0])
        switches += 1
      })
      fixture.onHeal(end)
      await fixture.resume()
      await fixture.until(() => switches >= most, 6_000)
      await pause(500)
      return switches
    },
  }
}

export const atTheService: readonly FaultClass[] = [
  faultRow(
    'tokens end after a few requests',
    ({ service, random }) => {
      for (let index = 0; index < 10; index += 1)
        service.faults.add('any', expireTokens(), { skip: Math.floor(random() * 4) })
    },
    (fixture) => struckIn(fixture) >= 3,
    { runs: { short: 0, full: 8 }, fixture: TWO_CENTERS },
  ),
  faultRow(
    'tokens end amid a case',
    ({ service }) => service.faults.add('POST /cases', expireTokens(), { times: 3 }),
    (fixture) => struckIn(fixture) >= 3,
    { fixture: TWO_CENTERS },
  ),
  faultRow(
    'asks to wait (429)',
    ({ service }) => service.faults.add('POST /cases', askToWait(429, 2)),
    hasFailure('throttled'),
    { runs: { short: 1, full: 4 }, reports: { failures: ['throttled'], states: ['waiting'] } },
  ),
  faultRow(
    'does not accept the client',
    (fixture) => {
      fixture.service.faults.add('POST /authorize', answerStatus(401, 'json'), { times: 'always' })
      fixture.service.expireTokens()
      // A refused sign-in is not repeated for an hour: a person mends it and tests the connection.
      fixture.onHeal(async () => {
        fixture.service.faults.clear()
        await fixture.supervisor.station()?.value('service.test')
      })
    },
    hasFailure('signedOut'),
    { runs: { short: 1, full: 4 }, reports: { failures: ['signedOut'], states: ['waiting'] } },
  ),
  faultRow(
    'change-center fails',
    ({ service, random }) => {
      const answer = answerStatus(random() < 0.5 ? 422 : 403, 'json')
      service.faults.add('POST /change-center', answer, { times: 'always' })
    },
    hasFailure('centerNotChanged'),
    {
      runs: { short: 1, full: 6 },
      fixture: TWO_CENTERS,
      reports: { failures: ['centerNotChanged'], states: ['waiting'] },
    },
  ),
  faultRow(
    'change-center answers 500',
    ({ service }) =>
      service.faults.add('POST /change-center', answerStatus(500, 'html'), { times: 'always' }),
    hasFailure('centerNotChanged', 'notAnswering'),
    {
      fixture: TWO_CENTERS,
      reports: { failures: ['centerNotChanged', 'notAnswering'], states: ['waiting'] },
    },
  ),
  faultRow(
    'change-center lies, and the list of centers shows it',
    ({ service }) => service.faults.add('POST /change-center', LIE_ABOUT_CENTER, { times: 'always' }),
    () => false,
    { fixture: { ...TWO_CENTERS, isEchoing: true }, withinMs: 2_500 },
  ),
  switchRow(
    'the list of centers shows it',
    6,
    // Between two requests of ours, whichever they are; not each time, or nothing would ever go.
    (endpoint, { random }) => endpoint !== 'POST /authorize' && random() <= 0.4,
    {
      runs: { short: 1, full: 8 },
      fixture: { ...TWO_CENTERS, isEchoing: true },
      reports: { states: ['sent'] },
    },
  ),
  switchRow('nothing shows it', 2, (endpoint) => endpoint === 'POST /change-center', {
    fixture: { ...TWO_CENTERS, isEchoing: false },
  }),
]
