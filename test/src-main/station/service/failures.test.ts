import { errors } from 'undici'
import { describe, expect, it } from 'vitest'
import { readJson } from '../../../../src-main/station/service/answers.ts'
import {
  type Endpoint,
  failureFromAnswer,
  failureFromError,
  isAboutToken,
  saysTokenEnded,
} from '../../../../src-main/station/service/failures.ts'
import { BodyError, StoppedError } from '../../../../src-main/station/service/http.ts'
import { type FailureKind, failureSchema } from '../../../../src-shared/failure.ts'
import { fc } from '../../../tools/property.ts'
import { anyBytes, bytesOf } from './hostile-json.ts'

const NOW = Date.UTC(2026, 10, 20)
const answer = (status: number, json: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: bytesOf(json),
  isComplete: true,
})

describe('failureFromAnswer', () => {
  it.each<[FailureKind, Endpoint, number, unknown]>([
    ['signedOut', 'token', 401, { error: 'invalid_client' }],
    ['signedOut', 'token', 400, { error: 'invalid_client' }],
    ['signedOut', 'token', 200, { success: false, content: 'Unknown client' }],
    ['wrongAddress', 'token', 404, '<html>Not Found</html>'],
    ['wrongAddress', 'token', 200, '<html>Welcome</html>'],
    ['wrongAddress', 'token', 302, ''],
    ['answerUnreadable', 'token', 200, { hello: 'world' }],
    ['notAnswering', 'token', 500, ''],
    ['throttled', 'token', 429, ''],
    ['signedOut', 'cases', 401, ''],
    ['signedOut', 'cases', 403, ''],
    ['signedOut', 'cases', 200, { success: false, content: 'Token expired' }],
    ['wrongAddress', 'cases', 200, '<!doctype html><title>Sign in</title>'],
    ['wrongAddress', 'cases', 404, ''],
    ['wrongAddress', 'cases', 301, ''],
    ['answerUnreadable', 'cases', 200, '"hello"'],
    ['serviceRefused', 'cases', 200, { success: false, content: 'Not today' }],
    ['notAnswering', 'cases', 502, '<html>Bad Gateway</html>'],
    ['notAnswering', 'cases', 503, ''],
    ['notAnswering', 'cases', 408, ''],
    ['proxySignIn', 'cases', 407, ''],
    ['notFound', 'case', 404, ''],
    ['serviceRefused', 'case', 403, ''],
    ['signedOut', 'case', 401, ''],
    ['serviceRefused', 'report', 403, ''],
    ['centerNotChanged', 'center', 422, { error: 'unknown center' }],
    ['centerNotChanged', 'center', 404, ''],
    ['centerNotChanged', 'center', 200, { success: false, content: 'unknown center' }],
    ['serviceRefused', 'newCase', 422, { errors: { age: ['is required'] } }],
    ['serviceRefused', 'newCase', 400, { error: 'x' }],
    ['serviceRefused', 'newCase', 200, { success: false, content: 'history_number missing' }],
    ['serviceRefused', 'newCase', 404, { error: 'center not found' }],
    ['wrongAddress', 'newCase', 404, '<html>Not Found</html>'],
    ['wrongAddress', 'newCase', 302, ''],
    ['tooLarge', 'newCase', 413, '<html>Request Entity Too Large</html>'],
    ['signedOut', 'newCase', 401, ''],
    ['signedOut', 'newCase', 200, { success: false, content: 'Invalid token' }],
    ['answerUnreadable', 'newCase', 200, '<html>ok</html>'],
    ['answerUnreadable', 'newCase', 201, { message: 'created' }],
    ['throttled', 'newCase', 429, ''],
    ['notAnswering', 'newCase', 504, ''],
  ])('says %s when %s is answered with %s %j', (kind, asked, status, json) => {
    expect(failureFromAnswer(asked, answer(status, json), NOW)).toMatchObject({ kind, status })
  })

  it.each<[number, Record<string, string>, unknown, number | undefined]>([
    [429, { 'retry-after': '30' }, '', 30_000],
    [503, { 'retry-after': '30' }, '', 30_000],
    [429, {}, { retry_time: 45 }, 45_000],
    [429, { 'retry-after': '30' }, { retry_time: '45' }, 45_000],
    [429, { 'retry-after': 'Fri, 20 Nov 2026 01:00:00 GMT' }, '', 3_600_000],
    [
      429,
      { 'retry-after': 'Fri, 20 Nov 2026 01:00:00 GMT', date: 'Fri, 20 Nov 2026 00:59:00 GMT' },
      '',
      60_000,
    ],
    [429, { 'retry-after': 'Wed, 01 Jan 2020 00:00:00 GMT' }, '', 0],
    [429, { 'retry-after': 'soon' }, '', undefined],
    [429, { 'retry-after': '-5' }, '', undefined],
    [429, { 'retry-after': '99999999999' }, '', 31_536_000_000],
    [500, { 'retry-after': '30' }, '', undefined],
  ])('with %s, %j and %j waits for %s ms', (status, headers, json, waitMs) => {
    const failure = failureFromAnswer('newCase', answer(status, json, headers), NOW)
    expect(failure.notBefore).toBe(waitMs === undefined ? undefined : NOW + waitMs)
  })

  it.each<[string, unknown, string | undefined]>([
    ['error', { error: 'No more cases' }, 'No more cases'],
    [
      'error and message',
      { error: 'invalid', message: 'No more cases', code: 17 },
      'invalid; No more cases (17)',
    ],
    ['error as an object', { error: { message: 'No more cases', code: 'E17' } }, 'No more cases (E17)'],
    [
      'errors',
      { errors: { age: ['is required', 'is no number'], va: 'too large' } },
      'age: is required; is no number; va: too large',
    ],
    ['errors as a list', { errors: [{ detail: 'one' }, { detail: 'two' }] }, 'one; two'],
    ['code and detail', { code: 'E1', detail: 'No more cases' }, 'No more cases (E1)'],
    ['message and errors', { message: 'Invalid', errors: { age: ['required'] } }, 'Invalid; age: required'],
    ['content', { success: false, content: 'No more <b>cases</b>' }, 'No more cases'],
    ['OAuth', { error: 'invalid_client', error_description: 'Unknown' }, 'invalid_client; Unknown'],
    [
      'a title',
      '<html><head><title>413 Too Large</title><script>alert(1)</script></head></html>',
      '413 Too Large',
    ],
    [
      'a page without a title',
      '<html><style>p{}</style><p>Too&nbsp;large &amp; slow</p><script>x()</script></html>',
      'Too large & slow',
    ],
    ['a comparison', { message: 'age < 120 required' }, 'age 120 required'],
    ['an unfinished tag', { message: 'x <img src=y onerror=z' }, 'x'],
    ['control and direction characters', { message: 'a\u0000b\u202ec\nd\u001b[31m' }, 'a b c d [31m'],
    ['entities with names of functions', { message: '&toString; &x' }, '&toString; &x'],
    ['an array', ['one', 'two'], 'one; two'],
    ['nothing', '', undefined],
    ['an empty object', {}, undefined],
    ['bytes', Buffer.from([0, 1, 2]).toString(), undefined],
  ])('gives the words in %s', (_name, json, text) => {
    expect(failureFromAnswer('newCase', answer(422, json), NOW).serviceSaid).toBe(text)
  })

  it('cuts long words', () => {
    expect(
      failureFromAnswer('newCase', answer(422, { error: 'x'.repeat(100_000) }), NOW).serviceSaid,
    ).toHaveLength(500)
  })

  it('never throws and always fits the contract, whatever comes', () => {
    const statuses = fc.integer({ min: 200, max: 599 })
    const questions = fc.constantFrom<Endpoint>(
      'token',
      'newCase',
      'cases',
      'case',
      'report',
      'centers',
      'center',
    )
    fc.assert(
      fc.property(anyBytes, statuses, questions, fc.string(), (body, status, asked, header) => {
        const headers = { 'retry-after': header, 'content-type': header }
        const failure = failureFromAnswer(asked, { status, headers, body, isComplete: true }, NOW)
        failureSchema.parse(failure)
        expect(failure.serviceSaid ?? '').not.toMatch(/[\p{C}<>]/u)
      }),
    )
  })

  it('takes no time over hostile words', () => {
    const before = performance.now()
    for (const text of [
      '<'.repeat(1_000_000),
      '<a '.repeat(300_000),
      '&'.repeat(1_000_000),
      '<script'.repeat(200_000),
    ]) {
      failureFromAnswer('cases', answer(500, text), NOW)
      failureFromAnswer('cases', answer(422, { message: text }), NOW)
    }
    expect(performance.now() - before).toBeLessThan(5_000)
  })
})

