import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import {
  csvLine,
  escapeFormula,
  exportAudit,
  isoWithOffset,
  submissionCells,
} from '../../../../src-main/station/calls/oversight.ts'
import { addWaiting, MORNING, newSubmission, openTestOutbox } from '../../../tools/outbox-with.ts'
import { fc, runs } from '../../../tools/property.ts'
import { addCase, addEye, openAttempt, partsWith } from './parts-with.ts'

/** Independent of the guard on purpose: what a spreadsheet takes for the beginning of a formula. */
const STARTERS = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠', '﹢', '﹣', '﹦', '﹫', '−']
const IN_FRONT = ['', ' ', '"', "'", ' "', '\u00a0', '\u200b', '\u0000', '\ufeff', '\u3000', '\n', '\u202e ']

function beginsFormula(cell: string): boolean {
  if (cell.startsWith("'")) return false
  const bare = /[^\s"'\p{Z}\p{C}]/u.exec(cell)?.[0] ?? ''
  return STARTERS.includes(bare) || /^[\t\r\n]/.test(cell)
}

/** Texts of the characters that matter and any others. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...STARTERS, ...IN_FRONT, ';', '|', ',', '\r\n', 'cmd|x!A1'),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

describe('a cell', () => {
  it.each(STARTERS.flatMap((starter) => IN_FRONT.map((front) => [JSON.stringify(front + starter)])))(
    'that begins with %s becomes text',
    (text) => {
      const cell = JSON.parse(text) as string
      expect(escapeFormula(`${cell}SUM(A1)`)).toBe(`'${escapeFormula(`${cell}SUM(A1)`).slice(1)}`)
      expect(beginsFormula(escapeFormula(`${cell}SUM(A1)`))).toBe(false)
    },
  )

  it('of ordinary text and numbers does not change, but for a program that uses another separator', () => {
    for (const text of ['', 'H-00017', 'Ready to check', '12', 'a=b', '{"from":"review"}', '¿Ya?'])
      expect(escapeFormula(text)).toBe(text)
    expect(escapeFormula('a;=1+1|@x\n+2')).toBe("a;'=1+1|'@x\n'+2")
  })

  it('of any text begins no formula, and parses back to what was written', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 9 }), (cells) => {
        const line = csvLine(cells)
        const [parsed] = parse(line, { relax_column_count: true, record_delimiter: '\r\n' })
        expect(parsed).toEqual(cells.map(escapeFormula))
        expect(parsed?.some(beginsFormula)).toBe(false)
        // Nothing is lost but what was put in front.
        expect(
          cells.every((cell) => escapeFormula(cell).replaceAll("'", '') === cell.replaceAll("'", '')),
        ).toBe(true)
        for (const piece of line.split(/[;|\t\r\n]/).slice(1)) expect(beginsFormula(piece)).toBe(false)
      }),
      { numRuns: runs(2_000) },
    )
  })
})

describe('cases as a file', () => {
  it('has a line for each, in the requested order, and no cell that a spreadsheet would compute', async () => {
    const test = await partsWith()
    const fields = {
      history_number: '00017',
      last_name: '=HYPERLINK("https://evil.example")',
      first_name: 'Zo\u00eb "Z", the\nsecond',
      visit_date: '2026-11-20',
    }
    const sent = addCase(test, 'waiting', { fields, centerId: '101' })
    for (const eye of ['left', 'left'] as const) addEye(test, sent, { eye })
    test.outbox.setExcluded(addEye(test, sent), 'blurred')
    openAttempt(test, sent)
    const patch = { caseId: '88412', sentAt: MORNING }
    test.outbox.moveSubmission(sent, 'deliveredNow', patch, { at: MORNING })
    test.outbox.setConfirmed(sent, MORNING + 3_000)
    const collecting = test.outbox.createSubmission(newSubmission({ fields: {} }))
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
      reference: test.outbox.rowOf(sent)?.reference,
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

  it('is none if no case of the list exists, and then the trail has no entry', async () => {
    const test = await partsWith()
    const answer = await test.call('submissions.export', { ids: ['gone'] })
    expect(answer).toMatchObject({ failure: { kind: 'notFound' } })
    expect(test.outbox.listAudit({ what: ['exported'], limit: 9 })).toEqual([])
  })
})

it('a line says why a case is not sent: what the service said, and all that a person has to complete', async () => {
  const test = await partsWith()
  const id = addWaiting(test)
  const submission = test.outbox.submissionOf(id)
  if (!submission) throw new Error('no case')
  const reason = (change: Partial<typeof submission>): string | undefined =>
    submissionCells({ ...submission, ...change }).at(-1)
  const failure = { kind: 'serviceRefused', message: 'No.' } as const
  expect(reason({ failure: { ...failure, serviceSaid: 'gender is required' } })).toBe('gender is required')
  expect(reason({ failure })).toBe('No.')
  const reasons = [
    { kind: 'eyeUnknown', message: 'Choose R or L.' },
    { kind: 'fieldMissing', message: 'Enter the date.' },
  ] as const
  expect(reason({ reasons: [...reasons] })).toBe('Choose R or L. Enter the date.')
  expect(submissionCells(submission).at(-4)).toBe(isoWithOffset(MORNING))
})

describe('the trail as a file', () => {
  it('has a line for every entry, oldest first, with who, why and from where to where', async () => {
    const test = await partsWith()
    const id = test.outbox.createSubmission(newSubmission())
    test.outbox.moveSubmission(id, 'gatheredForReview', {}, { at: MORNING + 1 })
    await test.call('submissions.hold', { ids: [id], by: '=AB', why: 'wrong "patient"?\r\n@ask' })
    const answer = await test.call('audit.export', { submissionId: id })
    if (!answer.ok) throw new Error('no file')
    const { csv, entries, fileName } = answer.value
    expect(fileName).toMatch(/^fundus-courier-audit_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.csv$/)
    expect(csv.startsWith('\ufeff"id","time","reference","what","from","to","by","why","details"\r\n')).toBe(
      true,
    )
    const rows = parse(csv, { bom: true, columns: true })
    expect(entries).toBe(3)
    const reference = test.outbox.rowOf(id)?.reference
    expect(rows).toMatchObject([
      { id: '1', reference, what: 'added', from: '', to: '', by: '', why: '' },
      { what: 'gatheredForReview', from: 'collecting', to: 'review', by: '' },
      {
        what: 'held',
        from: 'review',
        to: 'held',
        by: "'=AB",
        why: 'wrong "patient"?\r\n\'@ask',
        details: '',
      },
    ])
  })

  it('follows the filter, and says in its name if it is incomplete', async () => {
    const { outbox } = openTestOutbox()
    outbox.write(() => {
      for (let index = 0; index < 4_500; index += 1) {
        const what = index % 2 === 0 ? 'even' : 'odd'
        outbox.appendAudit({ at: index, submissionId: null, what, by: null, details: { index } })
      }
    })
    const all = await exportAudit(outbox, { what: ['even'], since: 100, until: 4_400 }, MORNING)
    expect(all.entries).toBe(2_150)
    const rows = parse(all.csv, { bom: true, columns: true })
    expect(new Set(rows.map((row) => (row as { what: string }).what))).toEqual(new Set(['even']))
    const some = await exportAudit(outbox, {}, MORNING, 3_000)
    expect(some.entries).toBe(3_000)
    expect(some.fileName).toMatch(/_first-3000-of-4500\.csv$/)
    expect(parse(some.csv, { bom: true, columns: true }).at(-1)).toMatchObject({ id: '3000' })
  })
})

it.each([
  [0, '2026-11-20T09:00:00.000+00:00'],
  [60, '2026-11-20T10:00:00.000+01:00'],
  [-210, '2026-11-20T05:30:00.000-03:30'],
])('an instant %i minutes from UTC is written %s', (offset, text) => {
  expect(isoWithOffset(MORNING, offset)).toBe(text)
  expect(Date.parse(text)).toBe(MORNING)
})
