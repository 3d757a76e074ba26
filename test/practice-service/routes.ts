/**
 * What a strict server would let through as a case: a reading of the interface of its own, which takes nothing
 * from the station's, so that a slip in one of them shows.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import {
  type Answer,
  envelope,
  failureAnswer,
  htmlAnswer,
  jsonAnswer,
  type Refusal,
  shownCase,
} from './answers.ts'
import { CREDENTIALS, type Desk, storeCase } from './desk.ts'
import type { Exchange } from './front-door.ts'
import {
  type Endpoint,
  ENDPOINTS,
  type JournalEntry,
  type ReceivedField,
  type ReceivedImage,
} from './journal.ts'
import { reportAnswer } from './reports.ts'

const IMAGE_PART_NAME = 'images[]'

const isAny = (): boolean => true
const isCode = (text: string): boolean => text === '0' || text === '1'
/** No decimal comma, no exponent, no sign but a minus: what every server reads alike. */
const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)
const isPositiveDecimal = (text: string): boolean => /^\d+(\.\d+)?$/.test(text)

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

type Rule = { readonly accepts: (text: string) => boolean; readonly wants: string }

const TEXT: Rule = { accepts: isAny, wants: 'text' }
const CODE: Rule = { accepts: isCode, wants: '0 or 1' }

const RULES = new Map<string, Rule>([
  ['history_number', TEXT],
  ['first_name', TEXT],
  ['last_name', TEXT],
  ['gender', CODE],
  ['age', { accepts: isPositiveDecimal, wants: 'a number' }],
  ['diabetes', CODE],
  ['visit_date', { accepts: isDay, wants: 'a date YYYY-MM-DD' }],
  ['visit_reason', TEXT],
  ['ophthalmic_antecedents', TEXT],
  ['other_relevant_info', TEXT],
  ['retinologist_notes', TEXT],
  ['callback_url', { accepts: isWebAddress, wants: 'a web address' }],
])
for (const eye of ['od', 'os'])
  for (const measurement of ['iop', 'va', 'axis', 'cylinder', 'sphere', 'add', 'prism', 'prism_base'])
    RULES.set(`${eye}_${measurement}`, { accepts: isDecimal, wants: 'a float' })

/** Everything wrong with a case as it came, in words that name the field and never its value. */
function complaintsAbout(parts: {
  readonly fields: readonly ReceivedField[]
  readonly images: readonly ReceivedImage[]
}): readonly string[] {
  const complaints: string[] = []
  const seen = new Set<string>()
  for (const { name, value } of parts.fields) {
    const rule = RULES.get(name)
    if (name === IMAGE_PART_NAME) complaints.push('images[]: a file part without a file name')
    else if (!rule) complaints.push(`${name}: no such field`)
    else if (seen.has(name)) complaints.push(`${name}: came twice`)
    else if (!rule.accepts(value)) complaints.push(`${name}: must be ${rule.wants}`)
    seen.add(name)
  }
  if (!parts.fields.some(({ name, value }) => name === 'history_number' && value.trim() !== ''))
    complaints.push('history_number: is required')
  for (const image of parts.images) {
    if (image.partName !== IMAGE_PART_NAME) complaints.push(`${image.partName}: files belong under images[]`)
    if (image.fileName === '') complaints.push('images[]: a file part without a file name')
    if (image.sizeBytes === 0) complaints.push('images[]: an empty file')
  }
  if (parts.images.length === 0) complaints.push('images[]: at least one image is required')
  return complaints
}

/** Reads a multipart body into its line of the journal, part by part; file bytes are hashed and let go. */
async function receiveCase(request: FastifyRequest, entry: JournalEntry): Promise<void> {
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      entry.fields.push({ name: part.fieldname, value: String(part.value) })
      continue
    }
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      hash.update(chunk)
      sizeBytes += chunk.length
    }
    entry.images.push({
      partName: part.fieldname,
      fileName: part.filename ?? '',
      contentType: part.mimetype,
      sizeBytes,
      sha256: hash.digest('hex'),
    })
  }
}

