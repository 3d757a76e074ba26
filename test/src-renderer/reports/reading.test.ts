import { describe, expect, it } from 'vitest'
import { readWebAddress, reportFileName } from '../../../src-renderer/reports/report-formats.tsx'
import { readingOf } from '../../../src-renderer/reports/report-reader.tsx'
import type { ReportVersion } from '../../../src-shared/report.ts'

function version(id: string, fetchedAt: number): ReportVersion {
  return { id, kind: 'pdf', contentType: 'application/pdf', sizeBytes: 1, sha256: id, fetchedAt }
}

describe('the version that is read', () => {
  const [first, second, third] = [version('a', 1), version('b', 2), version('c', 3)]
  it.each([
    ['the newest when it was opened', [first, second], 'b', null, 2, 'no'],
    ['an older one that was chosen', [second, first], 'b', 'a', 1, 'chosen'],
    ['the one that was opened, though a newer one came', [first, second, third], 'b', null, 2, 'overtaken'],
    ['the newest where that was chosen', [first, second, third], 'b', 'c', 3, 'no'],
    ['the newest where the opened one is gone', [first], 'b', null, 1, 'no'],
  ] as const)('is %s', (_what, versions, openedId, chosenId, number, isOlder) => {
    expect(readingOf(versions, openedId, chosenId)).toMatchObject({ shown: { number }, isOlder })
  })

  it('is none where there is none', () => {
    expect(readingOf([], 'a', null)).toBeNull()
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
