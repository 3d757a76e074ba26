import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { submissionCells } from '../../../../src-main/station/calls/csv-export.ts'
import {
  addTestImage,
  addWaiting,
  claim,
  MORNING,
  newSubmission,
  someBytes,
} from '../../../tools/outbox-with.ts'
import { partsWith } from './parts-with.ts'

describe('cases as a file', () => {
  it('has a line for each, in the order that was asked for, and no cell that a spreadsheet would compute', async () => {
    const test = await partsWith()
    const fields = {
      history_number: '00017',
      last_name: '=HYPERLINK("https://evil.example")',
      first_name: 'Zo\u00eb "Z", the\nsecond',
      visit_date: '2026-11-20',
    }
    const sent = addWaiting(test, { fields, centerId: '101', images: [{ bytes: someBytes() }] })
    addTestImage(test, sent, { bytes: someBytes(), eye: 'left' })
    addTestImage(test, sent, { bytes: someBytes(), eye: 'left' })
    const leftOut = addTestImage(test, sent, { bytes: someBytes(), eye: 'right' })
    test.outbox.images.setExcluded(leftOut, 'blurred')
    claim(test, sent, '101')
    test.outbox.submissions.transition(
      sent,
      'deliveredNow',
      { caseId: '88412', sentAt: MORNING },
      { at: MORNING },
    )
    test.outbox.submissions.setConfirmed(sent, MORNING + 3_000)
    const collecting = test.outbox.submissions.create(newSubmission({ fields: {} }))
    const answer = await test.call('submissions.export', { ids: [collecting, sent, collecting, 'gone'] })
    if (!answer.ok) throw new Error('no file')
    const { csv, fileName } = answer.value
    expect(fileName).toMatch(/^fundus-courier-cases_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.csv$/)
    expect(csv.startsWith('\ufeff"reference","state","history_number",')).toBe(true)
    expect(csv.endsWith('\r\n')).toBe(true)
    const rows = parse(csv, { bom: true, columns: true })
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({ state: 'collecting', history_number: '', images_od: '0', sent: '' })
    expect(rows[1]).toMatchObject({
      reference: test.outbox.submissions.row(sent)?.reference,
      state: 'sent',
      history_number: '00017',
      last_name: `'${fields.last_name}`,
      first_name: fields.first_name,
      visit_date: '2026-11-20',
      images_od: '1',
      images_os: '2',
      images_without_eye: '0',
      attempts: '1',
      center: '101',
      case_id: '88412',
      reason: '',
    })
    const { sent: sentCell = '', confirmed = '' } = rows[1] as Record<string, string>
    expect([Date.parse(sentCell), Date.parse(confirmed)]).toEqual([MORNING, MORNING + 3_000])
  })

  it('leaves a line in the trail of each case, with who and why and without values', async () => {
    const test = await partsWith()
    const ids = [addWaiting(test), addWaiting(test)]
    await test.call('submissions.export', { ids, by: 'QX', why: 'monthly list' })
    for (const submissionId of ids)
      expect(test.outbox.audit.list({ submissionId, what: ['exported'], limit: 9 })).toMatchObject([
        { by: 'QX', at: MORNING, details: { why: 'monthly list' } },
      ])
  })

  it('is none where no case of the list is there, and then nothing stands in the trail', async () => {
    const test = await partsWith()
    expect(await test.call('submissions.export', { ids: ['gone'] })).toMatchObject({
      ok: false,
      failure: { kind: 'notFound' },
    })
    expect(test.outbox.audit.list({ what: ['exported'], limit: 9 })).toEqual([])
  })

  it('holds thousands', async () => {
    const test = await partsWith()
    const ids = test.outbox.write(() =>
      Array.from({ length: 1_200 }, () => test.outbox.submissions.create(newSubmission())),
    )
    const answer = await test.call('submissions.export', { ids })
    const rows = answer.ok ? parse(answer.value.csv, { bom: true, columns: true }) : []
    expect(rows.map((row) => (row as { reference: string }).reference)).toEqual(
      ids.map((id) => test.outbox.submissions.row(id)?.reference),
    )
  })
})

it('says why a case stands: what the service said, and all that a person has to complete', async () => {
  const test = await partsWith()
  const id = addWaiting(test)
  const submission = test.outbox.submissions.get(id)
  if (!submission) throw new Error('no case')
  const reason = (change: Partial<typeof submission>): string | undefined =>
    submissionCells({ ...submission, ...change }, 60).at(-1)
  const failure = { kind: 'serviceRefused', message: 'No.' } as const
  expect(reason({ failure: { ...failure, serviceSaid: 'gender is required' } })).toBe('gender is required')
  expect(reason({ failure })).toBe('No.')
  const reasons = [
    { kind: 'eyeUnknown', message: 'Choose R or L.' },
    { kind: 'fieldMissing', message: 'Enter the date.' },
  ] as const
  expect(reason({ reasons: [...reasons] })).toBe('Choose R or L. Enter the date.')
  expect(submissionCells(submission, 60).at(-4)).toBe('2026-11-20T10:00:00.000+01:00')
})
