import { describe, expect, it } from 'vitest'
import {
  fieldLabels,
  readWebAddress,
  reportFileName,
  withContentPolicy,
} from '../../../src-renderer/reports/report-formats.tsx'
import { groupReports, shortUrgency } from '../../../src-renderer/reports/reports.tsx'
import { readReport, shownVersionOf } from '../../../src-renderer/reports/report-reading.ts'
import type { ReportSummary, ReportVersion } from '../../../src-shared/report.ts'

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
    done: null,
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

it('has those about which nothing was done before the others, if the clinic asks', () => {
  const done = { what: 'patientInformed', by: 'AB', at: NOON } as const
  const items = [
    line('today', 21),
    line('old', 3),
    line('done', 21, { done }),
    line('new', 3, { readAt: null }),
  ]
  const names = (isDoneAsked: boolean) =>
    groupReports(items, new Set(), '2026-11-21', new Map(), isDoneAsked).map(
      ({ name, items: some }) => `${name}: ${some.map(({ caseId }) => caseId).join(' ')}`,
    )
  expect(names(true)).toEqual(['unread: new', 'open: today old', 'today: done'])
  expect(names(false)).toEqual(['unread: new', 'today: today done', 'earlier: old'])
})

it('has of the unread ones on top what the report itself calls urgent, and then what is due first', () => {
  const says: Readonly<Record<string, string>> = {
    year: 'Next check in 1 year',
    week: 'Refer within 1 week',
    urgent: 'Refer urgently.',
    month: 'Refer within 1 month',
  }
  const items = ['none', ...Object.keys(says)].map((id) => line(id, 20, { readAt: null, kind: 'text' }))
  const preferential = line('preferential', 1, { readAt: null, urgency: 'preferential' })
  const readings = new Map(
    items.map(({ submissionId, fetchedAt, caseId }) => [
      `${submissionId}/${fetchedAt}`,
      readReport({ kind: 'text', text: says[caseId] ?? '' }),
    ]),
  )
  const [unread] = groupReports([...items, preferential], new Set(), '2026-11-21', readings)
  expect(unread?.items.map(({ caseId }) => caseId)).toEqual([
    'urgent',
    'preferential',
    'week',
    'month',
    'year',
    'none',
  ])
})

it('leaves in its place what was unread when the list was opened', () => {
  expect(shown([line('1', 21), line('2', 21, { urgency: 'urgent' })], ['s2'])).toEqual([
    ['unread', ['2']],
    ['today', ['1']],
  ])
})

it('takes the clock of the station that goes ahead for today', () => {
  expect(shown([line('1', 22)])).toEqual([['today', ['1']]])
})

function version(id: string, fetchedAt: number): ReportVersion {
  return { id, kind: 'pdf', contentType: 'application/pdf', sizeBytes: 1, sha256: id, fetchedAt }
}

describe('the version that is read', () => {
  const [first, second, third] = [version('a', 1), version('b', 2), version('c', 3)]
  it.each([
    ['the newest when it was opened', [first, second], 'b', null, 2, 'no'],
    ['an older one that was chosen', [second, first], 'b', 'a', 1, 'chosen'],
    ['the one that was opened, though a newer one came', [first, second, third], 'b', null, 2, 'overtaken'],
    ['the newest if that was chosen', [first, second, third], 'b', 'c', 3, 'no'],
    ['the newest if the opened one is gone', [first], 'b', null, 1, 'no'],
  ] as const)('is %s', (_what, versions, openedId, chosenId, number, isOlder) => {
    expect(shownVersionOf(versions, openedId, chosenId)).toMatchObject({ shown: { number }, isOlder })
  })

  it('is none if there is none', () => {
    expect(shownVersionOf([], 'a', null)).toBeNull()
  })
})

it.each([
  ['88390', 2, 'pdf', 'application/pdf', 'report-88390_2.pdf'],
  ['A/1 ..\\b', 1, 'text', 'text/plain', 'report-A_1_.._b_1.txt'],
  ['9', 1, 'image', 'image/PNG; q=1', 'report-9_1.png'],
  ['9', 1, 'image', 'image/strange', 'report-9_1.jpg'],
  ['9', 3, 'link', 'text/plain', 'report-9_3.txt'],
] as const)('names the file of case %s, version %i, %s', (caseId, number, kind, contentType, name) => {
  expect(reportFileName(caseId, number, { kind, contentType })).toBe(name)
})

it.each([
  ['https://service.example/reports/1?page=1', 'service.example'],
  [' https://service.example ', 'service.example'],
  ['http://service.example/', null],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['https://user:secret@service.example/', null],
  ['reports/1', null],
  ['', null],
])('would open %j at %j', (address, host) => {
  expect(readWebAddress(address)?.host ?? null).toBe(host)
})

it('puts the policy before anything that the page says', () => {
  const sealed = withContentPolicy('<html><head><script src="https://evil.example"></script>')
  expect(sealed.indexOf('Content-Security-Policy')).toBeLessThan(sealed.indexOf('<html>'))
  expect(sealed).toContain("default-src 'none'")
  for (const closed of ["base-uri 'none'", "form-action 'none'"]) expect(sealed).toContain(closed)
  expect(sealed).not.toMatch(/script-src|connect-src|frame-src|https?:\/\/(?!evil)/)
})

it.each([
  ['Refer within 3 months', '3 months'],
  ['Derivar en 2 semanas', '2 semanas'],
  ['Next check in 12 months', 'Next check in 12 months'],
  ['Refer within 3 months if no better', 'Refer within 3 months if no better'],
])('shortens %s to %s in a row', (urgency, shown) => {
  expect(shortUrgency(urgency)).toBe(shown)
})

it.each([
  [['od_diagnosis'], ['Right eye (OD) diagnosis']],
  [['ojoIzquierdo'], ['Left eye (OS)']],
  [
    ['os_version', 'DME'],
    ['Os version', 'DME'],
  ],
  [
    ['os_version', 'od_version'],
    ['Left eye (OS) version', 'Right eye (OD) version'],
  ],
  [
    ['diabetic_retinopathy', 'left_eye_IOP'],
    ['Diabetic retinopathy', 'Left eye (OS) IOP'],
  ],
  [
    ['right', 'left', 'top'],
    ['Right', 'Left', 'Top'],
  ],
  [
    ['', '_'],
    ['', '_'],
  ],
])('has for %j the labels %j', (names, labels) => {
  expect(fieldLabels(names)).toEqual(labels)
})
