import { expect, it } from 'vitest'
import { groupReports } from '../../../src-renderer/reports/reports.tsx'
import type { ReportSummary } from '../../../src-shared/report.ts'

const NOON = new Date(2026, 10, 21, 12).getTime()

function line(caseId: string, day: number, changes: Partial<ReportSummary> = {}): ReportSummary {
  return {
    caseId,
    submissionId: `s${caseId}`,
    reference: 'FC7K3M9QXAW',
    historyNumber: null,
    patientName: null,
    visitDate: null,
    urgency: 'routine',
    kind: 'pdf',
    versionCount: 1,
    fetchedAt: new Date(2026, 10, day, 12).getTime(),
    readAt: NOON,
    ...changes,
  }
}

function shown(items: readonly ReportSummary[], held: readonly string[] = []): [string, string[]][] {
  return groupReports(items, new Set(held), '2026-11-21').map(({ name, items: lines }) => [
    name,
    lines.map(({ caseId }) => caseId),
  ])
}

it('has the unread ones first, by urgency and then the newest, and the others by day', () => {
  expect(
    shown([
      line('old', 3),
      line('yesterday', 20),
      line('today', 21),
      line('unread', 2, { readAt: null }),
      line('newer', 20, { readAt: null }),
      line('preferential', 4, { readAt: null, urgency: 'preferential' }),
      line('urgent', 1, { readAt: null, urgency: 'urgent' }),
    ]),
  ).toEqual([
    ['unread', ['urgent', 'preferential', 'newer', 'unread']],
    ['today', ['today']],
    ['yesterday', ['yesterday']],
    ['earlier', ['old']],
  ])
})

it('leaves where it stood what was unread when the list was opened', () => {
  expect(shown([line('1', 21), line('2', 21, { urgency: 'urgent' })], ['s2'])).toEqual([
    ['unread', ['2']],
    ['today', ['1']],
  ])
})

it('takes the clock of the station that goes ahead for today, and shows no group without a line', () => {
  expect(shown([line('1', 22)])).toEqual([['today', ['1']]])
  expect(shown([])).toEqual([])
})
