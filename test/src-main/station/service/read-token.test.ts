import { describe, expect, it } from 'vitest'
import { readToken } from '../../../../src-main/station/service/tokens.ts'
import { fc } from '../../../tools/property.ts'
import { anyBytes, bytesOf } from './hostile-json.ts'

const NOW = Date.UTC(2026, 10, 20)
const read = (json: unknown): unknown => readToken(bytesOf(json), NOW)

describe('readToken', () => {
  it.each<[string, unknown, string, number | null]>([
    [
      'access_token and expires_in',
      { access_token: 't1', token_type: 'Bearer', expires_in: 3600 },
      't1',
      3_600_000,
    ],
    ['expires_in as text', { access_token: 't1', expires_in: '60' }, 't1', 60_000],
    ['token', { token: 't1' }, 't1', null],
    ['token inside data', { data: { token: 't1', expires_in: 60 } }, 't1', 60_000],
    ['access_token inside content', { success: true, content: { access_token: 't1' } }, 't1', null],
    ['access_token inside token', { token: { access_token: 't1' }, expires_in: 60 }, 't1', 60_000],
    ['a text inside content', { success: true, content: 't1' }, 't1', null],
    ['token inside result', { result: { token: 't1' } }, 't1', null],
    ['a bare JSON text', '"t1"', 't1', null],
    ['a bare token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', null],
    ['epoch seconds', { token: 't1', expires: NOW / 1_000 + 90 }, 't1', 90_000],
    ['epoch milliseconds', { token: 't1', expires: NOW + 90_000 }, 't1', 90_000],
    ['an ISO date', { token: 't1', expires: '2026-11-20T01:00:00Z' }, 't1', 3_600_000],
    ['an end in the past', { token: 't1', expires: '2020-01-01T00:00:00Z' }, 't1', null],
    ['no life at all', { token: 't1', expires_in: 0 }, 't1', null],
    ['an end that is no date', { token: 't1', expires: 'never' }, 't1', null],
    ['a prefix', { token: 'Bearer t1' }, 't1', null],
    ['an endless life', { token: 't1', expires_in: 1e300 }, 't1', 365 * 86_400_000],
  ])('reads %s', (_name, json, token, lifeMs) => {
    expect(read(json)).toEqual({ token, expiresAt: lifeMs === null ? null : NOW + lifeMs })
  })

  it.each<[string, unknown]>([
    ['an error', { error: 'invalid_client', error_description: 'Unknown client' }],
    ['success:false', { success: false, content: 'invalid-client' }],
    ['success:false beside a token', { success: false, token: 't1' }],
    ['a sentence', '"invalid client"'],
    ['a page', '<html><body>Sign in</body></html>'],
    ['nothing', ''],
    ['null', null],
    ['a token that would break the header', { token: 't1\r\nX-Evil: 1' }],
    ['a giant', { token: 'x'.repeat(20_000) }],
    ['a number', { token: 5 }],
    ['a prototype', '{"__proto__":{"token":"t1"}}'],
  ])('finds no token in %s', (_name, json) => {
    expect(read(json)).toBeNull()
  })

  it('never throws, and what it reads can stand in a header', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const token = readToken(bytes, NOW)
        if (token !== null) expect(token.token).toMatch(/^[\x21-\x7e]+$/)
      }),
    )
  })
})
