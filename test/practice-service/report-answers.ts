import sharp from 'sharp'
import { bytesAnswer, emptyAnswer, jsonAnswer, type Answer } from './answer.ts'
import type { StoredCase } from './cases.ts'
import type { Dialect } from './dialects.ts'
import { failureAnswer } from './failure-answers.ts'
import { drawReportPdf } from './report-pdf.ts'
import { reportTextOf } from './report-text.ts'

const BASE64_LINE = 76

/** A report that is ready, in the dialect's kind. `baseUrl` is where a link on this very service begins. */
export async function reportAnswer(dialect: Dialect, stored: StoredCase, baseUrl: string): Promise<Answer> {
  const text = reportTextOf(stored)
  switch (dialect.report) {
    case 'pdf':
      return bytesAnswer(200, 'application/pdf', drawReportPdf(text))
    case 'pdfUnlabelled':
      return bytesAnswer(200, 'application/octet-stream', drawReportPdf(text))
    case 'base64': {
      const lines =
        drawReportPdf(text)
          .toString('base64')
          .match(new RegExp(`.{1,${BASE64_LINE}}`, 'g')) ?? []
      return jsonAnswer(200, { success: true, content: lines.join('\r\n') })
    }
    case 'dataUri':
      return jsonAnswer(200, {
        report: `data:application/pdf;base64,${drawReportPdf(text).toString('base64')}`,
      })
    case 'findings':
      return jsonAnswer(200, {
        case_id: stored.id,
        version: stored.reportVersion,
        findings: text.findings.map(({ eye, finding }) => ({ eye, finding })),
        recommendation: text.recommendation,
      })
    case 'html':
      return bytesAnswer(200, 'text/html; charset=utf-8', Buffer.from(htmlOf(text)))
    case 'text':
      return bytesAnswer(200, 'text/plain; charset=utf-8', Buffer.from(text.lines.join('\n')))
    case 'image':
      return bytesAnswer(200, 'image/png', await imageOf(text))
    case 'link':
      return jsonAnswer(200, {
        success: true,
        content: { url: `${baseUrl}/files/report-${String(stored.id)}.pdf` },
      })
    case 'foreignLink':
      return jsonAnswer(200, { url: `https://viewer.example/reports/${String(stored.id)}` })
  }
}

/** What is said while there is no report. */
export function notReadyAnswer(dialect: Dialect): Answer {
  switch (dialect.notReady) {
    case '404':
      return failureAnswer(dialect, { status: 404, message: 'The report is not ready.' })
    case '202':
      return jsonAnswer(202, { state: 'pending' })
    case '204':
      return emptyAnswer(204)
    case 'emptyContent':
      return jsonAnswer(200, { success: true, content: '' })
    case 'nullContent':
      return jsonAnswer(200, { success: true, content: null })
    case 'successFalse':
      return jsonAnswer(200, { success: false, content: 'The report is not ready.' })
  }
}

type ReportText = ReturnType<typeof reportTextOf>

/** HTML reports are hostile input: this one brings a script and a picture from elsewhere, neither of which may run. */
function htmlOf(text: ReportText): string {
  const lines = text.lines.map((line) => `<p>${escaped(line)}</p>`).join('')
  return `<!doctype html><html><head><title>${escaped(text.title)}</title></head><body>${lines}<script>document.title = 'a script ran'</script><img src="https://tracker.invalid/pixel.png" alt=""></body></html>`
}

function imageOf(text: ReportText): Promise<Buffer> {
  const lines = text.lines
    .map((line, index) => `<text x="24" y="${String(44 + index * 26)}">${escaped(line)}</text>`)
    .join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400" font-family="sans-serif" font-size="18"><rect width="800" height="400" fill="#fff"/>${lines}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
