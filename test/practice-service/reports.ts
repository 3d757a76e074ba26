import { type Answer, bytesAnswer, jsonAnswer } from './answers.ts'
import type { Dialect, StoredCase } from './desk.ts'

const NORMAL = 'no sign of retinopathy, disc and macula without findings'
const MILD = 'few microaneurysms temporal of the macula'

type ReportText = {
  readonly title: string
  readonly caseId: string
  readonly historyNumber: string
  readonly visitDate: string
  readonly version: number
  readonly imageCount: number
  readonly findings: readonly { readonly eye: 'OD' | 'OS'; readonly finding: string }[]
  readonly recommendation: string
  /** All of it as plain lines. */
  readonly lines: readonly string[]
}

/** The words of a report: made up, the same for the same case and version, and saying so. */
function reportTextOf(stored: StoredCase): ReportText {
  const caseId = String(stored.id)
  const turn = (caseId.codePointAt(caseId.length - 1) ?? 0) % 3
  const findings = [
    { eye: 'OD', finding: turn === 1 ? MILD : NORMAL },
    { eye: 'OS', finding: turn === 2 ? MILD : NORMAL },
  ] as const
  const facts = {
    title: 'Practice report',
    caseId,
    historyNumber: stored.fields['history_number'] ?? '-',
    visitDate: stored.fields['visit_date'] ?? '-',
    version: 1,
    imageCount: stored.images.length,
    findings,
    recommendation: turn === 0 ? 'Next check in 12 months.' : 'Next check in 6 months.',
  }
  const lines = [
    `${facts.title}, version ${String(facts.version)}`,
    `Case ${facts.caseId}, history number ${facts.historyNumber}, visit ${facts.visitDate}, ${String(facts.imageCount)} images`,
    ...findings.map(({ eye, finding }) => `${eye}: ${finding}`),
    facts.recommendation,
    'Synthetic. Made by a practice service; not a medical finding.',
  ]
  return { ...facts, lines }
}

/** A4 in points. */
const WIDTH = 595
const HEIGHT = 842
const MARGIN = 56

/**
 * Draws a report of one page: a PDF 1.4 file by the book (ISO 32000-1: objects, a cross-reference table with
 * exact offsets, a trailer), so that pdf.js opens it without repairing anything.
 */
function drawReportPdf(text: ReportText): Buffer {
  const content = Buffer.from(pageContent(text), 'latin1')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content.toString('latin1')}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
  ]
  // The second line marks the file as binary for whatever carries it.
  let file = '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n'
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    offsets.push(file.length)
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const tableOffset = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  for (const offset of offsets) file += `${String(offset).padStart(10, '0')} 00000 n \n`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${tableOffset}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

function pageContent(text: ReportText): string {
  const marks: string[] = [`0.12 0.30 0.42 rg 0 ${HEIGHT - 96} ${WIDTH} 96 re f`]
  const write = (x: number, y: number, size: number, font: 'F1' | 'F2', line: string, gray = 0.15): void => {
    marks.push(`BT /${font} ${size} Tf ${gray} g ${x} ${y} Td (${escaped(line)}) Tj ET`)
  }
  write(MARGIN, HEIGHT - 56, 22, 'F2', text.title, 1)
  write(MARGIN, HEIGHT - 78, 11, 'F1', `Case ${text.caseId}, version ${text.version}`, 0.9)

  const facts: readonly (readonly [string, string])[] = [
    ['History number', text.historyNumber],
    ['Visit', text.visitDate],
    ['Images', String(text.imageCount)],
  ]
  let y = HEIGHT - 140
  for (const [label, value] of facts) {
    write(MARGIN, y, 11, 'F1', label, 0.45)
    write(MARGIN + 130, y, 11, 'F2', value)
    y -= 20
  }
  y -= 16
  for (const { eye, finding } of text.findings) {
    marks.push(`0.95 g ${MARGIN} ${y - 34} ${WIDTH - 2 * MARGIN} 52 re f`)
    write(MARGIN + 14, y - 14, 16, 'F2', eye)
    write(MARGIN + 60, y - 12, 11, 'F1', finding)
    y -= 66
  }
  write(MARGIN, y - 4, 12, 'F2', text.recommendation)
  write(MARGIN, 48, 9, 'F1', 'Synthetic. Made by a practice service; not a medical finding.', 0.45)
  return marks.join('\n')
}

/** A PDF string: parentheses and backslashes escaped; what Latin-1 lacks becomes a question mark. */
function escaped(line: string): string {
  return line.replaceAll(/[\\()]/g, String.raw`\$&`).replaceAll(/[^\u0020-\u007e\u00a1-\u00ff]/g, '?')
}

/** A report that is ready, in the dialect's kind. */
export function reportAnswer(dialect: Dialect, stored: StoredCase): Answer {
  const text = reportTextOf(stored)
  switch (dialect.report) {
    case 'pdf':
      return bytesAnswer(200, 'application/pdf', drawReportPdf(text))
    case 'html':
      return bytesAnswer(200, 'text/html; charset=utf-8', Buffer.from(htmlOf(text)))
    case 'text':
      return bytesAnswer(200, 'text/plain; charset=utf-8', Buffer.from(text.lines.join('\n')))
    case 'foreignLink':
      return jsonAnswer(200, { url: `https://viewer.example/reports/${String(stored.id)}` })
  }
}

/** HTML reports are hostile input: this one brings a script and a picture from elsewhere, neither of which may run. */
function htmlOf(text: ReportText): string {
  const lines = text.lines.map((line) => `<p>${escapedHtml(line)}</p>`).join('')
  return `<!doctype html><html><head><title>${escapedHtml(text.title)}</title></head><body>${lines}<script>document.title = 'a script ran'</script><img src="https://tracker.invalid/pixel.png" alt=""></body></html>`
}

function escapedHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
