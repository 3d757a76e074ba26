import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { ReportKind } from '../../../../src-shared/report.ts'
import { addWaiting, MORNING, claim, PLACE } from '../../../tools/outbox-with.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { partsWith, type TestParts } from './parts-with.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }

function sentCase(test: TestParts, caseId: string, centerId: string | null = null): string {
  const id = addWaiting(test, { centerId })
  claim(test, id, centerId)
  test.outbox.moveSubmission(id, 'deliveredNow', { caseId, sentAt: MORNING }, { at: MORNING })
  test.outbox.watchReport({
    submissionId: id,
    caseId,
    destination: { ...PLACE, centerId },
    at: MORNING + 9_000,
  })
  return id
}

describe('a pause', () => {
  it('lasts until somebody ends it, or for so many seconds, and stands in the trail', async () => {
    const test = await partsWith()
    await test.call('station.pause', {})
    await test.call('station.pause', { seconds: 90 })
    await test.call('station.resume', {})
    expect(test.done).toEqual(['pause untilResumed', `pause ${MORNING + 90_000}`, 'pause null', 'retryNow'])
    expect(test.outbox.listAudit({ limit: 9 }).map(({ what }) => what)).toEqual([
      'resumed',
      'paused',
      'paused',
    ])
  })
})

describe('the settings', () => {
  it('are changed by section, applied, and never show the secret', async () => {
    const test = await partsWith()
    const answer = await test.call('settings.update', {
      service: { ...SERVICE, clientSecret: 'very secret' },
      requiredFields: ['age'],
    })
    expect(answer).toMatchObject({
      ok: true,
      value: { service: { ...SERVICE, hasClientSecret: true }, requiredFields: ['age'] },
    })
    expect(test.done).toEqual(['apply service'])
    expect(
      JSON.stringify([answer, await test.call('settings.get', {}), test.outbox.listAudit({ limit: 9 })]),
    ).not.toContain('very secret')
    expect(test.outbox.listAudit({ limit: 1 })).toMatchObject([
      { what: 'settingsChanged', details: { sections: ['service', 'requiredFields'] } },
    ])
  })

  it('of a service without any secret are refused, and nothing is applied', async () => {
    const test = await partsWith()
    expect(await test.call('settings.update', { service: SERVICE })).toMatchObject({
      failure: { kind: 'badRequest' },
    })
    expect(test.done).toEqual([])
  })

  it('of the center are changed by a call of their own, and that stands in the trail, too', async () => {
    const test = await partsWith({ centerId: '101' })
    expect(await test.call('centers.change', { centerId: '102' })).toMatchObject({ ok: true })
    expect(await test.call('settings.get', {})).toMatchObject({ value: { centerId: '102' } })
    expect(test.done.filter((what) => what.startsWith('apply'))).toEqual(['apply'])
    expect(test.outbox.listAudit({ limit: 1 })).toMatchObject([{ what: 'settingsChanged' }])
  })

  it.each<[string, string[] | null, string, boolean]>([
    ['one of the list', ['101', '102'], '102', true],
    ['one that the list does not know', ['101', '102'], '103', false],
    ['any, where the list cannot be read, and the trail says so', null, '103', true],
    ['any, where the list names none', [], '103', true],
  ])('of the center take %s', async (_name, listed, centerId, isTaken) => {
    const test = await partsWith({ centerId: '101' })
    test.service.listCenters = () =>
      Promise.resolve(
        listed === null
          ? { ok: false, failure: failureOf('notAnswering') }
          : { ok: true, value: listed.map((id) => ({ centerId: id, name: null, isCurrent: null })) },
      )
    const answer = await test.call('centers.change', { centerId, by: 'AB', why: 'moved' })
    const kept = { value: { centerId: isTaken ? centerId : '101' } }
    expect(await test.call('settings.get', {})).toMatchObject(kept)
    if (!isTaken) {
      const message = expect.stringContaining('nothing was changed') as string
      expect(answer).toMatchObject({ failure: { kind: 'badRequest', message } })
      expect(test.outbox.listAudit({ limit: 1 })).toEqual([])
    } else
      expect(test.outbox.listAudit({ limit: 1 })).toMatchObject([
        { by: 'AB', details: { centerId, why: 'moved', isListed: (listed ?? []).length > 0 } },
      ])
  })
})

