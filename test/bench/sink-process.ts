/**
 * A program of its own: takes cases as fast as it can, and answers requests about them.
 *
 * `count` counts the bytes of what comes, `check` hashes every file of it, too. Prints its port; ends with its stdin.
 * `GET /tally` returns what came since the last such request.
 */
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { type Hash, createHash } from 'node:crypto'

export type Tally = {
  readonly posts: number
  readonly bodyBytes: number
  /** What was not as it has to be, in words. */
  readonly faults: readonly string[]
  /** The hashes of the files of each case, in the order of the hashes; with `check` only. */
  readonly contents: readonly string[]
}

type Head = {
  readonly method: string
  readonly path: string
  readonly length: number
  readonly boundary: string
  readonly isLast: boolean
  readonly isAsking: boolean
}
type Reading = { readonly head: Head; remaining: number; readonly parts: PartHashes | null }

const HEAD_END = '\r\n\r\n'
const isChecking = process.argv[2] === 'check'
let posts = 0
let bodyBytes = 0
let faults: string[] = []
let contents: string[] = []

function readHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
  const length = headers.get('content-length')
  if (headers.has('transfer-encoding') || (method === 'POST' && length === undefined))
    faults.push(`${method} ${path} without its length`)
  return {
    method,
    path,
    length: Number(length ?? 0),
    boundary: /boundary="?([^";]+)/.exec(headers.get('content-type') ?? '')?.[1] ?? '',
    isLast: headers.get('connection') === 'close',
    isAsking: headers.has('expect'),
  }
}

function tally(): Tally {
  const counted = { posts, bodyBytes, faults, contents }
  posts = 0
  bodyBytes = 0
  faults = []
  contents = []
  return counted
}

const ids = (): readonly { readonly id: number }[] =>
  Array.from({ length: posts }, (_, index) => ({ id: index + 1 }))

function answerTo({ head, parts }: Reading): unknown {
  switch (`${head.method} ${head.path}`) {
    case 'POST /authorize':
      return { access_token: 'token', token_type: 'bearer', expires_in: 86_400 }
    case 'POST /cases':
      posts += 1
      bodyBytes += head.length
      if (parts !== null) contents.push(parts.files().toSorted().join())
      return { id: posts }
    case 'GET /cases':
      return { cases: ids() }
    case 'GET /centers':
      return { centers: [] }
    case 'GET /tally':
      return tally()
    default:
      if (head.method === 'GET' && head.path.startsWith('/cases/')) return { id: Number(head.path.slice(7)) }
      faults.push(`${head.method} ${head.path} was not expected`)
      return {}
  }
}

function serve(socket: Socket): void {
  let pending: Buffer = Buffer.alloc(0)
  let reading: Reading | null = null
  const begin = (piece: Buffer): Buffer => {
    pending = pending.length === 0 ? piece : Buffer.concat([pending, piece])
    const at = pending.indexOf(HEAD_END)
    if (at < 0) return Buffer.alloc(0)
    const head = readHead(pending.toString('latin1', 0, at))
    const isCase = head.method === 'POST' && head.path === '/cases'
    reading = { head, remaining: head.length, parts: isChecking && isCase ? hashParts(head.boundary) : null }
    if (head.isAsking) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    const rest = pending.subarray(at + HEAD_END.length)
    pending = Buffer.alloc(0)
    return rest
  }
  const finish = (done: Reading): void => {
    reading = null
    const { isLast } = done.head
    const body = JSON.stringify(answerTo(done))
    const type = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`
    socket.write(
      `HTTP/1.1 200 OK\r\n${type}\r\nconnection: ${isLast ? 'close' : 'keep-alive'}\r\n\r\n${body}`,
    )
    if (isLast) socket.end()
  }
  socket.setNoDelay(true)
  socket.on('data', (piece: Buffer) => {
    let rest = piece
    while (rest.length > 0) {
      if (reading === null) rest = begin(rest)
      if (reading === null) return
      const current: Reading = reading
      const taken = Math.min(current.remaining, rest.length)
      current.parts?.take(rest.subarray(0, taken))
      current.remaining -= taken
      rest = rest.subarray(taken)
      if (current.remaining === 0) finish(current)
    }
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    if (reading !== null || pending.length > 0) faults.push('a request was cut off')
  })
}

type PartHashes = {
  take(piece: Buffer): void
  /** Of the files so far, in hex. */
  files(): readonly string[]
}

/** Hashes the files of a multipart body with this boundary, piece by piece. */
function hashParts(boundary: string): PartHashes {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const files: string[] = []
  // The first delimiter has no line break before it.
  let pending: Buffer = Buffer.from('\r\n')
  let part: 'head' | 'content' = 'content'
  let hash: Hash | null = null

  const endPart = (): void => {
    if (hash !== null) files.push(hash.digest('hex'))
    hash = null
  }
  /** Takes what is certain of the content; what may be the beginning of a delimiter waits. */
  const takeContent = (): boolean => {
    const at = pending.indexOf(delimiter)
    const certain = at < 0 ? Math.max(0, pending.length - delimiter.length + 1) : at
    hash?.update(pending.subarray(0, certain))
    pending = pending.subarray(at < 0 ? certain : at + delimiter.length)
    if (at < 0) return false
    endPart()
    part = 'head'
    return true
  }
  const takeHead = (): boolean => {
    const at = pending.indexOf(HEAD_END)
    if (at < 0) return false
    if (pending.subarray(0, at).includes('filename=')) hash = createHash('sha256')
    pending = pending.subarray(at + HEAD_END.length)
    part = 'content'
    return true
  }
  return {
    take: (piece) => {
      pending = pending.length === 0 ? piece : Buffer.concat([pending, piece])
      while (part === 'head' ? takeHead() : takeContent());
    },
    files: () => files,
  }
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
process.stdin.resume().on('end', () => process.exit(0))
