import { describe, expect, it } from 'vitest'
import { stripCredentials } from '../../../../src-main/station/calls/diagnostics.ts'
import { systemName } from '../../../../src-main/station/ports.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { DAY, HOUR } from '../../../../src-shared/durations.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import { MORNING, newSubmission, SERVICE } from '../../../tools/outbox-with.ts'
import { addCase, follow, openAttempt, partsWith, type TestParts, caseIn } from './parts-with.ts'

const VISIT = { history_number: 'H-7', visit_date: '2026-11-20' }

function deliver(test: TestParts, caseId: string, fields: Fields = VISIT): string {
  const id = addCase(test, 'sending', { fields })
  const at = test.clock.now()
  test.outbox.moveSubmission(id, 'deliveredNow', { caseId, sentAt: at }, { at })
  test.outbox.watchReport({ submissionId: id, caseId, destination: { ...SERVICE, centerId: null }, at })
  return id
}

function saveState(test: TestParts, caseId: string, state: string, clientId = SERVICE.clientId): void {
  const unknown = { historyNumber: null, firstName: null, lastName: null, visitDate: null, createdAt: null }
  const listed: ServiceCase = { caseId, state, ...unknown, urgency: null, raw: {} }
  test.outbox.saveCaseStates({ ...SERVICE, clientId, centerId: null }, [listed], test.clock.now())
}

async function listOverdue(test: TestParts): Promise<string[]> {
  const answer = await test.call('submissions.ageing', {})
  return answer.ok ? answer.value.items.map(({ kind, submissionId }) => `${kind} ${submissionId}`) : []
}

describe('the list of overdue cases', () => {
  it('begins empty, and gains a line at each step that lasts too long, the oldest first', async () => {
    const test = await partsWith()
    const captured = test.outbox.createSubmission(newSubmission())
    await test.clock.turn(1)
    const sent = deliver(test, '9')
    const lost = addCase(test, 'unconfirmed')
    expect(await listOverdue(test)).toEqual([])
    await test.clock.turn(HOUR + 2)
    test.outbox.setUrgent(lost, test.clock.now())
    expect(await listOverdue(test)).toEqual([`notConfirmed ${lost}`, `notConfirmed ${sent}`])
    test.outbox.setConfirmed(sent, test.clock.now())
    follow(test, lost, 'discarded')
    await test.clock.turn(DAY)
    expect(await listOverdue(test)).toEqual([`notSent ${captured}`])
    await test.clock.turn(DAY)
    expect(await listOverdue(test)).toEqual([`notSent ${captured}`, `noReport ${sent}`])
    expect(await test.call('submissions.ageing', { limit: 1 })).toMatchObject({
      value: { items: [{ submissionId: captured }], count: 2 },
    })
    test.outbox.saveReportVersion({
      submission_id: sent,
      case_id: '9',
      kind: 'text',
      content_type: 'text/plain',
      size_bytes: 1,
      sha256: 'a',
      file_name: 'a.txt',
      fetched_at: test.clock.now(),
    })
    follow(test, captured, 'discarded')
    expect(await listOverdue(test)).toEqual([])
  })

  it('has a rejected case until the patient was sent again, and not for late images of the same visit', async () => {
    const test = await partsWith()
    const confirm = (caseId: string, fields: Fields = VISIT): string => {
      const id = deliver(test, caseId, fields)
      test.outbox.setConfirmed(id, test.clock.now())
      test.outbox.setNextReportCheck(id, null, test.clock.now())
      return id
    }
    const id = confirm('9')
    saveState(test, '9', 'reject', 'another client')
    expect(await listOverdue(test)).toEqual([])
    saveState(test, '9', 'Rejected')
    await test.clock.turn(3 * DAY)
    expect(await listOverdue(test)).toEqual([`notRedone ${id}`])
    test.outbox.setAddendumTo(confirm('10'), id)
    confirm('11', { ...VISIT, history_number: 'H-8' })
    confirm('12', { ...VISIT, visit_date: '2026-11-19' })
    expect(await listOverdue(test)).toEqual([`notRedone ${id}`])
    confirm('13', { ...VISIT, visit_date: '2026-11-23' })
    expect(await listOverdue(test)).toEqual([])
  })
})

it('shows the raw answer to an attempt, null if none came', async () => {
  const { test, id } = await caseIn('waiting')
  const attemptId = openAttempt(test, id)
  const ask = (): Promise<unknown> => test.call('submissions.answer', { attemptId })
  expect(await ask()).toEqual({ ok: true, value: { answer: null } })
  const answer = { status: 422, body: Buffer.from('{"error":"age"}') }
  const end = { outcome: 'refused', handedOverBytes: 1, failure: null, answer, at: MORNING } as const
  test.outbox.endAttempt(attemptId, end, 'wasRefused', {})
  expect(await ask()).toMatchObject({
    value: { answer: { status: 422, sizeBytes: 15, text: '{"error":"age"}' } },
  })
  expect(await test.call('submissions.answer', { attemptId: 'none' })).toMatchObject({
    failure: { kind: 'notFound' },
  })
})

describe('station.about', () => {
  it('names the station and what it runs on', async () => {
    const test = await partsWith()
    const lent = { version: '0.0.0-test', host: 'headless', system: 'Test 1', runtime: 'Node 24' }
    const own = { stationId: 'station-1', dataFolder: test.folder, secretsKept: 'safe' }
    const protection = { folder: 'closed', disk: 'encrypted' }
    expect(await test.call('station.about', {})).toEqual({
      ok: true,
      value: { ...lent, ...own, protection, proxy: null, startAtLogin: null },
    })
  })

  it('names the proxy of the service that is set, without its credentials', async () => {
    const asked: string[] = []
    const proxies = {
      proxyFor: (url: string) => {
        asked.push(url)
        return Promise.resolve('http://clinic:hush@proxy.example:3128')
      },
    }
    const service = { clientId: 'clinic', callbackUrl: null, referenceField: null }
    const away = await partsWith({ service: { ...service, baseUrl: 'https://a.example/api' } }, { proxies })
    expect(await away.call('station.about', {})).toMatchObject({
      value: { proxy: 'http://proxy.example:3128' },
    })
    const near = await partsWith({ service: { ...service, baseUrl: 'http://127.0.0.1:1' } }, { proxies })
    expect(await near.call('station.about', {})).toMatchObject({ value: { proxy: null } })
    expect(asked).toEqual(['https://a.example/api'])
  })
})

it.each([
  ['http://proxy.example:3128', 'http://proxy.example:3128'],
  ['http://user:p@ss@proxy.example:3128/', 'http://proxy.example:3128'],
  ['user:pass@proxy.example:80', 'proxy.example:80'],
  ['https://[fd00::1]:8080/?token=x', 'https://[fd00::1]:8080'],
  ['http://user:p/w@proxy.example:3128', 'http://proxy.example:3128'],
])('the credentials of %s are left out', (proxy, shown) => {
  expect(stripCredentials(proxy)).toBe(shown)
})

it.each([
  ['win32', 'Windows 11 Pro', '10.0.26100', 'Windows 11 Pro 10.0.26100'],
  ['darwin', 'Darwin Kernel Version 24.1.0: Thu', '24.1.0', 'macOS (Darwin 24.1.0)'],
  ['linux', '#1 SMP PREEMPT', '6.12.4', 'Linux 6.12.4'],
  ['freebsd', 'FreeBSD 14', '14.1', 'freebsd 14.1'],
] as const)('%s has a name that people recognise', (platform, version, release, name) => {
  expect(systemName(platform, version, release)).toBe(name)
})
