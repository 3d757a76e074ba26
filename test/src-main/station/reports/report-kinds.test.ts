/** Every body that a service may answer with, over a real connection, through the loop that asks, onto the disk. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openReports } from '../../../../src-main/station/reports/reports.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { addWaiting, claim, openTestOutbox } from '../../../tools/outbox-with.ts'
import type { Answer, Asked } from '../service/loopback.ts'
import { openService } from '../service/client-with.ts'

const PDF = Buffer.from('%PDF-1.4\nsynthetic\n%%EOF\n')
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex')
const BASE64 = PDF.toString('base64')
const HTML = '<!DOCTYPE html><p>No retinopathy.</p>'
const LATER = { status: 200, json: { later: true } }

type Kept = readonly [kind: string, contentType: string, content: string]

/** Asks a real service for the report of case 9, as often as told, and answers with what was kept, newest first. */
async function keptOf(
  respond: (asked: Asked, number: number) => Answer,
  questions = 1,
): Promise<{ kept: Kept[]; failure: string | null; isDueAgain: boolean; asked: Asked[] }> {
  const test = openTestOutbox()
  const asked: Asked[] = []
  const service = await openService((question) => {
    asked.push(question)
    return respond(question, asked.length)
  })
  const destination = { ...service.client.identity, centerId: null }
  const id = addWaiting(test)
  claim(test, id)
  const at = service.clock.now()
  test.outbox.submissions.transition(id, 'deliveredNow', { caseId: '9', sentAt: at }, { at })
  test.outbox.reports.watch({ submissionId: id, caseId: '9', destination, at })
  const folder = join(test.folder, 'reports')
  const done: number[] = []
  const reports = openReports({
    outbox: {
      ...test.outbox,
      reports: {
        ...test.outbox.reports,
        setNextCheck: (...all) => void done.push(test.outbox.reports.setNextCheck(...all) ?? 0),
      },
    },
    clock: service.clock,
    logger: createRecordingLogger(),
    settings: () => settingsSchema.parse({}),
    folder,
    source: () => ({
      identity: service.client.identity,
      troubledUntil: () => null,
      getReport: (watch) => service.client.getReport(watch.case_id),
      listCases: () => service.client.listCases(),
      learnFromList: () => Promise.resolve(),
    }),
  })
  onTestFinished(() => reports.close())
  for (let count = 1; count <= questions; count += 1) {
    await vi.waitFor(() => expect(done).toHaveLength(count), { timeout: 5_000, interval: 5 })
    if (count === questions) break
    test.outbox.reports.postponeCheck(id, at)
    reports.wake()
  }
  const kept = test.outbox.reports
    .versionsOf('9')
    .map((row): Kept => [row.kind, row.content_type, readFileSync(join(folder, row.file_name), 'latin1')])
  const watch = test.outbox.reports.dueWatches(Number.MAX_SAFE_INTEGER)[0]
  const failure = (watch as { failure?: string | null } | undefined)?.failure ?? null
  return { kept, failure, isDueAgain: watch !== undefined, asked }
}

const pdf: Kept = ['pdf', 'application/pdf', PDF.toString('latin1')]

describe('what the service answers for a report', () => {
  it.each<[string, Answer, Kept]>([
    ['PDF bytes', { text: PDF, headers: { 'content-type': 'application/pdf' } }, pdf],
    ['PDF bytes under a wrong label', { text: PDF, headers: { 'content-type': 'text/html' } }, pdf],
    ['a base64 PDF in JSON', { json: { report: BASE64 } }, pdf],
    ['a base64 PDF in an envelope', { json: { success: true, content: BASE64 } }, pdf],
    ['a base64 PDF with line breaks', { json: { content: BASE64.replace(/.{8}/g, '$&\r\n') } }, pdf],
    ['a base64 PDF with a data: prefix', { json: { pdf: `data:application/pdf;base64,${BASE64}` } }, pdf],
    ['findings', { json: { od: { dr: 'none' } } }, ['json', 'application/json', '{"od":{"dr":"none"}}']],
    [
      'HTML',
      { text: HTML, headers: { 'content-type': 'text/html; charset=utf-8' } },
      ['html', 'text/html;charset=utf-8', HTML],
    ],
    [
      'an image',
      { text: PNG, headers: { 'content-type': 'image/png' } },
      ['image', 'image/png', PNG.toString('latin1')],
    ],
    [
      'plain text',
      { text: 'No retinopathy.', headers: { 'content-type': 'text/plain' } },
      ['text', 'text/plain;charset=utf-8', 'No retinopathy.'],
    ],
    [
      'a link to elsewhere',
      { json: { url: 'https://elsewhere.example/r.pdf' } },
      ['link', 'text/uri-list', 'https://elsewhere.example/r.pdf'],
    ],
  ])('%s is kept as it is', async (_what, answer, expected) => {
    const { kept, failure } = await keptOf(() => answer)
    expect([kept, failure]).toEqual([[expected], null])
  })

  it('a link to itself is followed under the token', async () => {
    const { kept, asked } = await keptOf(({ path }) =>
      path.endsWith('/files/9.pdf') ? { text: PDF } : { json: { report_url: '/files/9.pdf' } },
    )
    expect(kept).toEqual([pdf])
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t1'])
  })

  it.each<[string, Answer]>([
    ['404', { status: 404, json: { message: 'no report' } }],
    ['202', { status: 202, text: '' }],
    ['204', { status: 204 }],
    ['null', { json: null }],
    ['an empty content', { json: { success: true, content: '' } }],
    ['a null content', { json: { success: true, content: null } }],
    ['an empty body', { text: '' }],
    ['success:false', { json: { success: false, content: 'The report is not ready' } }],
  ])('%s is no report yet, no failure, and is asked for again', async (_what, answer) => {
    const { kept, failure, isDueAgain } = await keptOf(() => answer)
    expect([kept, failure, isDueAgain]).toEqual([[], null, true])
  })

  it.each<[string, Answer, string]>([
    ['500', { status: 500, text: 'oops' }, 'notAnswering'],
    ['bytes that are nothing', { text: Buffer.from([0, 1, 2, 3, 0xff, 0xfe]) }, 'answerUnreadable'],
  ])('%s is never kept as a report, and is asked for again', async (_what, answer, kind) => {
    const { kept, failure, isDueAgain } = await keptOf(() => answer)
    expect([kept, isDueAgain]).toEqual([[], true])
    expect(failure).toContain(kind)
  })

  it('a change is a version, going back is the latest again, and nothing in between takes one away', async () => {
    const answers: Answer[] = [
      LATER,
      { text: PDF },
      { text: PDF },
      { text: 'Withdrawn.' },
      { status: 404 },
      { text: PDF },
    ]
    const { kept } = await keptOf((_asked, number) => answers[number - 1] ?? LATER, answers.length)
    expect(kept).toEqual([
      pdf,
      ['text', 'text/plain;charset=utf-8', 'Withdrawn.'],
      ['json', 'application/json', '{"later":true}'],
    ])
  })
})