describe('isAboutToken', () => {
  it.each<[number, unknown, boolean]>([
    [401, '', true],
    [403, '', true],
    [400, { error: 'token_invalid token' }, true],
    [400, { error: 'age missing' }, false],
    [200, { success: false, content: 'Token expired' }, true],
    [200, { success: false, content: 'Sesión expirada' }, true],
    [200, { success: false, content: 'age missing' }, false],
    [200, { status: 401, message: 'Unauthorized' }, true],
    [200, { id: 5, content: 'token' }, false],
    // What a program stumbled over, perhaps after it has stored the case.
    [400, { error: 'Unexpected token < in JSON at position 0' }, false],
    [200, { success: false, content: 'syntax error, unexpected token "}"' }, false],
    [200, [{ id: 1, note: 'token' }], false],
    [422, { error: 'token' }, false],
  ])('of %s %j is %s', (status, json, isIt) => {
    expect(isAboutToken(answer(status, json))).toBe(isIt)
  })
})

it.each<[number, unknown, boolean]>([
  [401, { message: 'Token expired' }, true],
  [403, { message: 'Unauthorized' }, true],
  [400, { error: 'token invalid' }, true],
  [401, '', false],
  [403, '', false],
  [400, { error: 'Unexpected token < in JSON at position 0' }, false],
  [200, { success: false, content: 'Parse error: syntax error, unexpected token "}"' }, false],
  // A firewall behind which the case may have been stored.
  [403, { message: 'Unauthorized request', support_id: '8271635412' }, false],
  [401, { message: 'Unauthorized request', support_id: '8271635412' }, false],
])('the service itself says that the token ended: %s %j is %s', (status, json, isIt) => {
  expect(saysTokenEnded(answer(status, json))).toBe(isIt)
})

