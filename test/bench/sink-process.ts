/**
 * A program of its own: takes cases as fast as it can, and answers requests about them. Prints its port; ends with its
 * stdin. `GET /tally` returns what came since the last such request. That every file arrives as it was written is
 * proved by the tests; here only its bytes are counted.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Tally = {
  readonly posts: number
  readonly bodyBytes: number
  /** What was not as it has to be, in words. */
  readonly faults: readonly string[]
}

let posts = 0
let bodyBytes = 0
let faults: string[] = []

function tally(): Tally {
  const counted = { posts, bodyBytes, faults }
  posts = 0
  bodyBytes = 0
  faults = []
  return counted
}

function answerTo({ method = '', url = '', headers }: IncomingMessage, length: number): unknown {
  switch (`${method} ${url}`) {
    case 'POST /authorize':
      return { access_token: 'token', token_type: 'bearer', expires_in: 86_400 }
    case 'POST /cases':
      if (headers['content-length'] !== String(length)) faults.push('a case without its length')
      posts += 1
      bodyBytes += length
      return { id: posts }
    case 'GET /cases':
      return { cases: Array.from({ length: posts }, (_, index) => ({ id: index + 1 })) }
    case 'GET /centers':
      return { centers: [] }
    case 'GET /tally':
      return tally()
    default:
      if (method === 'GET' && url.startsWith('/cases/')) return { id: Number(url.slice(7)) }
      faults.push(`${method} ${url} was not expected`)
      return {}
  }
}

const server = createServer((request, response) => {
  let length = 0
  request.on('data', (bytes: Buffer) => {
    length += bytes.length
  })
  request.on('error', () => faults.push('a request was cut off'))
  request.on('end', () => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answerTo(request, length)))
  })
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
process.stdin.resume().on('end', () => process.exit(0))