type Work = (desk: Desk, entry: JournalEntry, request: FastifyRequest) => Answer | Promise<Answer>

const NO_SUCH_CASE = { status: 404, message: 'No such case.' }

function authorise(desk: Desk, entry: JournalEntry, request: FastifyRequest): Answer {
  const form = (request.body ?? {}) as Readonly<Record<string, unknown>>
  const { clientId, clientSecret } = CREDENTIALS
  const unknown = Object.keys(form).filter(
    (name) => !['client_id', 'client_secret', 'grant_type'].includes(name),
  )
  if (form['grant_type'] !== 'client_credentials' || unknown.length > 0) {
    entry.complaints = ['client_id, client_secret and grant_type=client_credentials are expected']
    return failureAnswer({ status: 400, message: 'Unsupported grant.' })
  }
  if (form['client_id'] !== clientId || form['client_secret'] !== clientSecret)
    return failureAnswer({ status: 401, message: 'Unknown client or wrong secret.' })
  const { token, validMs } = desk.tokens.issue()
  return jsonAnswer(200, { access_token: token, token_type: 'Bearer', expires_in: validMs / 1_000 })
}

function createCase(desk: Desk, entry: JournalEntry): Answer {
  entry.complaints = complaintsAbout(entry)
  if (entry.complaints.length > 0) return failureAnswer({ status: 422, message: entry.complaints.join('; ') })
  const stored = storeCase(desk, entry)
  entry.caseId = String(stored.id)
  return envelope(stored.id, 201)
}

function listCases({ settings, cases, centers }: Desk, entry: JournalEntry, request: FastifyRequest): Answer {
  if (Object.keys(request.query as object).length > 0) {
    entry.complaints = ['the list takes no parameters']
    return failureAnswer({ status: 400, message: 'Unknown parameter.' })
  }
  const now = Date.now()
  const listed = cases.listed(centers.currentId, now)
  return envelope(listed.map((stored) => shownCase(settings.dialect, stored, now)))
}

function getCase({ settings, cases, centers }: Desk, _entry: JournalEntry, request: FastifyRequest): Answer {
  const stored = cases.find(idOf(request), centers.currentId)
  return stored ? envelope(shownCase(settings.dialect, stored, Date.now())) : failureAnswer(NO_SUCH_CASE)
}

function getReport(
  { settings, cases, centers }: Desk,
  _entry: JournalEntry,
  request: FastifyRequest,
): Answer {
  const stored = cases.find(idOf(request), centers.currentId)
  if (!stored) return failureAnswer(NO_SUCH_CASE)
  if (Date.now() >= stored.reportReadyAt) return reportAnswer(settings.dialect, stored)
  return failureAnswer({ status: 404, message: 'The report is not ready.' })
}

function listCenters({ settings, centers }: Desk): Answer {
  const mark = (id: string) =>
    settings.dialect.marksCurrentCenter ? { current: id === centers.currentId } : {}
  return envelope(centers.all.map(({ id, name }) => ({ id, name, ...mark(id) })))
}

function changeCenter(desk: Desk, entry: JournalEntry): Answer {
  const [field, ...others] = entry.fields
  if (field?.name !== 'center_id' || others.length > 0) {
    entry.complaints = ['exactly center_id is expected']
    return failureAnswer({ status: 422, message: 'center_id is required.' })
  }
  if (!desk.centers.switchTo(field.value)) return failureAnswer({ status: 404, message: 'No such center.' })
  return envelope('Center changed.')
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id?: string }).id ?? ''
}

const WORK: Readonly<Record<Endpoint, Work>> = {
  'POST /authorize': authorise,
  'POST /cases': createCase,
  'GET /cases': listCases,
  'GET /cases/{id}': getCase,
  'GET /cases/report/{id}': getReport,
  'GET /centers': listCenters,
  'POST /change-center': changeCenter,
}

