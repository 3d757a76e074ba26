/** What each endpoint does, once its request has been read whole. */
import type { FastifyRequest } from 'fastify'
import { bytesAnswer, type Answer } from './answer.ts'
import { caseAnswer, createdAnswer, listAnswer } from './case-answers.ts'
import { complaintsAbout } from './case-rules.ts'
import { centerChangedAnswer, centersAnswer } from './center-answers.ts'
import { storeCase, type Desk } from './desk.ts'
import type { Endpoint } from './endpoints.ts'
import { failureAnswer } from './failure-answers.ts'
import type { JournalEntry } from './journal.ts'
import { overLimit } from './limits.ts'
import { notReadyAnswer, reportAnswer } from './report-answers.ts'
import { drawReportPdf } from './report-pdf.ts'
import { reportTextOf } from './report-text.ts'
import { tokenAnswer } from './token-answers.ts'

export type Work = (desk: Desk, entry: JournalEntry, request: FastifyRequest) => Answer | Promise<Answer>

const NO_SUCH_CASE = { status: 404, message: 'No such case.' }

function authorise(desk: Desk, entry: JournalEntry, request: FastifyRequest): Answer {
  const form = (request.body ?? {}) as Readonly<Record<string, unknown>>
  const { clientId, clientSecret } = desk.settings
  const unknown = Object.keys(form).filter(
    (name) => !['client_id', 'client_secret', 'grant_type'].includes(name),
  )
  if (form['grant_type'] !== 'client_credentials' || unknown.length > 0) {
    entry.complaints = ['client_id, client_secret and grant_type=client_credentials are expected']
    return failureAnswer(desk.dialect, { status: 400, message: 'Unsupported grant.' })
  }
  if (form['client_id'] !== clientId || form['client_secret'] !== clientSecret)
    return failureAnswer(desk.dialect, { status: 401, message: 'Unknown client or wrong secret.' })
  return tokenAnswer(desk.dialect, desk.tokens.issue())
}

function createCase(desk: Desk, entry: JournalEntry): Answer {
  const tooLarge = overLimit(desk.settings.limits, entry)
  if (tooLarge) return failureAnswer(desk.dialect, tooLarge)
  entry.complaints = complaintsAbout(entry, desk.settings.requiredFields)
  if (entry.complaints.length > 0) {
    const errors: Record<string, string[]> = {}
    for (const complaint of entry.complaints) {
      const [name = '', message = ''] = complaint.split(': ')
      errors[name] = [...(errors[name] ?? []), message]
    }
    return failureAnswer(desk.dialect, { status: 422, message: entry.complaints.join('; '), errors })
  }
  const stored = storeCase(desk, entry)
  entry.caseId = String(stored.id)
  return createdAnswer(desk.dialect, stored, desk.settings.basePath)
}

function listCases(desk: Desk, entry: JournalEntry, request: FastifyRequest): Answer {
  const { page = '1', ...others } = request.query as Readonly<Record<string, string>>
  const isAsked = desk.dialect.pageSize !== null || !('page' in (request.query as object))
  if (Object.keys(others).length > 0 || !isAsked || !/^[1-9]\d*$/.test(page)) {
    entry.complaints = ['the list takes no parameters but those of its own page links']
    return failureAnswer(desk.dialect, { status: 400, message: 'Unknown parameter.' })
  }
  const now = desk.settings.now()
  return listAnswer(desk.dialect, desk.cases.listed(desk.centers.currentId, now), {
    page: Number(page),
    address: `${addressOf(desk, request)}/cases`,
    now,
  })
}

function getCase(desk: Desk, _entry: JournalEntry, request: FastifyRequest): Answer {
  const stored = desk.cases.find(idOf(request), desk.centers.currentId)
  if (!stored) return failureAnswer(desk.dialect, NO_SUCH_CASE)
  return caseAnswer(desk.dialect, stored, desk.settings.now())
}

function getReport(desk: Desk, _entry: JournalEntry, request: FastifyRequest): Answer | Promise<Answer> {
  const stored = desk.cases.find(idOf(request), desk.centers.currentId)
  if (!stored) return failureAnswer(desk.dialect, NO_SUCH_CASE)
  if (desk.settings.now() < stored.reportReadyAt) return notReadyAnswer(desk.dialect)
  return reportAnswer(desk.dialect, stored, addressOf(desk, request))
}

/** The file that a report's link leads to: no endpoint of the interface, but a place on the same service. */
export function getReportFile(desk: Desk, _entry: JournalEntry, request: FastifyRequest): Answer {
  const id = /^report-(.+)\.pdf$/.exec((request.params as { name?: string }).name ?? '')?.[1] ?? ''
  const stored = desk.cases.find(id, desk.centers.currentId)
  if (!stored || desk.settings.now() < stored.reportReadyAt) return failureAnswer(desk.dialect, NO_SUCH_CASE)
  return bytesAnswer(200, 'application/pdf', drawReportPdf(reportTextOf(stored)))
}

function changeCenter(desk: Desk, entry: JournalEntry): Answer {
  const [field, ...others] = entry.fields
  if (field?.name !== 'center_id' || others.length > 0) {
    entry.complaints = ['exactly center_id is expected']
    return failureAnswer(desk.dialect, { status: 422, message: 'center_id is required.' })
  }
  if (!desk.centers.switchTo(field.value))
    return failureAnswer(desk.dialect, { status: 404, message: 'No such center.' })
  return centerChangedAnswer(desk.dialect)
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id?: string }).id ?? ''
}

function addressOf(desk: Desk, request: FastifyRequest): string {
  return `http://${request.headers.host ?? ''}${desk.settings.basePath}`
}

export const WORK: Readonly<Record<Endpoint, Work>> = {
  'POST /authorize': authorise,
  'POST /cases': createCase,
  'GET /cases': listCases,
  'GET /cases/{id}': getCase,
  'GET /cases/report/{id}': getReport,
  'GET /centers': (desk) => centersAnswer(desk.dialect, desk.centers),
  'POST /change-center': changeCenter,
}
