/**
 * A second case submission service that shares nothing with the practice service: plain `node:http`, a multipart
 * parser of its own, a base address with a path, other shapes of answers, and a center that follows the token.
 * What works with both was not fitted to one of them.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NotByTheBook, readMultipart, type Part } from './multipart-by-the-book.ts'

type ArrivedCase = {
  readonly caseId: string
  readonly centerId: string
  /** Exact names and texts, in the order of arrival. */
  readonly fields: readonly (readonly [string, string])[]
  readonly images: readonly {
    readonly fileName: string
    readonly sizeBytes: number
    readonly sha256: string
  }[]
}

export type ByTheBookService = {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  cases(): readonly ArrivedCase[]
  /** Why requests were refused, in the order of arrival; empty where every one was by the book. */
  refusals(): readonly string[]
  close(): Promise<void>
}

const BASE_PATH = '/eye/api/v1'
const CLIENT_ID = 'station-7'
/** With characters that must be escaped in a URL-encoded form. */
const CLIENT_SECRET = 's3cr&t=+ %ä'
const CENTERS = { A7: 'Clinic by the Book', B9: 'Second Clinic' }
const FIRST_CENTER = 'A7'

type Refused = { readonly status: number; readonly error: string }
type Answer = { readonly status: number; readonly json?: unknown; readonly location?: string }

/** Opens the service on 127.0.0.1, any free port. */
export async function openByTheBookService(): Promise<ByTheBookService> {
  const cases: ArrivedCase[] = []
  const refusals: string[] = []
  const centerByToken = new Map<string, string>()

  const answerTo = (request: IncomingMessage, body: Buffer): Answer | Refused => {
    const contentType = request.headers['content-type'] ?? ''
    const call = `${request.method ?? ''} ${request.url ?? ''}`
    const [, endpoint = '', id = ''] =
      new RegExp(`^(\\w+ ${BASE_PATH}/(?:cases/report(?=/)|[\\w-]+))(?:/([\\w-]+))?$`).exec(call) ?? []
    if (endpoint === `POST ${BASE_PATH}/authorize`) return authorise(contentType, body)

    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const centerId = centerByToken.get(token)
    if (centerId === undefined) return { status: 403, error: 'token' }
    const here = cases.filter((arrived) => arrived.centerId === centerId)
    const one = here.find((arrived) => arrived.caseId === id)

    switch (`${endpoint.replace(BASE_PATH, '')}${id === '' ? '' : '/{id}'}`) {
      case 'POST /cases':
        return store(contentType, body, centerId)
      case 'GET /cases':
        return {
          status: 200,
          json: Object.fromEntries(here.map((arrived) => [arrived.caseId, shown(arrived)])),
        }
      case 'GET /cases/{id}':
        return one ? { status: 200, json: { case: shown(one) } } : { status: 404, error: 'no case' }
      case 'GET /cases/report/{id}':
        return one ? { status: 200, json: findingsOf(one) } : { status: 404, error: 'no case' }
      case 'GET /centers':
        return { status: 200, json: CENTERS }
      case 'POST /change-center': {
        const wanted = formOf(contentType, body)?.get('center_id') ?? ''
        if (!Object.hasOwn(CENTERS, wanted)) return { status: 422, error: 'center_id' }
        centerByToken.set(token, wanted)
        return { status: 204 }
      }
      default:
        return { status: 404, error: `no such endpoint: ${request.method ?? ''}` }
    }
  }

  const authorise = (contentType: string, body: Buffer): Answer | Refused => {
    const form = formOf(contentType, body)
    if (!form) return { status: 415, error: 'credentials are URL-encoded' }
    const isKnown = form.get('client_id') === CLIENT_ID && form.get('client_secret') === CLIENT_SECRET
    if (!isKnown || form.get('grant_type') !== 'client_credentials')
      return { status: 401, error: 'credentials' }
    const token = randomUUID()
    centerByToken.set(token, FIRST_CENTER)
    return { status: 200, json: { token: { access_token: token, expires_in: '900' } } }
  }

  const store = (contentType: string, body: Buffer, centerId: string): Answer | Refused => {
    const parts = readMultipart(contentType, body)
    const wrong = parts.find((part) => (part.fileName !== null) !== (part.name === 'images[]'))
    if (wrong) return { status: 422, error: `${wrong.name}: files go under images[], and nothing else does` }
    const images = parts.filter((part) => part.fileName !== null)
    if (images.some((part) => part.fileName === '' || !part.contentType?.startsWith('image/')))
      return { status: 422, error: 'images[]: a file name and an image type are expected' }
    const caseId = randomUUID()
    cases.push({
      caseId,
      centerId,
      fields: parts
        .filter((part) => part.fileName === null)
        .map((part) => [part.name, textOf(part)] as const),
      images: images.map((part) => ({
        fileName: part.fileName ?? '',
        sizeBytes: part.bytes.length,
        sha256: createHash('sha256').update(part.bytes).digest('hex'),
      })),
    })
    return { status: 201, location: `${BASE_PATH}/cases/${caseId}` }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    let answer: Answer | Refused
    try {
      answer = answerTo(request, Buffer.concat(chunks))
    } catch (error) {
      if (!(error instanceof NotByTheBook)) throw error
      answer = { status: 400, error: error.message }
    }
    if ('error' in answer) refusals.push(answer.error)
    const json = 'error' in answer ? { code: answer.status, detail: answer.error } : answer.json
    if ('location' in answer && answer.location !== undefined) response.setHeader('Location', answer.location)
    if (json !== undefined) response.setHeader('Content-Type', 'application/json')
    response.writeHead(answer.status).end(json === undefined ? undefined : JSON.stringify(json))
  }

  const server = createServer((request, response) => {
    // A client that goes away in the middle of its body ends here: nothing more is answered.
    serve(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${BASE_PATH}`,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    cases: () => cases,
    refusals: () => refusals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function formOf(contentType: string, body: Buffer): URLSearchParams | null {
  const isForm = contentType.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded'
  return isForm ? new URLSearchParams(body.toString('utf8')) : null
}

/** Text of a form is UTF-8 where its part does not say otherwise (RFC 7578, 5.1.2). */
function textOf(part: Part): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part.bytes)
  } catch (cause) {
    throw new NotByTheBook(`${part.name} is no UTF-8`, { cause })
  }
}

function shown(arrived: ArrivedCase): Readonly<Record<string, string>> {
  return { ...Object.fromEntries(arrived.fields), status: 'received' }
}

/** The report is there at once and is JSON. */
function findingsOf(arrived: ArrivedCase): unknown {
  return { case: arrived.caseId, findings: [{ eye: 'OD', finding: 'synthetic: nothing to see' }] }
}