const coded = (code: unknown, cause?: unknown): Error =>
  Object.assign(new Error('secret text', { cause }), { code })

describe('failureFromError', () => {
  it.each<[FailureKind, unknown]>([
    ['notAnswering', coded('ECONNREFUSED')],
    ['notAnswering', Object.assign(new AggregateError([coded('ECONNREFUSED')]), { code: 'ECONNREFUSED' })],
    ['notAnswering', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])],
    ['notAnswering', coded('ECONNRESET')],
    ['notAnswering', coded('EPIPE')],
    ['notAnswering', new errors.ConnectTimeoutError()],
    ['notAnswering', new errors.HeadersTimeoutError()],
    ['notAnswering', new errors.BodyTimeoutError()],
    ['notAnswering', new errors.SocketError('other side closed')],
    ['notAnswering', new DOMException('x', 'TimeoutError')],
    ['notAnswering', new StoppedError('timeOver')],
    ['offline', coded('ENOTFOUND')],
    ['offline', coded('EAI_AGAIN')],
    ['offline', coded('ENETUNREACH')],
    ['offline', coded('EHOSTUNREACH')],
    ['offline', coded('UND_ERR_PRX_CONN', coded('UND_ERR_SOCKET'))],
    ['offline', new errors.RequestAbortedError('Proxy response (503) !== 200 when HTTP Tunneling')],
    ['notTrusted', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['notTrusted', coded('SELF_SIGNED_CERT_IN_CHAIN')],
    ['notTrusted', coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY')],
    ['notTrusted', coded('ERR_TLS_CERT_ALTNAME_INVALID')],
    ['notTrusted', coded('CERT_HAS_EXPIRED')],
    ['notTrusted', coded('UND_ERR_PRX_TLS', coded('ERR_TLS_CERT_ALTNAME_INVALID'))],
    ['notTrusted', coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')],
    ['wrongAddress', coded('ERR_SSL_WRONG_VERSION_NUMBER')],
    ['proxySignIn', new errors.RequestAbortedError('Proxy response (407) !== 200 when HTTP Tunneling')],
    ['proxySignIn', new errors.InvalidArgumentError('Proxy Authentication Required (407)')],
    ['answerUnreadable', Object.assign(new errors.HTTPParserError('x'), { data: 'patient data' })],
    ['answerUnreadable', coded('HPE_INVALID_CONSTANT')],
    ['answerUnreadable', new errors.HeadersOverflowError()],
    ['imageDamaged', new errors.RequestContentLengthMismatchError()],
    ['imageDamaged', new DOMException('x', 'NotReadableError')],
    ['imageDamaged', new BodyError('x', { cause: coded('ENOENT') })],
    ['imageDamaged', new BodyError('x', { cause: new Error('the hash differs') })],
    ['interrupted', new BodyError('x', { cause: coded('EMFILE') })],
    ['interrupted', new BodyError('x', { cause: coded('EBUSY') })],
    ['interrupted', new StoppedError('cancelled')],
    ['interrupted', new StoppedError('stalled')],
    ['interrupted', new DOMException('x', 'AbortError')],
    ['internal', new Error('secret text')],
    ['internal', 'a text'],
    ['internal', null],
    ['internal', coded(0)],
  ])('says %s of %o', (kind, error) => {
    const failure = failureFromError(error)
    expect(failure.kind).toBe(kind)
    expect(JSON.stringify(failure)).not.toMatch(/secret text|patient data/)
  })

  it('comes to an end where causes go in a circle', () => {
    const error = coded('X')
    error.cause = error
    expect(failureFromError(error).kind).toBe('internal')
  })

  it('names the clock if a certificate is not valid today', () => {
    expect(failureFromError(coded('CERT_NOT_YET_VALID')).message).toMatch(/date and time/)
  })
})

const read = (text: string): unknown => readJson(Buffer.from(text))

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('readJson', () => {
  it('takes a byte order mark for nothing', () => {
    expect(readJson(Buffer.from('\ufeff{"a":1}'))).toMatchObject({ value: { a: 1 } })
  })

  it.each(['', ' ', '<html>', '{', '{"a":1} trailing', 'undefined'])('takes %j for no JSON', (text) => {
    expect(read(text)).toBeNull()
  })

  it('keeps the digits of a number that JavaScript would round', () => {
    expect(read('{"id":90071992547409931234,"n":5}')).toMatchObject({
      value: { id: '90071992547409931234', n: 5 },
    })
  })

  it('refuses what is nested too deeply to be written out again', () => {
    expect(read(nested(64))).not.toBeNull()
    expect(read(nested(65))).toBeNull()
    expect(read(nested(1_000_000))).toBeNull()
  })

  it('counts no brackets inside texts', () => {
    expect(read(JSON.stringify({ text: '[{"\\'.repeat(100) }))).not.toBeNull()
  })

  it('never throws, whatever the bytes are', () => {
    fc.assert(fc.property(anyBytes, (bytes) => void readJson(bytes)))
  })
})