/** Any image fits. */
const UNLIMITED = Number.MAX_SAFE_INTEGER

const URL_ENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
/** Which forms each endpoint takes. The interface says "form field" of change-center and leaves the kind open. */
const FORMS: { readonly [Name in Endpoint]?: readonly string[] } = {
  'POST /authorize': [URL_ENCODED],
  'POST /cases': [MULTIPART],
  'POST /change-center': [URL_ENCODED, MULTIPART],
}

/** The interface as routes of Fastify. `exchangeOf` gives the exchange that was opened for a request. */
export async function createRoutes(
  desk: Desk,
  exchangeOf: (request: FastifyRequest) => Exchange,
): Promise<FastifyInstance> {
  const app = fastify({ logger: false, exposeHeadRoutes: false })
  app.removeAllContentTypeParsers()
  await app.register(formbody)
  await app.register(multipart, {
    preservePath: true,
    limits: { fileSize: UNLIMITED, fieldSize: 1_000_000, files: UNLIMITED, parts: UNLIMITED },
  })

  const answerWith =
    (work: Work, options: { readonly isOpen: boolean; readonly forms: readonly string[] }) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const exchange = exchangeOf(request)
      const { entry } = exchange
      const refusal = await readWhole(request, exchange, options.forms)
      if (await exchange.reaches('read')) return void reply.hijack()
      entry.token = desk.tokens.find(request.headers.authorization)
      entry.centerId = desk.centers.currentId
      const isAllowed = options.isOpen || entry.token === 'good'
      if (refusal) entry.complaints = [refusal.message]
      const answer = refusal
        ? failureAnswer(refusal)
        : isAllowed
          ? await work(desk, entry, request)
          : failureAnswer({ status: 401, message: 'Missing or invalid token.' })
      reply.hijack()
      if (await exchange.reaches('done', answer)) return
      await pause(desk.settings.answerDelayMs)
      exchange.send(answer)
    }

  for (const endpoint of ENDPOINTS) {
    const [method = '', path = ''] = endpoint.split(' ')
    app.route({
      method,
      url: path.replace('{id}', ':id'),
      handler: answerWith(WORK[endpoint], {
        isOpen: endpoint === 'POST /authorize',
        forms: FORMS[endpoint] ?? [],
      }),
    })
  }
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    exchangeOf(request).send(htmlAnswer(404, 'Not Found'))
  })
  app.setErrorHandler((error: { readonly statusCode?: number; readonly message: string }, request, reply) => {
    const exchange = exchangeOf(request)
    reply.hijack()
    const status = error.statusCode ?? 500
    // What Fastify itself refuses is the client's; all else is a bug of this service and must not look like a fault.
    const message = status < 500 ? error.message : `The practice service has a bug: ${error.message}`
    exchange.entry.complaints = [message]
    request.raw.resume()
    exchange.send(failureAnswer({ status, message }))
  })
  await app.ready()
  return app
}

/** Reads the body into the journal; a refusal if it broke off, was no form or came as the wrong one. */
async function readWhole(
  request: FastifyRequest,
  exchange: Exchange,
  forms: readonly string[],
): Promise<Refusal | null> {
  const { entry } = exchange
  const form = (request.body ?? {}) as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries(form))
    entry.fields.push({ name, value: name === 'client_secret' ? '' : String(value) })
  if (request.isMultipart()) {
    try {
      await receiveCase(request, entry)
    } catch {
      // So it ends when the connection breaks off, and when the bytes are no form by the book.
      request.raw.resume()
      return { status: 400, message: 'The form could not be read to its end.' }
    }
  }
  const contentType = (entry.contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  return forms.length === 0 || forms.includes(contentType)
    ? null
    : { status: 415, message: `Content type ${forms.join(' or ')} is expected.` }
}
