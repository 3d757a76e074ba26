import { errors } from 'undici'
import { describe, expect, it } from 'vitest'
import { failureFromError } from '../../../../src-main/station/service/failures.ts'
import { BodyError, StoppedError } from '../../../../src-main/station/service/http.ts'
import type { FailureKind } from '../../../../src-shared/failure.ts'

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

  it('names the clock where a certificate is not valid today', () => {
    expect(failureFromError(coded('CERT_NOT_YET_VALID')).message).toMatch(/date and time/)
  })
})
