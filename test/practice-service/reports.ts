import { type Answer, bytesAnswer, jsonAnswer } from './answers.ts'
import type { Dialect, StoredCase } from './desk.ts'

const NORMAL = 'no sign of retinopathy, disc and macula without findings'
const MILD = 'few microaneurysms temporal of the macula'

const TITLE = 'Practice report'

/** The lines of a report: made up, the same for the same case, and saying so. */
function linesOf({ id, fields, images }: StoredCase): readonly string[] {
  const turn = (String(id).codePointAt(String(id).length - 1) ?? 0) % 3
  const { history_number: historyNumber = '-', visit_date: visitDate = '-' } = fields
  return [
    `${TITLE}, version 1`,
    `Case ${String(id)}, history number ${historyNumber}, visit ${visitDate}, ${String(images.length)} images`,
    `OD: ${turn === 1 ? MILD : NORMAL}`,
    `OS: ${turn === 2 ? MILD : NORMAL}`,
    turn === 0 ? 'Next check in 12 months.' : 'Next check in 6 months.',
    'Synthetic. Made by a practice service; not a medical finding.',
  ]
}

/** A4 in points. */
const WIDTH = 595
const HEIGHT = 842
const MARGIN = 56

/**
 * Draws a report of one page: a PDF 1.4 file by the book (ISO 32000-1: objects, a cross-reference table with
 * exact offsets, a trailer), so that pdf.js opens it without repairing anything.
 */
function drawReportPdf(lines: readonly string[]): Buffer {
  const content = Buffer.from(pageContent(lines), 'latin1')
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

function pageContent(lines: readonly string[]): string {
  const marks: string[] = [`0.12 0.30 0.42 rg 0 ${HEIGHT - 96} ${WIDTH} 96 re f`]
  const write = (y: number, size: number, font: 'F1' | 'F2', line: string, gray: number): void => {
    marks.push(`BT /${font} ${size} Tf ${gray} g ${MARGIN} ${y} Td (${escaped(line)}) Tj ET`)
  }
  write(HEIGHT - 56, 22, 'F2', TITLE, 1)
  for (const [index, line] of lines.entries()) write(HEIGHT - 140 - index * 24, 11, 'F1', line, 0.15)
  return marks.join('\n')
}

/** A PDF string: parentheses and backslashes escaped; what Latin-1 lacks becomes a question mark. */
function escaped(line: string): string {
  return line.replaceAll(/[\\()]/g, String.raw`\$&`).replaceAll(/[^\u0020-\u007e\u00a1-\u00ff]/g, '?')
}

/** A report that is ready, in the dialect's kind. */
export function reportAnswer(dialect: Dialect, stored: StoredCase): Answer {
  const lines = linesOf(stored)
  switch (dialect.report) {
    case 'pdf':
      return bytesAnswer(200, 'application/pdf', drawReportPdf(lines))
    case 'html':
      return bytesAnswer(200, 'text/html; charset=utf-8', Buffer.from(htmlOf(lines)))
    case 'text':
      return bytesAnswer(200, 'text/plain; charset=utf-8', Buffer.from(lines.join('\n')))
    case 'foreignLink':
      return jsonAnswer(200, { url: `https://viewer.example/reports/${String(stored.id)}` })
  }
}

/** HTML reports are hostile input: this one brings a script and a picture from elsewhere, neither of which may run. */
function htmlOf(lines: readonly string[]): string {
  const body = lines.map((line) => `<p>${escapedHtml(line)}</p>`).join('')
  return `<!doctype html><html><head><title>${TITLE}</title></head><body>${body}<script>document.title = 'a script ran'</script><img src="https://tracker.invalid/pixel.png" alt=""></body></html>`
}

function escapedHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
