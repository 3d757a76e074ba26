import { expect, it } from 'vitest'
import type { StoredCase } from './cases.ts'
import { drawReportPdf } from './report-pdf.ts'
import { reportTextOf } from './report-text.ts'

const STORED: StoredCase = {
  id: 4001,
  centerId: '101',
  fields: { history_number: 'H (1) \\ ✓', visit_date: '2026-11-20' },
  images: [],
  storedAt: 0,
  listedAt: 0,
  reportReadyAt: 0,
  reportVersion: 1,
}

it('draws a PDF whose cross-reference table points at its objects, so that no reader must repair it', () => {
  const file = drawReportPdf(reportTextOf(STORED)).toString('latin1')
  const tableOffset = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1])
  const table = file.slice(tableOffset)
  expect(table).toMatch(/^xref\n0 7\n0000000000 65535 f \n(\d{10} 00000 n \n){6}trailer\n/)
  const offsets = Array.from(table.matchAll(/^(\d{10}) 00000 n $/gm), (match) => Number(match[1]))
  expect(offsets.map((offset) => file.slice(offset, offset + 7))).toEqual(
    [1, 2, 3, 4, 5, 6].map((number) => `${String(number)} 0 obj`),
  )
  const [, length, stream] = /\/Length (\d+) >>\nstream\n(.*)\nendstream/s.exec(file) ?? []
  expect(stream).toHaveLength(Number(length))
  expect(stream).toContain(String.raw`(H \(1\) \\ ?) Tj`)
})
