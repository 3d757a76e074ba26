import { setTimeout as pause } from 'node:timers/promises'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { htmlAnswer } from './answer.ts'
import type { Desk } from './desk.ts'
import { getReportFile, WORK, type Work } from './endpoint-work.ts'
import { ENDPOINTS, type Endpoint } from './endpoints.ts'
import type { Exchange } from './exchange.ts'
import { failureAnswer, type Refusal } from './failure-answers.ts'
import { receiveCase } from './receive-case.ts'

/** Room for any image; what a service's own limits are is an option of the desk. */
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
        ? failureAnswer(desk.dialect, refusal)
        : isAllowed
          ? await work(desk, entry, request)
          : failureAnswer(desk.dialect, { status: 401, message: 'Missing or invalid token.' })
      reply.hijack()
      if (await exchange.reaches('done', answer)) return
      await pause(desk.settings.answerDelayMs)
      exchange.send(answer)
    }

  for (const endpoint of ENDPOINTS) {
    const [method = '', path = ''] = endpoint.split(' ')
    app.route({
      method,
      url: desk.settings.basePath + path.replace('{id}', ':id'),
      handler: answerWith(WORK[endpoint], {
        isOpen: endpoint === 'POST /authorize',
        forms: FORMS[endpoint] ?? [],
      }),
    })
  }
  app.get(`${desk.settings.basePath}/files/:name`, answerWith(getReportFile, { isOpen: false, forms: [] }))
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
    exchange.send(failureAnswer(desk.dialect, { status, message }))
  })
  await app.ready()
  return app
}

/** Reads the body into the journal; a refusal where it broke off, was no form or came as the wrong one. */
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
