import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReportKind } from '../../../../src-shared/report.ts'
import { MORNING, PLACE } from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'
import { partsWith, type TestParts } from './parts-with.ts'

describe('the reports', () => {
  function keep(test: TestParts, caseId: string, kind: ReportKind, content: string): void {
    mkdirSync(test.reportsFolder, { recursive: true })
    writeFileSync(join(test.reportsFolder, `${kind}.file`), content)
    test.outbox.reports.saveVersion({
      submission_id: test.outbox.submissions.byCase(caseId, PLACE)?.id ?? '',
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
    const submissionId = test.outbox.submissions.byCase('77', PLACE)?.id ?? ''
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
    expect(test.outbox.reports.dueWatches(MORNING)).toMatchObject([{ case_id: '78' }])
    expect(test.done).toEqual(['status', 'wake reports'])
  })
})
