import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { ReportDone, ReportKind } from '../../../../src-shared/report.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { MORNING, SERVICE as PRACTICE } from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'
import { partsWith, type TestParts } from './parts-with.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }

describe('the cases of the service', () => {
  it('are listed with our submissions beside them, and cached for a moment', async () => {
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
    expect(await list({ search: 'none' })).toMatchObject({ value: { items: [] } })
    expect(test.service.asked).toEqual(['list'])
    await list({ refresh: true })
    await test.clock.turn(30_000)
    await list({})
    expect(test.service.asked).toEqual(['list', 'list', 'list'])
  })

  it('are beside our submissions to the service that they were read from, and to no other', async () => {
    const test = await partsWith()
    const id = sentCase(test, '77')
    const others = Array.from({ length: 300 }, (_, index) => ({ caseId: String(1_000 + index) }))
    for (const one of [...others, { caseId: '77' }]) test.service.addCase(one, null)
    const paired = async (): Promise<unknown> => {
      const list = await test.call('cases.list', {})
      return list.ok ? list.value.items.find(({ caseId }) => caseId === '77')?.submissionId : list.failure
    }
    const delivery = test.parts.delivery()
    const setService = (identity: typeof PRACTICE): void => void Object.assign(delivery ?? {}, { identity })
    await paired()
    const reading = paired()
    setService({ ...PRACTICE, clientId: 'another' })
    expect(await reading).toBe(id)
    expect(await paired()).toBeNull()
    expect(test.service.asked).toEqual(['list', 'list'])
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

describe('a connection test', () => {
  it('shows the stored secret to no other address than the one it was entered for', async () => {
    const test = await partsWith()
    const other = { ...SERVICE, baseUrl: 'https://elsewhere.example/' }
    expect(await test.call('service.test', { service: other })).toMatchObject({
      failure: { kind: 'badRequest' },
    })
    expect(test.service.asked).toEqual([])
  })

  it('of what is set is made with the stored secret, and never with the one of a file that names another service', async () => {
    const { service } = settingsSchema.parse({ service: { ...SERVICE, clientSecret: 'of the file' } })
    const test = await partsWith(service && { service })
    await test.call('service.test', {})
    expect(test.done.filter((what) => what.startsWith('try'))).toEqual(['try with the stored secret'])
  })

  it('runs apart from the cases being sent only if it signs in with their credentials', async () => {
    const test = await partsWith()
    const own = { baseUrl: PRACTICE.baseUrl, clientId: PRACTICE.clientId, clientSecret: 's' }
    for (const service of [own, { ...own, clientId: 'another' }]) await test.call('service.test', { service })
    expect(test.done.filter((what) => what === 'apart')).toHaveLength(1)
  })

  it('passes step by step, and closes its client', async () => {
    const test = await partsWith()
    const ok = { kind: 'passed' }
    expect(await test.call('service.test', { service: { ...SERVICE, clientSecret: 's' } })).toMatchObject({
      value: { reachable: ok, signedIn: ok, centersListed: ok, centers: [] },
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
  function save(test: TestParts, caseId: string, kind: ReportKind, content: string): void {
    mkdirSync(test.reportsFolder, { recursive: true })
    writeFileSync(join(test.reportsFolder, `${kind}.file`), content)
    test.outbox.saveReportVersion({
      submission_id: test.outbox.submissionByCase(caseId, PRACTICE)?.id ?? '',
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
    save(test, '77', 'pdf', '%PDF-')
    save(test, '77', 'html', '<script>')
    save(test, '77', 'json', '{"dr":1}')
    save(test, '77', 'text', 'No retinopathy.')
    save(test, '77', 'link', 'https://service.example/r/1')
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
    save(test, '77', 'text', 'No retinopathy.')
    const submissionId = test.outbox.submissionByCase('77', PRACTICE)?.id ?? ''
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

  it('stay open until someone has written what was done, and again once a newer version comes', async () => {
    const test = await partsWith()
    sentCase(test, '77')
    save(test, '77', 'text', 'No retinopathy.')
    const done = async () => {
      const { value } = (await test.call('reports.list', {})) as { value: { items: { done: unknown }[] } }
      return value.items.map((one) => one.done)
    }
    const latest = () => test.outbox.reportVersionsOf('77')[0]?.id
    const mark = (what: ReportDone['what'] | null, caseId = '77', version = latest()) =>
      test.call('reports.markDone', { caseId, what, version, by: 'AB' })
    expect(await mark('patientReferred')).toMatchObject({ ok: true })
    expect(await done()).toEqual([{ what: 'patientReferred', by: 'AB', at: MORNING }])
    await mark(null)
    expect(await done()).toEqual([null])
    await mark('nothingToDo')
    // Another window, which asks still.
    expect(await mark('letterWritten')).toMatchObject({ failure: { kind: 'changed' } })
    const older = latest()
    save(test, '77', 'json', '{}')
    expect(await done()).toEqual([null])
    // What was not shown is not answered.
    expect(await mark('nothingToDo', '77', older)).toMatchObject({ failure: { kind: 'changed' } })
    expect(await done()).toEqual([null])
    expect(await mark('nothingToDo', '78')).toMatchObject({ failure: { kind: 'notFound' } })
    const trail = test.outbox.listAudit({ limit: 3 })
    expect(trail.map(({ what, by }) => `${what} ${by}`)).toEqual([
      'nothingToDo AB',
      'reportReopened AB',
      'patientReferred AB',
    ])
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
    save(test, '77', 'text', 'x')
    expect(await test.call('reports.list', {})).toMatchObject({
      value: { items: [{ caseId: '77', readAt: null }], awaiting: 1 },
    })
    await test.call('reports.markRead', { caseId: '77' })
    expect(await test.call('reports.list', {})).toMatchObject({ value: { items: [{ readAt: MORNING }] } })
    await test.call('reports.markRead', { caseId: '77', isRead: false })
    expect(await test.call('reports.list', {})).toMatchObject({ value: { items: [{ readAt: null }] } })
    await test.call('reports.check', {})
    expect(test.outbox.dueReportWatches(MORNING)).toMatchObject([{ case_id: '78' }])
    expect(test.done).toEqual(['status', 'status', 'wake reports'])
  })
})