describe('the cases of the service', () => {
  it('are listed with our submissions beside them, and kept for a moment', async () => {
    const test = await partsWith()
    const id = sentCase(test, '77')
    test.service.addCase({ caseId: '77', historyNumber: 'H-9' }, null)
    test.service.addCase({ caseId: '78', lastName: 'Müller' }, null)
    const list = (input: object): Promise<unknown> => test.call('cases.list', input)
    expect(await list({})).toMatchObject({
      value: {
        items: [
          {
            caseId: '77',
            submissionId: id,
            reference: test.outbox.submissionOf(id)?.reference,
            hasReport: false,
          },
          { caseId: '78', submissionId: null, reference: null, hasReport: false },
        ],
        readAt: MORNING,
        centerId: null,
      },
    })
    expect(await list({ search: 'müller' })).toMatchObject({ value: { items: [{ caseId: '78' }] } })
    expect(await list({ search: 'nobody' })).toMatchObject({ value: { items: [] } })
    expect(test.service.asked).toEqual(['list'])
    await list({ refresh: true })
    await test.clock.turn(30_000)
    await list({})
    expect(test.service.asked).toEqual(['list', 'list', 'list'])
  })

  it('are asked for one by one under the center that they were made for', async () => {
    const test = await partsWith({ centerId: '101' })
    sentCase(test, '77', '102')
    test.service.addCase({ caseId: '77' }, '102')
    expect(await test.call('cases.get', { id: '77' })).toMatchObject({ value: { caseId: '77' } })
    expect(test.done.at(-1)).toBe('ask under 102')
    expect(await test.call('cases.get', { id: '99' })).toMatchObject({ failure: { kind: 'notFound' } })
    expect(test.done.at(-1)).toBe('ask under 101')
  })

  it('cannot be had without a service', async () => {
    const test = await partsWith()
    test.hasDelivery = false
    for (const [name, input] of [
      ['cases.list', {}],
      ['cases.get', { id: '1' }],
      ['centers.list', {}],
      ['service.test', {}],
    ] as const)
      expect(await test.call(name, input)).toMatchObject({ failure: { kind: 'serviceNotSet' } })
  })
})

describe('a trial of the service', () => {
  it('shows the kept secret to no other address than the one it was entered for', async () => {
    const test = await partsWith()
    const other = { ...SERVICE, baseUrl: 'https://elsewhere.example/' }
    expect(await test.call('service.test', { service: other })).toMatchObject({
      failure: { kind: 'badRequest' },
    })
    expect(test.service.asked).toEqual([])
  })

  it('of what is set is made with the kept secret, and never with the one of a file that names another service', async () => {
    const { service } = settingsSchema.parse({ service: { ...SERVICE, clientSecret: 'of the file' } })
    const test = await partsWith(service && { service })
    await test.call('service.test', {})
    expect(test.done.filter((what) => what.startsWith('try'))).toEqual(['try with the kept secret'])
  })

  it('keeps clear of the cases under way where it signs in with their credentials, and only there', async () => {
    const test = await partsWith()
    const own = { baseUrl: PLACE.baseUrl, clientId: PLACE.clientId, clientSecret: 's' }
    for (const service of [own, { ...own, clientId: 'another' }]) await test.call('service.test', { service })
    expect(test.done.filter((what) => what === 'apart')).toHaveLength(1)
  })

  it('passes step by step, and closes its client', async () => {
    const test = await partsWith()
    const passed = { kind: 'passed' }
    expect(await test.call('service.test', { service: { ...SERVICE, clientSecret: 's' } })).toMatchObject({
      value: { reachable: passed, signedIn: passed, centersListed: passed, centers: [] },
    })
    expect(test.service.asked.at(-1)).toBe('closed')
  })

  it.each([
    ['offline', 'failed', 'notTried'],
    ['notTrusted', 'failed', 'notTried'],
    ['signedOut', 'passed', 'failed'],
    ['throttled', 'passed', 'failed'],
  ] as const)('that ends with %s: reachable %s, signed in %s', async (kind, reachable, signedIn) => {
    const test = await partsWith()
    test.service.trouble = failureOf(kind)
    expect(await test.call('service.test', { service: { ...SERVICE, clientSecret: 's' } })).toMatchObject({
      value: {
        reachable: { kind: reachable },
        signedIn: { kind: signedIn },
        centersListed: { kind: 'notTried' },
      },
    })
    expect(test.service.asked.at(-1)).toBe('closed')
  })
})

describe('the reports', () => {
  function keep(test: TestParts, caseId: string, kind: ReportKind, content: string): void {
    mkdirSync(test.reportsFolder, { recursive: true })
    writeFileSync(join(test.reportsFolder, `${kind}.file`), content)
    test.outbox.keepReportVersion({
      submission_id: test.outbox.submissionByCase(caseId, PLACE)?.id ?? '',
      case_id: caseId,
      kind,
      content_type: 'x/y',
      size_bytes: content.length,
      sha256: kind,
      file_name: `${kind}.file`,
      fetched_at: MORNING,
    })
  }

  it('carry JSON, text and links with them, and never HTML or bytes', async () => {
    const test = await partsWith()
    sentCase(test, '77')
    keep(test, '77', 'pdf', '%PDF-')
    keep(test, '77', 'html', '<script>')
    keep(test, '77', 'json', '{"dr":1}')
    keep(test, '77', 'text', 'No retinopathy.')
    keep(test, '77', 'link', 'https://service.example/r/1')
    const answer = await test.call('reports.get', { caseId: '77' })
    const versions = answer.ok ? answer.value.versions : []
    expect(versions.map(({ kind, json, text }) => [kind, json ?? text ?? null])).toEqual([
      ['link', 'https://service.example/r/1'],
      ['text', 'No retinopathy.'],
      ['json', { dr: 1 }],
      ['html', null],
      ['pdf', null],
    ])
  })

  it('say whose they are, and are those of the submission that is asked for', async () => {
    const test = await partsWith()
    sentCase(test, '77')
    keep(test, '77', 'text', 'No retinopathy.')
    const submissionId = test.outbox.submissionByCase('77', PLACE)?.id ?? ''
    for (const asked of [{ caseId: '77' }, { caseId: '77', submissionId }])
      expect(await test.call('reports.get', asked)).toMatchObject({ value: { caseId: '77', submissionId } })
    const other = { caseId: '77', submissionId: 'another' }
    expect(await test.call('reports.get', other)).toMatchObject({ failure: { kind: 'notFound' } })
    await test.call('reports.markRead', other)
    expect(await test.call('reports.list', { submissionId })).toMatchObject({
      value: { items: [{ readAt: null }] },
    })
    expect(await test.call('reports.list', { submissionId: 'another' })).toMatchObject({
      value: { items: [] },
    })
  })

  it('are not ready, or of no case that is ours', async () => {
    const test = await partsWith()
    sentCase(test, '77')
    expect(await test.call('reports.get', { caseId: '77' })).toMatchObject({ failure: { kind: 'notReady' } })
    expect(await test.call('reports.get', { caseId: '99' })).toMatchObject({ failure: { kind: 'notFound' } })
  })

  it('are listed, marked as read, and asked for on demand', async () => {
    const test = await partsWith()
    sentCase(test, '77')
    sentCase(test, '78')
    keep(test, '77', 'text', 'x')
    expect(await test.call('reports.list', {})).toMatchObject({
      value: { items: [{ caseId: '77', readAt: null }], awaiting: 1 },
    })
    await test.call('reports.markRead', { caseId: '77' })
    expect(await test.call('reports.list', {})).toMatchObject({ value: { items: [{ readAt: MORNING }] } })
    await test.call('reports.check', {})
    expect(test.outbox.dueReportWatches(MORNING)).toMatchObject([{ case_id: '78' }])
    expect(test.done).toEqual(['status', 'wake reports'])
  })
})

it('ends the station where somebody asks for it', async () => {
  const test = await partsWith()
  expect(await test.call('station.stop', {})).toMatchObject({ ok: true })
  expect(test.done).toEqual(['stop'])
})

it('decides about files of a watched folder only', async () => {
  const test = await partsWith()
  expect(await test.call('folders.decideExisting', { path: '/none', existing: 'include' })).toMatchObject({
    failure: { kind: 'notFound' },
  })
  expect(await test.call('folders.countExisting', { path: '/none' })).toMatchObject({
    failure: { kind: 'notFound' },
  })
})

it('counts the old files of a folder, and takes those since a day', async () => {
  const test = await partsWith()
  await test.call('settings.update', { folders: [{ path: '/exports', existing: 'ask' }] })
  const at = new Date(2026, 10, 1).getTime()
  for (const [relativePath, mtimeMs] of [
    ['old.jpg', at - 1],
    ['new.jpg', at],
  ] as const)
    test.outbox.markSeen({ folderPath: '/exports', relativePath, sizeBytes: 1, mtimeMs }, 'ignored', null, 1)
  const since = '2026-11-01'
  expect(await test.call('folders.countExisting', { path: '/exports', since })).toEqual({
    ok: true,
    value: { count: 2, sinceCount: 1, oldestAt: at - 1, newestAt: at },
  })
  const decision = { path: '/exports', existing: 'since', since }
  expect(await test.call('folders.decideExisting', decision)).toMatchObject({ ok: true })
  expect(await test.call('folders.countExisting', { path: '/exports' })).toMatchObject({
    value: { count: 1 },
  })
})
